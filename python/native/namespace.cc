#include "namespace.h"

#include <atomic>

#include "error.h"
#include "function.h"
#include "module.h"
#include "object.h"

namespace byname::python {
namespace {

// Changes with every name that comes or goes.
std::atomic<uint64_t> table_version{1};

void on_name(void*, byname_str, int) { table_version.fetch_add(1, std::memory_order_release); }

// Only who uses namespaces pays for hearing of names.
bool listen() {
  static bool listening = false;
  if (listening) return true;
  uint64_t id;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = byname_listener_register({&on_name, nullptr}, &id);
  Py_END_ALLOW_THREADS;
  if (status != 0) {
    raise_error();
    return false;
  }
  listening = true;
  return true;
}

NamespaceObject* cast(PyObject* self) { return reinterpret_cast<NamespaceObject*>(self); }

// prefix + "." + name, as bytes.
PyObject* join(byname_str prefix, byname_str name) {
  size_t dot = prefix.size == 0 ? 0 : 1;
  PyObject* full = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(prefix.size + dot + name.size));
  if (full == nullptr) return nullptr;
  char* to = PyBytes_AS_STRING(full);
  if (prefix.size > 0) std::memcpy(to, prefix.data, prefix.size);
  if (dot != 0) to[prefix.size] = '.';
  std::memcpy(to + prefix.size + dot, name.data, name.size);
  return full;
}

byname_str bytes_text(PyObject* bytes) {
  return {PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))};
}

// All names that begin with the bytes, of a module or of all. Runs blocks that wait, so the GIL is released.
int list_names(byname_str prefix, PyObject* module, Value* out) {
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = module == nullptr ? byname_names(prefix, out->out()) : byname_module_names(object_in(module), out->out());
  Py_END_ALLOW_THREADS;
  return status == 0 ? 0 : raise_error_int();
}

bool begins_with(byname_str text, byname_str prefix) {
  return text.size >= prefix.size && std::memcmp(text.data, prefix.data, prefix.size) == 0;
}

// A name of a list: of an overload, "a::b.o", the one that it belongs to, "a.b". False with an exception set.
class ListedName {
 public:
  bool read(const byname_any& listed) {
    byname_any_text(&listed, &text_);
    const char* colons = static_cast<const char*>(memmem(text_.data, text_.size, "::", 2));
    if (colons == nullptr) return true;
    auto space = static_cast<size_t>(colons - text_.data);
    const char* name = colons + 2;
    size_t rest = text_.size - space - 2;
    const auto* dot = static_cast<const char*>(std::memchr(name, '.', rest));
    joined_ = PyRef(join({text_.data, space}, {name, dot != nullptr ? static_cast<size_t>(dot - name) : rest}));
    if (!joined_) return false;
    text_ = bytes_text(joined_.get());
    return true;
  }
  byname_str text() const { return text_; }

 private:
  byname_str text_{};
  PyRef joined_;
};

enum class Found { kNothing, kFunction, kSpace, kFailure };

// In a module's names: the very name, or one that goes on behind a dot.
Found find_in_module(byname_str name, PyObject* module) {
  Value names;
  if (list_names({nullptr, 0}, module, &names) != 0) return Found::kFailure;
  Found found = Found::kNothing;
  const auto* array = object_as<byname_array>(names.get());
  for (int64_t i = 0; i < array->size; ++i) {
    ListedName listed;
    if (!listed.read(array->data[i])) return Found::kFailure;
    byname_str one = listed.text();
    if (!begins_with(one, name)) continue;
    if (one.size == name.size) return Found::kFunction;
    if (one.data[name.size] == '.') found = Found::kSpace;
  }
  return found;
}

Found find_prefix(byname_str name) {
  PyRef prefix(join(name, {"", 0}));
  Value names;
  if (!prefix || list_names(bytes_text(prefix.get()), nullptr, &names) != 0) return Found::kFailure;
  return object_as<byname_array>(names.get())->size > 0 ? Found::kSpace : Found::kNothing;
}

Found find_anywhere(byname_str name) {
  if (byname_find_attached(name) != nullptr) return Found::kFunction;
  // This runs blocks that wait, without the GIL, which a thread that it waits for may want.
  Found found = find_prefix(name);
  return byname_find_attached(name) != nullptr ? Found::kFunction : found;
}

PyObject* resolve(byname_str name, PyObject* module) {
  Found found = module != nullptr ? find_in_module(name, module) : find_anywhere(name);
  if (found == Found::kNothing && module == nullptr) {
    int plugins = load_plugins(name);
    if (plugins < 0) return nullptr;
    if (plugins > 0) found = find_anywhere(name);
  }
  if (found == Found::kFailure) return nullptr;
  if (found != Found::kSpace) return module != nullptr ? get_of_module(name, module) : get_anywhere(name);
  PyRef prefix(decode_name(name));
  return prefix ? make_namespace(prefix.get(), module) : nullptr;
}

PyObject* namespace_getattro(PyObject* self, PyObject* name) {
  if (is_special_name(name)) return PyObject_GenericGetAttr(self, name);
  byname_str prefix{};
  PyRef keep;
  if (!encode_name(cast(self)->prefix, &prefix, &keep)) return nullptr;
  return name_below(prefix, name, cast(self)->module, &cast(self)->below);
}

PyObject* namespace_dir(PyObject* self, PyObject*) {
  byname_str prefix{};
  PyRef keep;
  if (!encode_name(cast(self)->prefix, &prefix, &keep)) return nullptr;
  return parts_below(prefix, cast(self)->module);
}

PyObject* namespace_repr(PyObject* self) {
  bool is_root = PyUnicode_GET_LENGTH(cast(self)->prefix) == 0;
  return PyUnicode_FromFormat(is_root ? "<byname.Namespace%U>" : "<byname.Namespace %U>", cast(self)->prefix);
}

PyObject* namespace_reduce(PyObject* self, PyObject*) {
  PyRef native(PyImport_ImportModule("byname._native"));
  PyRef make(native ? PyObject_GetAttrString(native.get(), "namespace") : nullptr);
  PyObject* module = cast(self)->module != nullptr ? cast(self)->module : Py_None;
  return make ? Py_BuildValue("(O(OO))", make.get(), cast(self)->prefix, module) : nullptr;
}

PyObject* namespace_richcompare(PyObject* a, PyObject* b, int op) {
  if ((op != Py_EQ && op != Py_NE) || Py_TYPE(b) != &NamespaceType) Py_RETURN_NOTIMPLEMENTED;
  int same = PyUnicode_Compare(cast(a)->prefix, cast(b)->prefix) == 0 && cast(a)->module == cast(b)->module;
  return PyBool_FromLong(same == (op == Py_EQ));
}

Py_hash_t namespace_hash(PyObject* self) { return PyObject_Hash(cast(self)->prefix); }

int namespace_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(cast(self)->module);
  Py_VISIT(cast(self)->below.known);
  return 0;
}

int namespace_clear(PyObject* self) {
  Py_CLEAR(cast(self)->module);
  Py_CLEAR(cast(self)->below.known);
  return 0;
}

void namespace_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (cast(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  namespace_clear(self);
  Py_CLEAR(cast(self)->prefix);
  Py_TYPE(self)->tp_free(self);
}

PyMethodDef namespace_methods[] = {
    {"__dir__", &namespace_dir, METH_NOARGS, nullptr}, {"__reduce__", &namespace_reduce, METH_NOARGS, nullptr}, {}};

}  // namespace

PyTypeObject NamespaceType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "byname.Namespace";
  type.tp_doc = "The names that begin alike; its attributes are what is registered below.";
  type.tp_basicsize = sizeof(NamespaceObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = &namespace_dealloc;
  type.tp_traverse = &namespace_traverse;
  type.tp_clear = &namespace_clear;
  type.tp_repr = &namespace_repr;
  type.tp_hash = &namespace_hash;
  type.tp_richcompare = &namespace_richcompare;
  type.tp_getattro = &namespace_getattro;
  type.tp_setattro = &refuse_to_set;
  type.tp_weaklistoffset = offsetof(NamespaceObject, weak_references);
  type.tp_methods = namespace_methods;
  return type;
}();

PyObject* make_namespace(PyObject* prefix, PyObject* module) {
  auto* self = cast(NamespaceType.tp_alloc(&NamespaceType, 0));
  if (self == nullptr) return nullptr;
  self->prefix = Py_NewRef(prefix);
  self->module = Py_XNewRef(module);
  return reinterpret_cast<PyObject*>(self);
}

int refuse_to_set(PyObject* self, PyObject* name, PyObject*) {
  PyErr_Format(PyExc_AttributeError,
               "'%s' object attribute '%U' is read-only (names come and go by byname.register and byname.remove)",
               Py_TYPE(self)->tp_name, name);
  return -1;
}

bool is_special_name(PyObject* name) {
  Py_ssize_t size = PyUnicode_GET_LENGTH(name);
  auto at = [name](Py_ssize_t i) { return PyUnicode_READ_CHAR(name, i); };
  return size > 4 && at(0) == '_' && at(1) == '_' && at(size - 1) == '_' && at(size - 2) == '_';
}

PyObject* name_below(byname_str prefix, PyObject* name, PyObject* module, NamesBelow* below) {
  if (!listen()) return nullptr;
  uint64_t version = table_version.load(std::memory_order_acquire);
  if (below->known == nullptr || below->version != version) {
    PyRef fresh(PyDict_New());
    if (!fresh) return nullptr;
    PyRef old(std::exchange(below->known, fresh.leak()));
    below->version = version;
  }
  PyRef known = PyRef::share(below->known);
  if (PyObject* found = PyDict_GetItemWithError(known.get(), name)) return Py_NewRef(found);
  byname_str part{};
  PyRef keep;
  if (PyErr_Occurred()) return nullptr;
  if (!encode_name(name, &part, &keep)) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
      PyErr_Format(PyExc_AttributeError, "expected a name in UTF-8, got %A", name);
    }
    return nullptr;
  }
  PyRef full(join(prefix, part));
  PyRef object(full ? resolve(bytes_text(full.get()), module) : nullptr);
  if (!object || PyDict_SetItem(known.get(), name, object.get()) != 0) return nullptr;
  return object.leak();
}

int load_plugins(byname_str name) {
  PyRef plugins(PyImport_ImportModule("byname._plugins"));
  PyRef text(plugins ? decode_name(name) : nullptr);
  PyRef found(text ? PyObject_CallMethod(plugins.get(), "load_for", "O", text.get()) : nullptr);
  if (found) return found.get() == Py_True ? 1 : 0;
  if (_Py_IsFinalizing() == 0) return -1;
  PyErr_Clear();  // there is nothing to import from any more
  return 0;
}

PyObject* get_anywhere(byname_str name) {
  return handle_of(name, [name] { return byname_find_attached(name); }, [name] { return byname_get(name); });
}

PyObject* get_of_module(byname_str name, PyObject* module) {
  byname_entry* entry;
  Py_BEGIN_ALLOW_THREADS;
  entry = byname_module_get(object_in(module), name);
  Py_END_ALLOW_THREADS;
  return entry == nullptr ? raise_error() : make_handle(entry);
}

PyObject* parts_below(byname_str prefix, PyObject* module) {
  PyRef begin(prefix.size == 0 ? PyBytes_FromStringAndSize("", 0) : join(prefix, {"", 0}));
  Value names;
  PyRef parts(PySet_New(nullptr));
  if (!begin || !parts || list_names(bytes_text(begin.get()), module, &names) != 0) return nullptr;
  byname_str before = bytes_text(begin.get());
  const auto* array = object_as<byname_array>(names.get());
  for (int64_t i = 0; i < array->size; ++i) {
    ListedName listed;
    if (!listed.read(array->data[i])) return nullptr;
    byname_str name = listed.text();
    if (!begins_with(name, before)) continue;
    const char* part = name.data + before.size;
    size_t rest = name.size - before.size;
    const auto* dot = static_cast<const char*>(std::memchr(part, '.', rest));
    size_t size = dot != nullptr ? static_cast<size_t>(dot - part) : rest;
    PyRef text(decode_name({part, size}));
    if (!text || PySet_Add(parts.get(), text.get()) != 0) return nullptr;
  }
  PyRef list(PySequence_List(parts.get()));
  if (!list || PyList_Sort(list.get()) != 0) return nullptr;
  return list.leak();
}

int init_namespace() { return PyType_Ready(&NamespaceType); }

}  // namespace byname::python
