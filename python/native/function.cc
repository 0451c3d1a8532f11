#include "function.h"

#include "callback.h"
#include "direct.h"
#include "error.h"
#include "object.h"

namespace byname::python {
namespace {

FunctionObject* cast(PyObject* self) { return reinterpret_cast<FunctionObject*>(self); }

FunctionObject* allocate() { return reinterpret_cast<FunctionObject*>(FunctionType.tp_alloc(&FunctionType, 0)); }

// What a Function whose garbage was collected does, if another piece of that garbage calls it.
PyObject* call_collected(PyObject*, PyObject* const*, size_t, PyObject*) {
  PyErr_SetString(PyExc_ReferenceError, "the function was collected as garbage");
  return nullptr;
}

// The function made of a Python callable lives as long as somebody in C++ wants it: the callable stands for it then.
void drop_value(FunctionObject* self) {
  byname_function* value = std::exchange(self->value, nullptr);
  if (value == nullptr) return;
  forget_twin(&value->header, reinterpret_cast<PyObject*>(self));
  if (self->callable != nullptr) set_twin(&value->header, std::exchange(self->callable, nullptr));
  self->vectorcall = &call_collected;
  byname_object_release(&value->header);
}

int function_traverse(PyObject* object, visitproc visit, void* arg) {
  FunctionObject* self = cast(object);
  Py_VISIT(self->below.known);
  // A function that nobody else holds holds its callable for this object alone.
  if (self->callable != nullptr) {
    uint64_t counts = __atomic_load_n(&self->value->header.counts, __ATOMIC_ACQUIRE);
    if (static_cast<uint32_t>(counts) == 1) Py_VISIT(self->callable);
  }
  return 0;
}

int function_clear(PyObject* object) {
  Py_CLEAR(cast(object)->below.known);
  if (cast(object)->callable != nullptr) drop_value(cast(object));
  return 0;
}

void function_dealloc(PyObject* object) {
  FunctionObject* self = cast(object);
  PyObject_GC_UnTrack(object);
  if (self->weak_references != nullptr) PyObject_ClearWeakRefs(object);
  Py_CLEAR(self->below.known);
  drop_value(self);
  learn_parameters(self, nullptr);
  Py_TYPE(object)->tp_free(object);
}

PyObject* function_getattro(PyObject* object, PyObject* name) {
  if (type_attribute(Py_TYPE(object), name) != nullptr) return PyObject_GenericGetAttr(object, name);
  if (PyUnicode_CompareWithASCIIString(name, "__signature__") == 0) return function_signature(object);
  const byname_entry* entry = cast(object)->entry;
  if (entry == nullptr || is_special_name(name)) return PyObject_GenericGetAttr(object, name);
  return name_below({entry->name, entry->name_size}, name, nullptr, &cast(object)->below);
}

const void* identity(PyObject* self) {
  return cast(self)->entry != nullptr ? static_cast<const void*>(cast(self)->entry) : cast(self)->value;
}

PyObject* function_richcompare(PyObject* a, PyObject* b, int op) {
  if ((op != Py_EQ && op != Py_NE) || Py_TYPE(b) != &FunctionType) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((identity(a) == identity(b)) == (op == Py_EQ));
}

Py_hash_t function_hash(PyObject* self) { return _Py_HashPointer(identity(self)); }

// A function that is an attribute of a class is no method of it, as builtin functions are none. That there is a __get__
// makes help() show it as the routine that it is.
PyObject* function_descr_get(PyObject* self, PyObject*, PyObject*) { return Py_NewRef(self); }

}  // namespace

PyTypeObject FunctionType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "byname.Function";
  type.tp_doc =
      "Function(callable, /)\n--\n\n"
      "A function of Byname. One that came by its name follows that name: it calls what is registered now.";
  type.tp_basicsize = sizeof(FunctionObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL;
  type.tp_new = &function_new;
  type.tp_dealloc = &function_dealloc;
  type.tp_traverse = &function_traverse;
  type.tp_clear = &function_clear;
  type.tp_repr = &function_repr;
  type.tp_call = &PyVectorcall_Call;
  type.tp_vectorcall_offset = offsetof(FunctionObject, vectorcall);
  type.tp_weaklistoffset = offsetof(FunctionObject, weak_references);
  type.tp_getattro = &function_getattro;
  type.tp_setattro = &refuse_to_set;
  type.tp_richcompare = &function_richcompare;
  type.tp_hash = &function_hash;
  type.tp_descr_get = &function_descr_get;
  type.tp_methods = function_methods;
  type.tp_getset = function_properties;
  return type;
}();

PyObject* make_handle(byname_entry* entry) {
  FunctionObject* self = allocate();
  if (self == nullptr) return nullptr;
  self->entry = entry;
  choose_call(self);
  return reinterpret_cast<PyObject*>(self);
}

PyObject* wrap_function(byname_object* owned) {
  bool is_own = byname_is_own(owned);
  if (PyObject* twin = is_own ? find_twin(owned) : nullptr) {
    byname_object_release(owned);
    return twin;
  }
  FunctionObject* self = allocate();
  if (self == nullptr) {
    byname_object_release(owned);
    return nullptr;
  }
  self->value = reinterpret_cast<byname_function*>(owned);
  self->vectorcall = &call_value;
  if (is_own) set_twin(owned, reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

PyObject* function_new(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  if (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "Function() takes no keyword arguments");
    return nullptr;
  }
  PyObject* callable;
  if (!PyArg_ParseTuple(arguments, "O:Function", &callable)) return nullptr;
  if (Py_TYPE(callable) == &FunctionType) return Py_NewRef(callable);
  if (PyCallable_Check(callable) == 0) {
    return PyErr_Format(PyExc_TypeError, "expected a callable, got %s", Py_TYPE(callable)->tp_name);
  }
  byname_any value{};
  if (function_of_callable(callable, &value) != 0) return nullptr;
  forget_twin(value.as_object, callable);
  PyObject* self = wrap_function(value.as_object);
  if (self != nullptr) cast(self)->callable = callable;
  return self;
}

PyObject* raise_error_of(const FunctionObject* self) {
  if (self->entry != nullptr) return raise_error({self->entry->name, self->entry->name_size});
  return raise_error({nullptr, 0});
}

int value_of_function(PyObject* function, byname_any* out) {
  FunctionObject* self = cast(function);
  if (self->entry != nullptr) return byname_entry_pin(self->entry, out) == 0 ? 0 : raise_error_int();
  if (self->value == nullptr) {
    PyErr_SetString(PyExc_ReferenceError, "the function was collected as garbage");
    return -1;
  }
  byname_object_retain(&self->value->header);
  *out = object_value(&self->value->header);
  return 0;
}

int init_function() { return PyType_Ready(&FunctionType); }

}  // namespace byname::python
