// Warnings of C++ as warnings of Python.
#ifndef BYNAME_PYTHON_WARNING_H_
#define BYNAME_PYTHON_WARNING_H_

namespace byname::python {

// From now on they go to the module `warnings`.
void take_warnings();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_WARNING_H_
