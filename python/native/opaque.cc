#include "opaque.h"

#include "error.h"
#include "gil.h"
#include "numpy_array.h"

namespace byname::python {
namespace {

byname_class* opaque_class = nullptr;

struct Opaque {
  byname_py_object head;
  PyObject* words;  // what head.type_name shows, or NULL: the name of the type
};

void destroy(void* object) {
  auto* opaque = static_cast<Opaque*>(object);
  drop_reference(static_cast<PyObject*>(opaque->head.object));
  if (opaque->words != nullptr) drop_reference(opaque->words);
}

// What keeps an array from being a tensor; null, without an exception, of what is no array.
PyRef array_words(PyObject* content) {
  if (numpy_types.array == nullptr || !PyType_IsSubtype(Py_TYPE(content), numpy_types.array)) return {};
  PyRef numpy_dtype(PyObject_GetAttrString(content, "dtype"));
  byname_dtype dtype;
  PyRef words;
  if (numpy_dtype && !known_dtype(numpy_dtype.get(), &dtype)) {
    words = PyRef(PyUnicode_FromFormat("%s of dtype '%S'", Py_TYPE(content)->tp_name, numpy_dtype.get()));
  } else if (PyRef strides{numpy_dtype ? PyObject_GetAttrString(content, "strides") : nullptr}) {
    words = PyRef(PyUnicode_FromFormat("%s of dtype '%S' and strides of %S bytes", Py_TYPE(content)->tp_name,
                                       numpy_dtype.get(), strides.get()));
  }
  if (words && PyUnicode_AsUTF8(words.get()) != nullptr) return words;
  PyErr_Clear();
  return {};
}

}  // namespace

int opaque_object(PyObject* content, byname_any* out) {
  PyRef words = array_words(content);
  auto* made = static_cast<Opaque*>(byname_object_allocate(opaque_class, 0));
  if (made == nullptr) return raise_error_int();
  const char* name = words ? PyUnicode_AsUTF8(words.get()) : Py_TYPE(content)->tp_name;
  made->head.object = Py_NewRef(content);
  made->head.type_name = {name, std::strlen(name)};
  made->words = words.leak();
  byname_object_init(made, BYNAME_PY_OBJECT);
  *out = object_value(&made->head.header);
  return 0;
}

PyObject* opaque_content(const byname_object* object) {
  if (object == nullptr || object->type_index != BYNAME_PY_OBJECT || !byname_is_own(object)) return nullptr;
  if (byname_object_prefix(object)->owner != opaque_class) return nullptr;
  return static_cast<PyObject*>(reinterpret_cast<const byname_py_object*>(object)->object);
}

int init_opaque() {
  byname_class_decl decl{};
  decl.struct_size = sizeof decl;
  decl.type_index = BYNAME_PY_OBJECT;
  decl.size = sizeof(Opaque);
  decl.alignment = alignof(Opaque);
  decl.destroy = &destroy;
  decl.dso = &extension_dso;
  return byname_class_register(&decl, &opaque_class) == 0 ? 0 : raise_error_int();
}

}  // namespace byname::python
