// Python functions under names of their own.
#include "callback.h"
#include "error.h"
#include "gil.h"
#include "to_python.h"

namespace byname::python {
namespace {

// What a registered function holds, as a tuple, which also owns the texts that the core does not copy.
enum ContextItem : Py_ssize_t { kCallable, kKeywordNames, kDoc, kFile, kContextSize };

PyObject* item(PyObject* context, ContextItem index) { return PyTuple_GET_ITEM(context, index); }

int call_registered(void* context, const byname_any* arguments, int32_t count, byname_any* result) {
  auto* items = static_cast<PyObject*>(context);
  PyObject* names = item(items, kKeywordNames);
  return call_python(item(items, kCallable), names != Py_None ? names : nullptr, arguments, count, result);
}

void drop_context(void* context) { drop_reference(static_cast<PyObject*>(context)); }

}  // namespace

PyObject* register_callable(PyObject*, PyObject* arguments) {
  PyObject* text;
  PyObject* callable;
  PyObject* keyword_names;
  PyObject* doc;
  PyObject* file;
  int line;
  if (!PyArg_ParseTuple(arguments, "OOOUO!i:register", &text, &callable, &keyword_names, &doc, &PyBytes_Type, &file,
                        &line)) {
    return nullptr;
  }
  byname_str name{};
  PyRef keep_name;
  Py_ssize_t doc_size;
  const char* doc_text = PyUnicode_AsUTF8AndSize(doc, &doc_size);
  if (doc_text == nullptr || !encode_name(text, &name, &keep_name)) return nullptr;
  PyRef context(PyTuple_Pack(kContextSize, callable, keyword_names, doc, file));
  if (!context) return nullptr;
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.text = name;
  definition.callback = &call_registered;
  definition.context = context.leak();
  definition.context_deleter = &drop_context;
  definition.doc = {doc_text, static_cast<size_t>(doc_size)};
  definition.file = PyBytes_AS_STRING(file);
  definition.line = line;
  definition.dso = &extension_dso;
  byname_registration* registration = nullptr;
  if (byname_register(&definition, &registration) != 0) return raise_error();
  byname_registration_keep(registration);
  Py_RETURN_NONE;
}

PyObject* describe_text(PyObject*, PyObject* text) {
  byname_str name{};
  PyRef keep_name;
  if (!encode_name(text, &name, &keep_name)) return nullptr;
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.text = name;
  definition.callback = &call_registered;  // which nobody does
  definition.dso = &extension_dso;
  Value function;
  Value map;
  if (byname_function_new(&definition, function.out()) != 0) return raise_error();
  return byname_function_describe(function.object(), map.out()) == 0 ? to_python(&map.get()) : raise_error();
}

}  // namespace byname::python
