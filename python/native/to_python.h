// From values to Python objects.
#ifndef BYNAME_PYTHON_TO_PYTHON_H_
#define BYNAME_PYTHON_TO_PYTHON_H_

#include "base.h"

namespace byname::python {

// A value that the caller owns or borrows, views included. A new reference, or NULL with an exception.
PyObject* to_python_slow(const byname_any* value);
// The same for an owned value, which it drops.
PyObject* take_value_slow(byname_any value);

inline PyObject* to_python(const byname_any* value) {
  if (BYNAME_LIKELY(value->type_index == BYNAME_INT)) return PyLong_FromLongLong(value->as_int);
  return to_python_slow(value);
}

// The result of a call.
inline PyObject* take_value(const byname_any* value) {
  switch (value->type_index) {
    case BYNAME_NONE:
      return Py_NewRef(Py_None);
    case BYNAME_INT:
      return PyLong_FromLongLong(value->as_int);
    case BYNAME_FLOAT:
      return PyFloat_FromDouble(value->as_float);
    default:
      return take_value_slow(*value);
  }
}

}  // namespace byname::python

#endif  // BYNAME_PYTHON_TO_PYTHON_H_
