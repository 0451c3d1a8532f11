// Numbers that are more than an int64 or a double: big integers, NumPy's scalars.
#ifndef BYNAME_PYTHON_NUMBER_H_
#define BYNAME_PYTHON_NUMBER_H_

#include "to_value.h"

namespace byname::python {

// Any int.
int int_to_view(PyObject* number, byname_any* value, Leftovers* left);
// 1 if the object is a NumPy scalar, 0 if not, -1 with an exception.
int numpy_scalar_to_view(PyObject* object, byname_any* value, Leftovers* left);
// A new record that clean_up will free; NULL with an exception.
Keep* keep_in(Leftovers* left);

}  // namespace byname::python

#endif  // BYNAME_PYTHON_NUMBER_H_
