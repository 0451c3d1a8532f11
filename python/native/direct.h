// Direct calls: for the frequent C++ signatures the extension is a typed caller, which passes arguments as they are.
#ifndef BYNAME_PYTHON_DIRECT_H_
#define BYNAME_PYTHON_DIRECT_H_

#include "function.h"

namespace byname::python {

// Gives a handle the way to call what is registered now; while something else is, calls go the way of all others.
void choose_call(FunctionObject* handle);

// A call whose argument at `position`, alone, is of a type that functions of the signature never take. What the core
// says of such an argument is kept, for as long as it is the same function, and said again without the core.
PyObject* raise_mismatch(FunctionObject* self, PyObject* const* arguments, size_t count, size_t position,
                         const void* signature_id);

}  // namespace byname::python

#endif  // BYNAME_PYTHON_DIRECT_H_
