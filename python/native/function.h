// byname.Function: a handle, which is what a name gives, or an owned function, which is what comes as a value.
#ifndef BYNAME_PYTHON_FUNCTION_H_
#define BYNAME_PYTHON_FUNCTION_H_

#include "namespace.h"

namespace byname::python {

// The names of a cell's parameters, read when the first keyword comes. The cell is held weakly, so that no other one can
// come to lie at its address.
struct ParameterNames {
  byname_function* cell;
  PyObject* names;  // a tuple of interned str; NULL: keywords are the core's to place
  Py_ssize_t num_positional;
};

struct FunctionObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  byname_entry* entry;     // of a handle, else NULL
  byname_function* value;  // owned, of a value, else NULL
  // What an own value calls, if it was made of a Python object; borrowed from the value, which holds it.
  PyObject* callable;
  ParameterNames parameters;
  NamesBelow below;  // of a handle
  PyObject* weak_references;
};

extern PyTypeObject FunctionType;

// A handle for an entry.
PyObject* make_handle(byname_entry* entry);
// The Python object for a function value, which it takes, on failure too: the Python callable that it was made of, the
// Function that stands for it, or a new one.
PyObject* wrap_function(byname_object* owned);
// The function value behind a Function, owned. NotFound, as an exception, for a handle whose name was removed.
int value_of_function(PyObject* function, byname_any* out);

// The two ways to be called (call.cc).
PyObject* call_handle(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names);
PyObject* call_value(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names);

// byname.Function(callable)
PyObject* function_new(PyTypeObject* type, PyObject* arguments, PyObject* keywords);
// What is told of a function (function_info.cc).
extern PyGetSetDef function_properties[];
extern PyMethodDef function_methods[];
PyObject* function_repr(PyObject* self);
PyObject* function_signature(PyObject* self);

// Fills self->parameters for a cell. Never fails: without names keywords are the core's to place.
void read_parameter_names(FunctionObject* self, byname_function* cell);

int init_function();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_FUNCTION_H_
