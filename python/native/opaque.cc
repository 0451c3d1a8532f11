#include "opaque.h"

#include "error.h"
#include "gil.h"
#include "numpy_array.h"

namespace byname::python {
namespace {

byname_class* opaque_class = nullptr;

struct OpaqueObject {
  byname_py_object shared;
  PyObject* name_owner;  // keeps shared.type_name where it is; NULL if nothing need
};

void destroy(void* object) {
  auto* self = static_cast<OpaqueObject*>(object);
  drop_reference(static_cast<PyObject*>(self->shared.object));
  if (self->name_owner != nullptr) drop_reference(self->name_owner);
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

// Borrowed. A class that was made at run time goes some day, and when it is given another name, the old one does: that
// is the text of a str.
PyObject* owner_of_name(PyTypeObject* type) {
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return nullptr;
  PyObject* name = reinterpret_cast<PyHeapTypeObject*>(type)->ht_name;
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) PyErr_Clear();
  return text == type->tp_name ? name : reinterpret_cast<PyObject*>(type);
}

}  // namespace

int opaque_object(PyObject* content, byname_any* out) {
  PyRef words = array_words(content);
  void* memory = byname_object_allocate(opaque_class, 0);
  if (memory == nullptr) return raise_error_int();
  auto* made = static_cast<OpaqueObject*>(memory);
  const char* name = words ? PyUnicode_AsUTF8(words.get()) : Py_TYPE(content)->tp_name;
  made->name_owner = words ? words.leak() : Py_XNewRef(owner_of_name(Py_TYPE(content)));
  made->shared.object = Py_NewRef(content);
  made->shared.type_name = {name, std::strlen(name)};
  byname_object_init(made, BYNAME_PY_OBJECT);
  *out = object_value(&made->shared.header);
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
  decl.size = sizeof(OpaqueObject);
  decl.alignment = alignof(OpaqueObject);
  decl.destroy = &destroy;
  decl.dso = &extension_dso;
  return byname_class_register(&decl, &opaque_class) == 0 ? 0 : raise_error_int();
}

}  // namespace byname::python
