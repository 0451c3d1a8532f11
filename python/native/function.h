// byname.Function: a handle, which is what a name gives, or an owned function, which is what comes as a value.
#ifndef BYNAME_PYTHON_FUNCTION_H_
#define BYNAME_PYTHON_FUNCTION_H_

#include "error.h"
#include "namespace.h"

namespace byname::python {

// What was learned of a cell. That is held weakly, so that no other one can come to lie at its address.
struct ParametersOf {
  static constexpr size_t kMaxMismatches = 4;
  struct Mismatch {
    PyTypeObject* type;  // static
    PyObject* message;
  };
  byname_function* cell;
  PyObject* names;  // a tuple of interned str; NULL: keywords are the core's to place
  Py_ssize_t num_positional;
  // A tuple of keywords that, behind so many positional arguments, are all that is left, in their order: a place in
  // Python code calls with the same tuple always.
  PyObject* straight;
  Py_ssize_t before_straight;
  Mismatch mismatches[kMaxMismatches];  // by position: an argument of the type leads to a TypeError with the message
};

struct FunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  byname_entry* entry;     // of a handle, else NULL
  byname_function* value;  // owned, of a value, else NULL
  // What an own value calls, if it was made of a Python object; borrowed from the value, which holds it.
  PyObject* callable;
  ParametersOf parameters;
  NamesBelow below;  // of a handle
  PyObject* weak_references;
};

extern PyTypeObject FunctionType;

// A handle for an entry.
PyObject* make_handle(byname_entry* entry);
// The Function of the entry that `find` gives, which runs nothing; if need be once plugins for a namespace of the name
// are loaded, or that `get` gives, which runs what waits and raises an error.
template <class Find, class Get>
PyObject* handle_of(byname_str name, Find find, Get get) {
  byname_entry* entry = find();
  if (entry == nullptr) {
    int plugins = load_plugins(name);
    if (plugins < 0) return nullptr;
    if (plugins > 0) entry = find();
  }
  if (entry == nullptr) {
    // What waits to be attached may want the GIL.
    Py_BEGIN_ALLOW_THREADS;
    entry = get();
    Py_END_ALLOW_THREADS;
  }
  return entry != nullptr ? make_handle(entry) : raise_error();
}
// The Python object for a function value, which it takes, on failure too: the Python callable that it was made of, the
// Function that stands for it, or a new one.
PyObject* wrap_function(byname_object* owned);
// The function value behind a Function, owned. NotFound, as an exception, for a handle whose name was removed.
int value_of_function(PyObject* function, byname_any* out);

// raise_error for an error of a call of the function.
PyObject* raise_error_of(const FunctionObject* self);

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

// Fills self->parameters for a cell; NULL empties them. Never fails.
void learn_parameters(FunctionObject* self, byname_function* cell);

int init_function();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_FUNCTION_H_
