// Calls that are not the frequent one: many arguments, keywords, a function that may block.
#ifndef BYNAME_PYTHON_CALL_H_
#define BYNAME_PYTHON_CALL_H_

#include "function.h"
#include "to_value.h"

namespace byname::python {

// How many arguments are converted on the stack.
constexpr Py_ssize_t kMaxDirect = 8;

// Keywords put where they belong, if all that is given are parameters without a gap; the count, or -1.
Py_ssize_t place_keywords(ParametersOf& parameters, PyObject* const* arguments, Py_ssize_t positional, PyObject* names,
                          PyObject** placed);

// A call in its most general form.
PyObject* call_general(FunctionObject* self, PyObject* const* arguments, Py_ssize_t positional, PyObject* names);

// The function to be called, safe from removal until end_use; NULL, and an exception, if there is none.
byname_guard begin_use(const FunctionObject* self);
inline void end_use(const FunctionObject* self, byname_guard guard) {
  if (self->entry != nullptr) byname_unprotect(guard);
}

// Calls with the GIL released if the function may block.
int call_cell(byname_function* cell, const byname_any* values, int32_t count, byname_any* result);

}  // namespace byname::python

#endif  // BYNAME_PYTHON_CALL_H_
