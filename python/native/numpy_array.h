// NumPy's types and arrays, once somebody has imported it; we never do.
#ifndef BYNAME_PYTHON_NUMPY_ARRAY_H_
#define BYNAME_PYTHON_NUMPY_ARRAY_H_

#include "base.h"

namespace byname::python {

struct NumPyTypes {
  PyTypeObject* array = nullptr;
  PyTypeObject* scalar = nullptr;
  // Whether arrays look as ArrayFields says: tried on one, since nothing else tells.
  bool fields_are_known = false;
};
extern NumPyTypes numpy_types;
// Whether there are any. False without an exception.
bool find_numpy();
inline bool has_numpy() { return numpy_types.array != nullptr || find_numpy(); }

// Whether an object is a class of NumPy's scalars, as numpy.int16, which stands for an element type, too.
bool is_scalar_class(PyObject* object);

// The head of an array, which NumPy promises to extensions. A buffer tells the same at ten times the price.
struct ArrayFields {
  PyObject_HEAD char* data;
  int ndim;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // bytes
  PyObject* base;
  PyObject* dtype;
  int flags;

  static constexpr int kWriteable = 0x400;
  static constexpr int kWarnOnWrite = static_cast<int>(0x80000000u);
  bool is_read_only() const { return (flags & kWriteable) == 0 || (flags & kWarnOnWrite) != 0; }
};

inline const ArrayFields& array_fields(PyObject* array) { return *reinterpret_cast<const ArrayFields*>(array); }

// What element type a NumPy dtype object stands for, if that was learned before.
bool known_dtype(PyObject* numpy_dtype, byname_dtype* out);
void learn_dtype(PyObject* numpy_dtype, byname_dtype dtype);

}  // namespace byname::python

#endif  // BYNAME_PYTHON_NUMPY_ARRAY_H_
