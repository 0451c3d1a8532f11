// byname.Namespace, and the look-up of names as attributes, which functions and modules share.
#ifndef BYNAME_PYTHON_NAMESPACE_H_
#define BYNAME_PYTHON_NAMESPACE_H_

#include "base.h"

namespace byname::python {

// What was found below a name, while the table of names stays as it was.
struct NamesBelow {
  PyObject* known;  // a dict, or NULL
  uint64_t version;
};

struct NamespaceObject {
  PyObject_HEAD PyObject* prefix;  // "" of the root
  PyObject* module;                // the Module whose names are meant; NULL: all
  NamesBelow below;
  PyObject* weak_references;
};

extern PyTypeObject NamespaceType;

// Namespaces of all names, and of a module's. `prefix` is a str.
PyObject* make_namespace(PyObject* prefix, PyObject* module);

// What is registered under `prefix` + "." + `name`: a Function, or a Namespace if names begin with it; NotFound, as an
// exception, if there is neither. `module` as above.
PyObject* name_below(byname_str prefix, PyObject* name, PyObject* module, NamesBelow* below);
// Loads what other distributions offer for a namespace of the name (byname/_plugins.py): 1 if there is anything, so
// that another look is worth it, else 0; -1 with an exception that is not a plugin's failure, as KeyboardInterrupt.
int load_plugins(byname_str name);
// The Function of a full name, after loading plugins and running what waits; NotFound, as an exception, if there is
// none.
PyObject* get_anywhere(byname_str name);
// The Function of a name that a module registered, its own before others; NotFound, as an exception, if there is none.
PyObject* get_of_module(byname_str name, PyObject* module);
// The parts of names that come next after a prefix, a sorted list of str.
PyObject* parts_below(byname_str prefix, PyObject* module);

// tp_setattro of what has names as attributes: they are registered and removed, never set.
int refuse_to_set(PyObject* self, PyObject* name, PyObject* value);

// "__x__": asked for by Python itself, never looked up as a part of a name.
bool is_special_name(PyObject* name);

int init_namespace();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_NAMESPACE_H_
