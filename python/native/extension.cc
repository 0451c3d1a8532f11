// The module byname._native.
#include "callback.h"
#include "error.h"
#include "factory.h"
#include "function.h"
#include "gil.h"
#include "module.h"
#include "object.h"
#include "opaque.h"
#include "tensor.h"
#include "to_python.h"
#include "to_value.h"
#include "warning.h"

namespace byname::python {

byname_dso extension_dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, nullptr};

bool encode_name(PyObject* name, byname_str* out, PyRef* keep) {
  if (PyBytes_Check(name)) {
    *keep = PyRef::share(name);
  } else if (PyUnicode_Check(name)) {
    Py_ssize_t size;
    if (PyUnicode_IS_COMPACT_ASCII(name)) {
      const char* text = PyUnicode_AsUTF8AndSize(name, &size);
      *keep = PyRef::share(name);
      *out = {text, static_cast<size_t>(size)};
      return true;
    }
    *keep = PyRef(PyUnicode_AsEncodedString(name, "utf-8", "surrogateescape"));
    if (!*keep) return false;
  } else {
    PyErr_Format(PyExc_TypeError, "expected a name as str or bytes, got %s", Py_TYPE(name)->tp_name);
    return false;
  }
  *out = {PyBytes_AS_STRING(keep->get()), static_cast<size_t>(PyBytes_GET_SIZE(keep->get()))};
  return true;
}

PyObject* text_result(int status, const Value& text) {
  if (status != 0) return raise_error();
  byname_str characters{};
  byname_any_text(&text.get(), &characters);
  return decode_name(characters);
}

PyObject* names_list(const Value& names) {
  const auto* array = object_as<byname_array>(names.get());
  PyRef list(PyList_New(array->size));
  for (int64_t i = 0; list && i < array->size; ++i) {
    byname_str name{};
    byname_any_text(&array->data[i], &name);
    PyObject* text = decode_name(name);
    if (text == nullptr) return nullptr;
    PyList_SET_ITEM(list.get(), i, text);
  }
  return list.leak();
}

namespace {

PyObject* get(PyObject*, PyObject* name) {
  byname_str text{};
  PyRef keep;
  return encode_name(name, &text, &keep) ? get_anywhere(text) : nullptr;
}

PyObject* names(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* keyword_names) {
  Py_ssize_t named = keyword_names != nullptr ? PyTuple_GET_SIZE(keyword_names) : 0;
  bool is_prefix = named == 0 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keyword_names, 0), "prefix") == 0;
  if (count + named > 1 || !is_prefix) {
    PyErr_SetString(PyExc_TypeError, "byname.names() takes one argument, 'prefix'");
    return nullptr;
  }
  byname_str prefix{nullptr, 0};
  PyRef keep;
  if (count + named == 1 && !encode_name(arguments[0], &prefix, &keep)) return nullptr;
  Value list;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = byname_names(prefix, list.out());
  Py_END_ALLOW_THREADS;
  return status == 0 ? names_list(list) : raise_error();
}

PyObject* remove(PyObject*, PyObject* name) {
  byname_str text{};
  PyRef keep;
  if (!encode_name(name, &text, &keep)) return nullptr;
  return byname_remove(text) == 0 ? Py_NewRef(Py_None) : raise_error();
}

PyObject* modules(PyObject*, PyObject*) {
  Value list;
  return byname_modules(list.out()) == 0 ? to_python(&list.get()) : raise_error();
}

PyObject* collect(PyObject*, PyObject*) {
  drop_waiting();
  size_t count;
  Py_BEGIN_ALLOW_THREADS;
  count = byname_collect();
  Py_END_ALLOW_THREADS;
  return PyLong_FromSize_t(count);
}

PyObject* namespace_of(PyObject*, PyObject* arguments) {
  PyObject* prefix;
  PyObject* module = Py_None;
  if (!PyArg_ParseTuple(arguments, "U|O:namespace", &prefix, &module)) return nullptr;
  if (module != Py_None && Py_TYPE(module) != &ModuleType) {
    return PyErr_Format(PyExc_TypeError, "expected a Module or None, got %s", Py_TYPE(module)->tp_name);
  }
  return make_namespace(prefix, module != Py_None ? module : nullptr);
}

PyObject* error_class_of(PyObject*, PyObject* kind) {
  byname_str text{};
  PyRef keep;
  return encode_name(kind, &text, &keep) ? Py_XNewRef(class_of_kind(text)) : nullptr;
}

PyObject* is_error_kind(PyObject*, PyObject* kind) {
  byname_str text{};
  PyRef keep;
  if (encode_name(kind, &text, &keep)) return PyBool_FromLong(is_known_kind(text));
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return nullptr;
  PyErr_Clear();
  Py_RETURN_FALSE;
}

PyObject* error_kinds(PyObject*, PyObject*) { return kinds_with_classes(); }

PyObject* end_callbacks(PyObject*, PyObject*) {
  close_gate();
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"load", &load_module, METH_VARARGS, nullptr},
    {"get", &get, METH_O,
     "get($module, name, /)\n--\n\n"
     "The Function that calls whatever is registered under a name. Raises NotFound, which tells near names."},
    {"names", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&names)), METH_FASTCALL | METH_KEYWORDS,
     "names($module, prefix='')\n--\n\nThe registered names that begin with prefix, sorted."},
    {"remove", &remove, METH_O,
     "remove($module, name, /)\n--\n\nRemove what is registered under a name. Raises NotFound if nothing is."},
    {"collect", &collect, METH_NOARGS,
     "collect($module, /)\n--\n\n"
     "Free what removed functions left behind and unmap unloaded modules that nothing holds; returns how many."},
    {"factory_create", &factory_create, METH_VARARGS, nullptr},
    {"factory_creator", &factory_creator, METH_VARARGS, nullptr},
    {"factory_types", &factory_types, METH_VARARGS, nullptr},
    {"factory_base", &factory_base, METH_VARARGS, nullptr},
    {"modules", &modules, METH_NOARGS,
     "modules($module, /)\n--\n\n"
     "All modules, a list: loaded ones, and those whose names are gone but whose code is still mapped, held by "
     "something or until the next collect()."},
    {"register", &register_callable, METH_VARARGS, nullptr},
    {"namespace", &namespace_of, METH_VARARGS, nullptr},
    {"describe", &describe_text, METH_O, nullptr},
    {"error_class", &error_class_of, METH_O, nullptr},
    {"is_error_kind", &is_error_kind, METH_O, nullptr},
    {"error_kinds", &error_kinds, METH_NOARGS, nullptr},
    {"_end_callbacks", &end_callbacks, METH_NOARGS, nullptr},
    {}};

int add_type(PyObject* module, const char* name, PyTypeObject* type) {
  return PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type));
}

// What the package shows as its own, which is what has documentation, says in errors and in pickles that it is.
int name_for_package(PyObject* module) {
  for (const PyMethodDef* method = methods; method->ml_name != nullptr; ++method) {
    if (method->ml_doc == nullptr) continue;
    PyRef function(PyObject_GetAttrString(module, method->ml_name));
    PyRef package(function ? PyUnicode_FromString("byname") : nullptr);
    if (!package || PyObject_SetAttrString(function.get(), "__module__", package.get()) != 0) return -1;
  }
  return 0;
}

int add_root(PyObject* module) {
  PyRef prefix(PyUnicode_FromString(""));
  PyRef root(prefix ? make_namespace(prefix.get(), nullptr) : nullptr);
  return root ? PyModule_AddObjectRef(module, "ns", root.get()) : -1;
}

// Before anything of Python is torn down: the interpreter's end waits for no thread of C++.
int end_callbacks_at_exit(PyObject* module) {
  PyRef atexit(PyImport_ImportModule("atexit"));
  PyRef function(atexit ? PyObject_GetAttrString(module, "_end_callbacks") : nullptr);
  PyRef registered(function ? PyObject_CallMethod(atexit.get(), "register", "O", function.get()) : nullptr);
  return registered ? 0 : -1;
}

int init(PyObject* module) {
  if (init_errors() != 0 || init_opaque() != 0 || init_object() != 0 || init_tensor() != 0 || init_module_type() != 0 ||
      init_function() != 0 || init_namespace() != 0) {
    return -1;
  }
  if (add_type(module, "Object", &ObjectType) != 0 || add_type(module, "Tensor", &TensorType) != 0 ||
      add_type(module, "Module", &ModuleType) != 0 || add_type(module, "Function", &FunctionType) != 0 ||
      add_type(module, "Namespace", &NamespaceType) != 0 || add_root(module) != 0 || name_for_package(module) != 0 ||
      PyModule_AddObjectRef(module, "Error", error_class()) != 0 ||
      PyModule_AddObjectRef(module, "NotFound", not_found_class()) != 0 ||
      PyModule_AddStringConstant(module, "version", byname_version()) != 0) {
    return -1;
  }
  if (open_gate() != 0 || end_callbacks_at_exit(module) != 0) return -1;
  set_foreign_converter();
  take_warnings();
  return 0;
}

// There is one of it, in one interpreter: types, gate and core are the process's.
PyObject* the_module = nullptr;

PyObject* create(PyObject* spec, PyModuleDef*) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "byname works in the main interpreter only");
    return nullptr;
  }
  if (the_module != nullptr) return Py_NewRef(the_module);
  PyRef name(PyObject_GetAttrString(spec, "name"));
  return name ? PyModule_NewObject(name.get()) : nullptr;
}

int execute(PyObject* module) {
  if (module == the_module) return 0;
  if (init(module) != 0) return -1;
  the_module = Py_NewRef(module);
  return 0;
}

PyModuleDef_Slot slots[] = {
    {Py_mod_create, reinterpret_cast<void*>(&create)}, {Py_mod_exec, reinterpret_cast<void*>(&execute)}, {}};

// In more than one step, so that every interpreter that imports it is seen.
PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "byname._native",
                          "Byname for Python, over its C interface.",
                          0,
                          methods,
                          slots,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace byname::python

PyMODINIT_FUNC PyInit__native() {
  using namespace byname::python;
  if (byname_abi_version() != BYNAME_ABI_VERSION) {
    return PyErr_Format(PyExc_ImportError,
                        "the extension was built for version %u of Byname's interface, the library has %u",
                        BYNAME_ABI_VERSION, byname_abi_version());
  }
  return PyModuleDef_Init(&definition);
}
