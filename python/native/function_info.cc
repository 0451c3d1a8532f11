// What is told of a function: names, documentation, schema, signature, how it is pickled.
#include "error.h"
#include "function.h"
#include "to_python.h"

namespace byname::python {
namespace {

FunctionObject* cast(PyObject* self) { return reinterpret_cast<FunctionObject*>(self); }

using Describe = int (*)(const byname_object* function, byname_any* out);

// What a core function tells of the function that the object stands for now.
int ask(PyObject* self, Describe describe, Value* out) {
  Value function;
  if (value_of_function(self, function.out()) != 0) return -1;
  return describe(function.object(), out->out()) == 0 ? 0 : raise_error_int();
}

PyObject* ask_text(PyObject* self, Describe describe) {
  Value text;
  return ask(self, describe, &text) == 0 ? text_result(0, text) : nullptr;
}

// The full name; of a value the one it is registered under, if it is.
PyObject* full_name(PyObject* self, void*) {
  const byname_entry* entry = cast(self)->entry;
  if (entry == nullptr) return ask_text(self, &byname_function_name);
  return decode_name({entry->name, entry->name_size});
}

// Where the last part of a name begins.
Py_ssize_t last_part(PyObject* name) {
  Py_ssize_t size = PyUnicode_GET_LENGTH(name);
  Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, size, -1);
  Py_ssize_t colon = PyUnicode_FindChar(name, ':', 0, size, -1);
  return (dot > colon ? dot : colon) + 1;
}

PyObject* short_name(PyObject* self, void*) {
  PyRef name(full_name(self, nullptr));
  return name ? PyUnicode_Substring(name.get(), last_part(name.get()), PY_SSIZE_T_MAX) : nullptr;
}

// "byname.ns.math"
PyObject* module_name(PyObject* self, void*) {
  PyRef name(full_name(self, nullptr));
  if (!name) return nullptr;
  Py_ssize_t end = last_part(name.get());
  if (end == 0) return PyUnicode_FromString("byname.ns");
  PyRef space(PyUnicode_Substring(name.get(), 0, end - 1));
  return space ? PyUnicode_FromFormat("byname.ns.%U", space.get()) : nullptr;
}

PyObject* documentation(PyObject* self, void*) {
  PyRef text(ask_text(self, &byname_function_doc));
  if (!text) return nullptr;
  return PyUnicode_GET_LENGTH(text.get()) == 0 ? Py_NewRef(Py_None) : text.leak();
}

PyObject* schema(PyObject* self, void*) { return ask_text(self, &byname_function_schema); }

// A method of byname/_signature.py, which is imported when first asked for.
PyObject* call_helper(const char* name, PyObject* argument) {
  PyRef module(PyImport_ImportModule("byname._signature"));
  return module ? PyObject_CallMethod(module.get(), name, "O", argument) : nullptr;
}

PyObject* text_signature(PyObject* self, void*) { return call_helper("text_signature", self); }

PyObject* describe(PyObject* self, PyObject*) {
  Value map;
  return ask(self, &byname_function_describe, &map) == 0 ? to_python(&map.get()) : nullptr;
}

PyObject* pin(PyObject* self, PyObject*) {
  byname_any function{};
  return value_of_function(self, &function) == 0 ? wrap_function(function.as_object) : nullptr;
}

PyObject* directory(PyObject* self, PyObject*) {
  PyRef own(PyObject_Dir(reinterpret_cast<PyObject*>(Py_TYPE(self))));
  const byname_entry* entry = cast(self)->entry;
  if (!own || entry == nullptr) return own.leak();
  PyRef parts(parts_below({entry->name, entry->name_size}, nullptr));
  return parts ? PySequence_InPlaceConcat(own.get(), parts.get()) : nullptr;
}

// By name and, for processes that have not loaded it yet, by module.
PyObject* reduce(PyObject* self, PyObject*) {
  if (cast(self)->entry == nullptr) {
    PyErr_SetString(PyExc_TypeError, "a function without a name cannot be pickled (register it)");
    return nullptr;
  }
  PyRef name(full_name(self, nullptr));
  PyRef known(describe(self, nullptr));
  PyObject* module = known ? PyDict_GetItemString(known.get(), "module") : nullptr;
  PyRef package(module != nullptr ? PyImport_ImportModule("byname") : nullptr);
  PyRef restore(package ? PyObject_GetAttrString(package.get(), "_restore") : nullptr);
  const byname_entry* entry = cast(self)->entry;
  bool is_local = byname_find_attached({entry->name, entry->name_size}) != entry;
  if (!restore || !name) return nullptr;
  return Py_BuildValue("(O(OOO))", restore.get(), name.get(), module, is_local ? Py_True : Py_False);
}

// The names of the parameters that "parameters" of a description lists; NULL for one that has others, too.
PyObject* names_in(PyObject* description, Py_ssize_t* num_positional) {
  PyObject* parameters = PyDict_GetItemString(description, "parameters");
  PyObject* variadic = PyDict_GetItemString(description, "variadic");
  PyObject* overloads = PyDict_GetItemString(description, "overloads");
  if (parameters == nullptr || variadic != Py_False || overloads == nullptr || PyList_GET_SIZE(overloads) != 0)
    return nullptr;
  Py_ssize_t size = PyList_GET_SIZE(parameters);
  PyRef names(PyTuple_New(size));
  *num_positional = 0;
  for (Py_ssize_t i = 0; names && i < size; ++i) {
    PyObject* parameter = PyList_GET_ITEM(parameters, i);
    PyObject* name = PyDict_GetItemString(parameter, "name");
    if (name == nullptr) return nullptr;
    if (PyDict_GetItemString(parameter, "keyword_only") != Py_True) ++*num_positional;
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    PyTuple_SET_ITEM(names.get(), i, name);
  }
  return names.leak();
}

}  // namespace

void learn_parameters(FunctionObject* self, byname_function* cell) {
  KeepException keep;
  ParametersOf learned{};
  if (cell != nullptr) {
    learned.cell = cell;
    byname_object_retain_weak(&cell->header);
    Value map;
    if (byname_is_own(&cell->header) && byname_function_describe(&cell->header, map.out()) == 0) {
      PyRef description(to_python(&map.get()));
      if (description) learned.names = names_in(description.get(), &learned.num_positional);
    } else {
      byname_object_release(byname_error_take());
    }
    PyErr_Clear();
  }
  ParametersOf old = std::exchange(self->parameters, learned);
  if (old.cell != nullptr) byname_object_release_weak(&old.cell->header);
  Py_XDECREF(old.names);
  Py_XDECREF(old.straight);
  for (const ParametersOf::Mismatch& mismatch : old.mismatches) Py_XDECREF(mismatch.message);
}

PyObject* function_signature(PyObject* self) { return call_helper("signature", self); }

PyObject* function_repr(PyObject* self) {
  PyRef text(schema(self, nullptr));
  if (text) return PyUnicode_FromFormat("<byname.Function %U>", text.get());
  PyErr_Clear();
  PyRef name(full_name(self, nullptr));
  if (name) return PyUnicode_FromFormat("<byname.Function %U (removed)>", name.get());
  PyErr_Clear();
  return PyUnicode_FromString("<byname.Function (collected)>");
}

PyGetSetDef function_properties[] = {
    {"name", &full_name, nullptr, "The full name, as 'math.add'.", nullptr},
    {"schema", &schema, nullptr, "The schema, as 'math.add(int a, int b=1) -> int'.", nullptr},
    {"__name__", &short_name, nullptr, nullptr, nullptr},
    {"__qualname__", &short_name, nullptr, nullptr, nullptr},
    {"__module__", &module_name, nullptr, nullptr, nullptr},
    {"__doc__", &documentation, nullptr, nullptr, nullptr},
    {"__text_signature__", &text_signature, nullptr, nullptr, nullptr},
    {}};

PyMethodDef function_methods[] = {{"describe", &describe, METH_NOARGS,
                                   "describe($self, /)\n--\n\nAll that is known of the function: name, schema, doc, "
                                   "module, file, line, parameters, overloads."},
                                  {"pin", &pin, METH_NOARGS,
                                   "pin($self, /)\n--\n\n"
                                   "The function that is registered now, owned: it stays callable when the name is "
                                   "removed, and keeps its module's code."},
                                  {"__dir__", &directory, METH_NOARGS, nullptr},
                                  {"__reduce__", &reduce, METH_NOARGS, nullptr},
                                  {}};

}  // namespace byname::python
