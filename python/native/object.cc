#include "object.h"

#include "error.h"
#include "module.h"

namespace byname::python {
namespace {

// Objects that other runtimes allocated have no place for a twin: address → address of the Python object, which keeps
// the entry true by living as long.
PyObject* foreign_twins = nullptr;

PyObject* address_key(const void* address) { return PyLong_FromVoidPtr(const_cast<void*>(address)); }

PyObject* find_foreign_twin(const byname_object* object) {
  PyRef key(address_key(object));
  PyObject* found = key ? PyDict_GetItemWithError(foreign_twins, key.get()) : nullptr;
  if (found == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  return Py_NewRef(static_cast<PyObject*>(PyLong_AsVoidPtr(found)));
}

PyTypeObject* type_of(const byname_object* object) {
  switch (object->type_index) {
    case BYNAME_TENSOR:
      return &TensorType;
    case BYNAME_MODULE:
      return &ModuleType;
    default:
      return &ObjectType;
  }
}

byname_str type_key(const byname_object* object) {
  byname_any value = object_value(const_cast<byname_object*>(object));
  return byname_any_type_name(&value);
}

PyObject* object_repr(PyObject* self) {
  PyRef key(decode_name(type_key(object_in(self))));
  return key ? PyUnicode_FromFormat("<%U object at %p>", key.get(), object_in(self)) : nullptr;
}

PyObject* object_type_key(PyObject* self, void*) { return decode_name(type_key(object_in(self))); }

PyObject* object_refuse_reduce(PyObject* self, PyObject*) {
  PyRef key(decode_name(type_key(object_in(self))));
  return key ? PyErr_Format(PyExc_TypeError, "a %U object cannot be pickled", key.get()) : nullptr;
}

PyMethodDef object_methods[] = {{"__reduce__", &object_refuse_reduce, METH_NOARGS, nullptr}, {}};

PyGetSetDef object_properties[] = {
    {"type_key", &object_type_key, nullptr, "The key of the object's type, as 'ast.Add'.", nullptr}, {}};

}  // namespace

PyTypeObject ObjectType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "byname.Object";
  type.tp_doc = "An object of C++. The same object of C++ is the same object here, while anybody holds it here.";
  type.tp_basicsize = sizeof(ObjectObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = &object_dealloc;
  type.tp_repr = &object_repr;
  type.tp_weaklistoffset = offsetof(ObjectObject, weak_references);
  type.tp_methods = object_methods;
  type.tp_getset = object_properties;
  return type;
}();

PyObject* find_twin(const byname_object* object) {
  if (BYNAME_UNLIKELY(!byname_is_own(object))) return find_foreign_twin(object);
  return Py_XNewRef(static_cast<PyObject*>(byname_object_prefix(object)->twin));
}

int set_twin(byname_object* object, PyObject* self) {
  if (BYNAME_LIKELY(byname_is_own(object))) {
    byname_object_prefix(object)->twin = self;
    return 0;
  }
  PyRef key(address_key(object));
  PyRef address(address_key(self));
  return key && address ? PyDict_SetItem(foreign_twins, key.get(), address.get()) : -1;
}

void forget_twin(byname_object* object, PyObject* self) {
  if (BYNAME_LIKELY(byname_is_own(object))) {
    byname_prefix* prefix = byname_object_prefix(object);
    if (prefix->twin == self) prefix->twin = nullptr;
    return;
  }
  KeepException keep;
  PyRef key(address_key(object));
  if (!key || PyDict_DelItem(foreign_twins, key.get()) != 0) PyErr_Clear();
}

PyObject* wrap_object(byname_object* owned) {
  if (PyObject* twin = find_twin(owned)) {
    byname_object_release(owned);
    return twin;
  }
  PyTypeObject* type = type_of(owned);
  auto* self = reinterpret_cast<ObjectObject*>(type->tp_alloc(type, 0));
  if (self == nullptr) {
    byname_object_release(owned);
    return nullptr;
  }
  self->object = owned;
  auto* made = reinterpret_cast<PyObject*>(self);
  if (set_twin(owned, made) == 0) return made;
  Py_DECREF(made);
  return nullptr;
}

void object_dealloc(PyObject* object) {
  auto* self = reinterpret_cast<ObjectObject*>(object);
  if (self->weak_references != nullptr) PyObject_ClearWeakRefs(object);
  if (self->object != nullptr) {
    forget_twin(self->object, object);
    byname_object_release(self->object);
  }
  Py_TYPE(object)->tp_free(object);
}

int init_object() {
  foreign_twins = PyDict_New();
  if (foreign_twins == nullptr) return -1;
  return PyType_Ready(&ObjectType);
}

}  // namespace byname::python
