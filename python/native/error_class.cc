// Which class stands for which kind of error.
#include "error.h"

namespace byname::python {
namespace {

struct KnownClass {
  byname_str kind;
  PyObject** type;
};

// Those that are raised again and again; all others are looked up in `classes`.
const KnownClass kKnownClasses[] = {
    {literal("TypeError"), &PyExc_TypeError},         {literal("ValueError"), &PyExc_ValueError},
    {literal("RuntimeError"), &PyExc_RuntimeError},   {literal("IndexError"), &PyExc_IndexError},
    {literal("OverflowError"), &PyExc_OverflowError}, {literal("KeyError"), &PyExc_KeyError},
};

PyObject* error_base = nullptr;      // byname.Error
PyObject* not_found_base = nullptr;  // byname.NotFound
PyObject* classes = nullptr;         // kind → (class, parent's kind)
PyObject* plain_classes = nullptr;   // kind → class
constexpr const char* kErrorsModule = "byname.errors";

// Text as the name of a class shows it, which has no NUL and is UTF-8.
PyObject* escape(PyObject* text) {
  PyRef bytes(PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
  PyRef decoded(bytes ? PyUnicode_FromEncodedObject(bytes.get(), "utf-8", nullptr) : nullptr);
  PyRef nul(decoded ? PyUnicode_FromOrdinal(0) : nullptr);
  PyRef shown(nul ? PyUnicode_FromString("\\x00") : nullptr);
  return shown ? PyUnicode_Replace(decoded.get(), nul.get(), shown.get(), -1) : nullptr;
}

// What stands behind the last dot of a kind, which may have any bytes.
PyObject* class_name(PyObject* kind) {
  Py_ssize_t size = PyUnicode_GetLength(kind);
  Py_ssize_t dot = PyUnicode_FindChar(kind, '.', 0, size, -1);
  if (dot == -2) return nullptr;
  PyRef name(PyUnicode_Substring(kind, dot + 1, size));
  return name ? escape(name.get()) : nullptr;
}

// A class whose __module__ is `module`; its kind is its qualified name unless given.
PyObject* make_class(const char* module, PyObject* kind, PyObject* bases, const char* doc) {
  PyRef name(class_name(kind));
  if (!name) return nullptr;
  PyRef attributes(
      Py_BuildValue("{sssOsOsz}", "__module__", module, "__qualname__", kind, "kind", kind, "__doc__", doc));
  if (!attributes) return nullptr;
  return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyType_Type), name.get(), bases, attributes.get(),
                                      nullptr);
}

// Borrowed; NULL without an exception if Python has no such exception.
PyObject* builtin_class(PyObject* kind) {
  PyObject* found = PyDict_GetItemWithError(PyEval_GetBuiltins(), kind);
  return found != nullptr && PyExceptionClass_Check(found) ? found : nullptr;
}

PyObject* derive_class(PyObject* kind, byname_str parent_kind) {
  PyObject* parent = class_of_kind(parent_kind);
  if (parent == nullptr) return nullptr;
  bool below =
      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(parent), reinterpret_cast<PyTypeObject*>(error_base)) != 0;
  PyRef bases(below ? PyTuple_Pack(1, parent) : PyTuple_Pack(2, error_base, parent));
  if (!bases) return nullptr;
  return make_class(kErrorsModule, kind, bases.get(), nullptr);
}

// A class that was made for a kind before that was registered below another parent is replaced.
PyObject* cached_class(PyObject* kind, PyObject* parent_kind) {
  PyObject* entry = PyDict_GetItemWithError(classes, kind);
  if (entry == nullptr) return nullptr;
  int same = PyUnicode_Compare(PyTuple_GET_ITEM(entry, 1), parent_kind);
  return same == 0 ? PyTuple_GET_ITEM(entry, 0) : nullptr;
}

PyObject* find_or_make_class(PyObject* kind, byname_str parent_kind) {
  PyRef parent(decode_name(parent_kind));
  if (!parent) return nullptr;
  PyObject* cached = cached_class(kind, parent.get());
  if (cached != nullptr || PyErr_Occurred()) return cached;
  PyRef made(Py_XNewRef(builtin_class(kind)));
  if (!made && PyErr_Occurred()) return nullptr;
  if (!made) made = PyRef(derive_class(kind, parent_kind));
  if (!made) return nullptr;
  PyRef entry(PyTuple_Pack(2, made.get(), parent.get()));
  if (!entry || PyDict_SetItem(classes, kind, entry.get()) != 0) return nullptr;
  return made.get();
}

bool is_static(PyTypeObject* type) { return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0; }

bool is_builtin(PyTypeObject* type) { return is_static(type) && std::strchr(type->tp_name, '.') == nullptr; }

// An attribute of the class alone, by nobody else's code: a metaclass may answer anything. Borrowed, no exception.
PyObject* own_text(PyTypeObject* type, const char* name) {
  PyObject* found = PyDict_GetItemString(type->tp_dict, name);
  return found != nullptr && PyUnicode_Check(found) ? found : nullptr;
}

PyObject* qualified_name(PyTypeObject* heap_type) {
  return reinterpret_cast<PyHeapTypeObject*>(heap_type)->ht_qualname;
}

bool stands_for_kind(PyTypeObject* type) {
  if (is_static(type)) return false;
  if (type == reinterpret_cast<PyTypeObject*>(not_found_base)) return true;
  PyObject* module = own_text(type, "__module__");
  return module != nullptr && PyUnicode_CompareWithASCIIString(module, kErrorsModule) == 0;
}

// "module.Name"; NULL without an exception if the module is no text.
PyObject* full_name_of(PyTypeObject* type) {
  if (is_static(type)) return PyUnicode_FromString(type->tp_name);
  PyObject* module = own_text(type, "__module__");
  return module != nullptr ? PyUnicode_FromFormat("%U.%U", module, qualified_name(type)) : nullptr;
}

// Without surrogates that stand for no byte, which no text of C++ has.
PyObject* encodable(PyObject* text) {
  byname_str encoded{};
  PyRef keep;
  if (encode_name(text, &encoded, &keep)) return Py_NewRef(text);
  PyErr_Clear();
  return escape(text);
}

int register_kind(PyObject* kind, PyObject* parent) {
  byname_str kind_text{};
  byname_str parent_text{};
  PyRef keep;
  PyRef keep_parent;
  if (!encode_name(kind, &kind_text, &keep) || !encode_name(parent, &parent_text, &keep_parent)) return -1;
  // Two classes of one name with different parents: the first decides, a later one is only its kind's text.
  if (byname_error_kind_is_known(kind_text) != 0) return 0;
  if (byname_error_kind_register(kind_text, parent_text) != 0) byname_object_release(byname_error_take());
  return 0;
}

}  // namespace

PyObject* error_class() { return error_base; }

PyObject* not_found_class() { return not_found_base; }

PyObject* class_of_kind(byname_str kind) {
  for (const KnownClass& known : kKnownClasses) {
    if (equal(known.kind, kind)) return *known.type;
  }
  if (equal(kind, literal("NotFound"))) return not_found_base;
  if (kind.size == 0) return PyExc_RuntimeError;
  PyRef text(decode_name(kind));
  if (!text) return nullptr;
  byname_str parent = byname_error_kind_parent(kind);
  return find_or_make_class(text.get(), parent.size == 0 ? literal("RuntimeError") : parent);
}

bool is_known_kind(byname_str kind) {
  if (byname_error_kind_is_known(kind) != 0) return true;
  PyRef text(decode_name(kind));
  bool known =
      text && (builtin_class(text.get()) != nullptr || PyDict_GetItemWithError(classes, text.get()) != nullptr);
  PyErr_Clear();
  return known;
}

PyObject* kinds_with_classes() { return PyDict_Keys(classes); }

PyObject* plain_class_of_kind(byname_str kind) {
  PyRef text(decode_name(kind));
  if (!text) return nullptr;
  PyObject* known = PyDict_GetItemWithError(plain_classes, text.get());
  if (known != nullptr || PyErr_Occurred()) return known;
  PyRef bases(PyTuple_Pack(1, error_base));
  PyRef made(bases ? make_class(kErrorsModule, text.get(), bases.get(), nullptr) : nullptr);
  if (!made || PyDict_SetItem(plain_classes, text.get(), made.get()) != 0) return nullptr;
  return made.get();
}

PyObject* kind_of_class(PyTypeObject* type) {
  if (is_builtin(type)) return PyUnicode_FromString(type->tp_name);
  if (type == reinterpret_cast<PyTypeObject*>(error_base)) return PyUnicode_FromString("RuntimeError");
  if (stands_for_kind(type)) return encodable(qualified_name(type));
  PyRef name(full_name_of(type));
  if (!name && !PyErr_Occurred()) return kind_of_class(type->tp_base);
  PyRef kind(name ? encodable(name.get()) : nullptr);
  PyRef parent(kind ? kind_of_class(type->tp_base) : nullptr);
  if (!parent || register_kind(kind.get(), parent.get()) != 0) return nullptr;
  return kind.leak();
}

int init_errors() {
  classes = PyDict_New();
  plain_classes = PyDict_New();
  PyRef error_kind(PyUnicode_FromString("Error"));
  PyRef error_bases(PyTuple_Pack(1, PyExc_Exception));
  if (classes == nullptr || plain_classes == nullptr || !error_kind || !error_bases) return -1;
  error_base = make_class("byname", error_kind.get(), error_bases.get(),
                          "The base of the classes that stand for kinds of errors which are none of Python's own.");
  if (error_base == nullptr) return -1;
  PyRef kind(PyUnicode_FromString("NotFound"));
  PyRef bases(PyTuple_Pack(3, error_base, PyExc_LookupError, PyExc_AttributeError));
  if (!kind || !bases) return -1;
  not_found_base = make_class("byname", kind.get(), bases.get(), "Nothing is registered under a name.");
  return not_found_base == nullptr ? -1 : 0;
}

}  // namespace byname::python
