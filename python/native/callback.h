// Python callables as functions of C++.
#ifndef BYNAME_PYTHON_CALLBACK_H_
#define BYNAME_PYTHON_CALLBACK_H_

#include "base.h"

namespace byname::python {

// A function value that calls a Python object; the object stands for it. Fails with an exception set.
int function_of_callable(PyObject* callable, byname_any* out);

// Calls a Python callable with values from any thread. The last arguments go to the keywords of the tuple `names`,
// which may be NULL. Returns 0, or -1 with an error in the thread's slot.
int call_python(PyObject* callable, PyObject* names, const byname_any* arguments, int32_t count, byname_any* result);

// _native.register(text, callable, keyword_names, doc, file, line): a name or a schema, a callable, which of the
// parameters it takes by keyword only (None: none), and where it is from.
PyObject* register_callable(PyObject*, PyObject* arguments);
// _native.describe(text): what Function.describe would tell of a function that was registered with the text.
PyObject* describe_text(PyObject*, PyObject* text);

}  // namespace byname::python

#endif  // BYNAME_PYTHON_CALLBACK_H_
