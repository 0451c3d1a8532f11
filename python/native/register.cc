// Python functions under names of their own.
#include "callback.h"
#include "error.h"
#include "gil.h"
#include "to_value.h"

namespace byname::python {
namespace {

// What a registered function holds, as a tuple, which also owns the texts that the core does not copy.
enum ContextItem : Py_ssize_t { kCallable, kKeywordNames, kDoc, kFile, kParameters, kSignature, kContextSize };

PyObject* item(PyObject* context, ContextItem index) { return PyTuple_GET_ITEM(context, index); }

int call_registered(void* context, const byname_any* arguments, int32_t count, byname_any* result) {
  auto* items = static_cast<PyObject*>(context);
  PyObject* names = item(items, kKeywordNames);
  return call_python(item(items, kCallable), names != Py_None ? names : nullptr, arguments, count, result);
}

void drop_context(void* context) { drop_reference(static_cast<PyObject*>(context)); }

// A function with parameters of any type and defaults that no schema can write has a signature made for it; its context
// is its closure.
int call_closure(void* self, const byname_any* arguments, int32_t count, byname_any* result) {
  void* closure = byname_function_closure(static_cast<byname_function*>(self));
  return call_registered(*static_cast<PyObject**>(closure), arguments, count, result);
}

void move_closure(void* to, void* from) {
  *static_cast<PyObject**>(to) = std::exchange(*static_cast<PyObject**>(from), nullptr);
}

void destroy_closure(void* closure) { drop_reference(*static_cast<PyObject**>(closure)); }

constexpr byname_type kAny = {BYNAME_KIND_ANY, 0, 0, 0, 0, -1, nullptr, {nullptr, 0}, nullptr, nullptr, nullptr};

// A signature record of `size` parameters in a bytes object.
PyObject* make_signature(Py_ssize_t size) {
  size_t bytes = sizeof(byname_signature) + static_cast<size_t>(size) * sizeof(byname_type*);
  PyObject* memory = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes));
  if (memory == nullptr) return nullptr;
  auto* signature = reinterpret_cast<byname_signature*>(PyBytes_AS_STRING(memory));
  auto** parameters = reinterpret_cast<const byname_type**>(signature + 1);
  for (Py_ssize_t i = 0; i < size; ++i) parameters[i] = &kAny;
  *signature = {sizeof(byname_signature), static_cast<int32_t>(size), parameters, &kAny, &call_closure, nullptr, nullptr};
  return memory;
}

// One of (name, keyword_only, default), or without the default.
bool read_parameter(PyObject* description, byname_parameter* out) {
  PyObject* name;
  int keyword_only;
  PyObject* default_value = nullptr;
  if (!PyArg_ParseTuple(description, "Up|O", &name, &keyword_only, &default_value)) return false;
  Py_ssize_t size;
  const char* text = PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr) return false;
  *out = {{text, static_cast<size_t>(size)}, {}, 0, static_cast<uint8_t>(keyword_only)};
  if (default_value == nullptr) return true;
  out->has_default = 1;
  return to_owned(default_value, &out->default_value) == 0;
}

class Parameters {
 public:
  Parameters() = default;
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;
  ~Parameters() {
    for (Py_ssize_t i = 0; i < size_; ++i) byname_any_drop(&data_[i].default_value);
    PyMem_Free(data_);
  }
  bool read(PyObject* descriptions) {
    data_ = PyMem_New(byname_parameter, static_cast<size_t>(PyTuple_GET_SIZE(descriptions)));
    if (data_ == nullptr) PyErr_NoMemory();
    for (; data_ != nullptr && size_ < PyTuple_GET_SIZE(descriptions); ++size_) {
      if (!read_parameter(PyTuple_GET_ITEM(descriptions, size_), &data_[size_])) return false;
    }
    return data_ != nullptr;
  }
  const byname_parameter* data() const { return data_; }
  Py_ssize_t size() const { return size_; }

 private:
  byname_parameter* data_ = nullptr;
  Py_ssize_t size_ = 0;
};

int keep_registered(const byname_definition& definition) {
  byname_registration* registration = nullptr;
  if (byname_register(&definition, &registration) != 0) return raise_error_int();
  byname_registration_keep(registration);
  return 0;
}

int register_with_schema(byname_definition definition, PyObject* context) {
  definition.callback = &call_registered;
  definition.context = Py_NewRef(context);
  definition.context_deleter = &drop_context;
  return keep_registered(definition);
}

int register_with_parameters(byname_definition definition, PyObject* context) {
  Parameters parameters;
  if (!parameters.read(item(context, kParameters))) return -1;
  PyObject* closure = Py_NewRef(context);
  definition.signature = reinterpret_cast<byname_signature*>(PyBytes_AS_STRING(item(context, kSignature)));
  definition.parameters = parameters.data();
  definition.num_parameters = static_cast<size_t>(parameters.size());
  definition.closure_size = sizeof closure;
  definition.closure_alignment = alignof(PyObject*);
  definition.closure_move = &move_closure;
  definition.closure_destroy = &destroy_closure;
  definition.closure = &closure;
  int status = keep_registered(definition);
  Py_XDECREF(closure);
  return status;
}

}  // namespace

PyObject* register_callable(PyObject*, PyObject* arguments) {
  PyObject* text;
  PyObject* callable;
  PyObject* parameters;
  PyObject* keyword_names;
  PyObject* doc;
  PyObject* file;
  int line;
  if (!PyArg_ParseTuple(arguments, "OOOOUO!i:register", &text, &callable, &parameters, &keyword_names, &doc, &PyBytes_Type,
                        &file, &line)) {
    return nullptr;
  }
  bool has_parameters = parameters != Py_None;
  byname_str name{};
  PyRef keep_name;
  Py_ssize_t doc_size;
  const char* doc_text = PyUnicode_AsUTF8AndSize(doc, &doc_size);
  if (doc_text == nullptr || !encode_name(text, &name, &keep_name)) return nullptr;
  PyRef signature(has_parameters ? make_signature(PyTuple_GET_SIZE(parameters)) : Py_NewRef(Py_None));
  if (!signature) return nullptr;
  PyRef context(PyTuple_Pack(kContextSize, callable, keyword_names, doc, file, parameters, signature.get()));
  if (!context) return nullptr;
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.text = name;
  definition.doc = {doc_text, static_cast<size_t>(doc_size)};
  definition.file = PyBytes_AS_STRING(file);
  definition.line = line;
  definition.dso = &extension_dso;
  int status = has_parameters ? register_with_parameters(definition, context.get())
                              : register_with_schema(definition, context.get());
  return status == 0 ? Py_NewRef(Py_None) : nullptr;
}

}  // namespace byname::python
