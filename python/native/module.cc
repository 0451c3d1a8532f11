#include "module.h"

#include "error.h"
#include "namespace.h"
#include "object.h"
#include "to_python.h"

namespace byname::python {
namespace {

struct ModuleObject {
  ObjectObject base;
  NamesBelow below;
};

ModuleObject* cast(PyObject* self) { return reinterpret_cast<ModuleObject*>(self); }

PyObject* module_names(PyObject* self, PyObject*) {
  Value names;
  if (byname_module_names(object_in(self), names.out()) != 0) return raise_error();
  return names_list(names);
}

// on_unload functions of the module may wait for threads that want the GIL.
PyObject* texts_without_gil(PyObject* self, int (*give)(byname_object* module, byname_any* out)) {
  Value holders;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = give(object_in(self), holders.out());
  Py_END_ALLOW_THREADS;
  return status == 0 ? names_list(holders) : raise_error();
}

PyObject* module_unload(PyObject* self, PyObject*) { return texts_without_gil(self, &byname_module_unload); }

PyObject* module_reload(PyObject* self, PyObject*) { return texts_without_gil(self, &byname_module_reload); }

PyObject* module_holders(PyObject* self, PyObject*) {
  return texts_without_gil(self,
                           [](byname_object* module, byname_any* out) { return byname_module_holders(module, out); });
}

PyObject* module_is_loaded(PyObject* self, void*) { return PyBool_FromLong(byname_module_is_loaded(object_in(self))); }

PyObject* module_path_property(PyObject* self, void*) { return module_path(self); }

PyObject* module_getattro(PyObject* self, PyObject* name) {
  if (type_attribute(Py_TYPE(self), name) != nullptr || is_special_name(name))
    return PyObject_GenericGetAttr(self, name);
  return name_below({"", 0}, name, self, &cast(self)->below);
}

PyObject* module_subscript(PyObject* self, PyObject* name) {
  byname_str text{};
  PyRef keep;
  return encode_name(name, &text, &keep) ? get_of_module(text, self) : nullptr;
}

PyObject* module_dir(PyObject* self, PyObject*) {
  PyRef own(PyObject_Dir(reinterpret_cast<PyObject*>(Py_TYPE(self))));
  PyRef parts(own ? parts_below({"", 0}, self) : nullptr);
  PyRef all(parts ? PySequence_InPlaceConcat(own.get(), parts.get()) : nullptr);
  return all.leak();
}

PyObject* module_repr(PyObject* self) {
  PyRef path(module_path(self));
  if (!path) return nullptr;
  bool loaded = byname_module_is_loaded(object_in(self)) != 0;
  return PyUnicode_FromFormat(loaded ? "<byname.Module %R>" : "<byname.Module %R (unloaded)>", path.get());
}

PyObject* module_reduce(PyObject* self, PyObject*) {
  PyRef package(PyImport_ImportModule("byname"));
  PyRef load(package ? PyObject_GetAttrString(package.get(), "load") : nullptr);
  PyRef path(load ? module_path(self) : nullptr);
  return path ? Py_BuildValue("(O(O))", load.get(), path.get()) : nullptr;
}

int module_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(cast(self)->below.known);
  return 0;
}

int module_clear(PyObject* self) {
  Py_CLEAR(cast(self)->below.known);
  return 0;
}

void module_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  module_clear(self);
  object_dealloc(self);
}

PyMethodDef module_methods[] = {
    {"names", &module_names, METH_NOARGS,
     "names($self, /)\n--\n\nThe names that the module registered, sorted, its own among them."},
    {"unload", &module_unload, METH_NOARGS,
     "unload($self, /)\n--\n\n"
     "Remove the module's names. Returns, in words, what still holds its code, which goes when nothing does."},
    {"holders", &module_holders, METH_NOARGS,
     "holders($self, /)\n--\n\nWhat holds the module's code besides its names, in words: what unload would return."},
    {"reload", &module_reload, METH_NOARGS,
     "reload($self, /)\n--\n\n"
     "Put what the file is now in the module's place, in one step. Returns, in words, what still holds the old code;\n"
     "its objects go on working. If it fails, the old code stays.\n\n"
     "Raises what load raises, TypeError if a type is laid out otherwise than objects of it that live, RuntimeError "
     "if\n"
     "the module is not loaded or cannot be unloaded."},
    {"__dir__", &module_dir, METH_NOARGS, nullptr},
    {"__reduce__", &module_reduce, METH_NOARGS, nullptr},
    {}};

PyMappingMethods module_mapping = {nullptr, &module_subscript, nullptr};

PyGetSetDef module_properties[] = {
    {"path", &module_path_property, nullptr, "The file that was loaded.", nullptr},
    {"is_loaded", &module_is_loaded, nullptr, "Whether its names are registered.", nullptr},
    {}};

}  // namespace

PyTypeObject ModuleType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "byname.Module";
  type.tp_doc =
      "A loaded library. Its other attributes are the namespaces and functions of what it registered; module[name] is\n"
      "what it registered under a full name, its own names included.";
  type.tp_base = &ObjectType;
  type.tp_basicsize = sizeof(ModuleObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = &module_dealloc;
  type.tp_traverse = &module_traverse;
  type.tp_clear = &module_clear;
  type.tp_repr = &module_repr;
  type.tp_getattro = &module_getattro;
  type.tp_setattro = &refuse_to_set;
  type.tp_as_mapping = &module_mapping;
  type.tp_methods = module_methods;
  type.tp_getset = module_properties;
  return type;
}();

PyObject* load_module(PyObject*, PyObject* arguments) {
  PyObject* encoded = nullptr;
  Py_buffer search;
  if (PyArg_ParseTuple(arguments, "O&y*", &PyUnicode_FSConverter, &encoded, &search) == 0) return nullptr;
  PyRef keep(encoded);
  byname_str path{PyBytes_AS_STRING(encoded), static_cast<size_t>(PyBytes_GET_SIZE(encoded))};
  byname_str directories{static_cast<const char*>(search.buf), static_cast<size_t>(search.len)};
  Value module;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = byname_module_load(path, directories, module.out());
  Py_END_ALLOW_THREADS;
  PyBuffer_Release(&search);
  return status == 0 ? wrap_object(module.leak().as_object) : raise_error();
}

PyObject* module_path(PyObject* module) {
  Value path;
  byname_str text{};
  if (byname_module_path(object_in(module), path.out()) != 0) return raise_error();
  byname_any_text(&path.get(), &text);
  return PyUnicode_DecodeFSDefaultAndSize(text.data, static_cast<Py_ssize_t>(text.size));
}

int init_module_type() { return PyType_Ready(&ModuleType); }

}  // namespace byname::python
