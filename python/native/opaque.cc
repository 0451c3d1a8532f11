#include "opaque.h"

#include "error.h"
#include "gil.h"

namespace byname::python {
namespace {

byname_class* opaque_class = nullptr;

void destroy(void* object) { drop_reference(static_cast<PyObject*>(static_cast<byname_py_object*>(object)->object)); }

}  // namespace

int opaque_object(PyObject* content, byname_any* out) {
  void* memory = byname_object_allocate(opaque_class, 0);
  if (memory == nullptr) return raise_error_int();
  auto* made = static_cast<byname_py_object*>(memory);
  const char* name = Py_TYPE(content)->tp_name;
  made->object = Py_NewRef(content);
  made->type_name = {name, std::strlen(name)};
  byname_object_init(made, BYNAME_PY_OBJECT);
  *out = object_value(&made->header);
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
  decl.size = sizeof(byname_py_object);
  decl.alignment = alignof(byname_py_object);
  decl.destroy = &destroy;
  decl.dso = &extension_dso;
  return byname_class_register(&decl, &opaque_class) == 0 ? 0 : raise_error_int();
}

}  // namespace byname::python
