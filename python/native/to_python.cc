#include "to_python.h"

#include "dtype.h"
#include "error.h"
#include "function.h"
#include "opaque.h"
#include "tensor.h"

namespace byname::python {
namespace {

// Arrays are lists, but as keys of dicts, and what such keys hold, tuples.
PyObject* convert(const byname_any* value, bool hashable);

class Recursion {
 public:
  Recursion() : entered_(Py_EnterRecursiveCall(" while converting a value to a Python object") == 0) {}
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
  ~Recursion() {
    if (entered_) Py_LeaveRecursiveCall();
  }
  explicit operator bool() const { return entered_; }

 private:
  bool entered_;
};

PyObject* list_of(const byname_array& array) {
  Recursion recursion;
  if (!recursion) return nullptr;
  PyRef list(PyList_New(array.size));
  if (!list) return nullptr;
  for (int64_t i = 0; i < array.size; ++i) {
    PyObject* item = convert(&array.data[i], false);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(list.get(), i, item);
  }
  return list.leak();
}

PyObject* tuple_of(const byname_array& array, bool hashable) {
  Recursion recursion;
  if (!recursion) return nullptr;
  PyRef tuple(PyTuple_New(array.size));
  if (!tuple) return nullptr;
  for (int64_t i = 0; i < array.size; ++i) {
    PyObject* item = convert(&array.data[i], hashable);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.leak();
}

PyObject* dict_of(const byname_object* map) {
  Recursion recursion;
  if (!recursion) return nullptr;
  PyRef dict(PyDict_New());
  if (!dict) return nullptr;
  size_t cursor = 0;
  const byname_any* key;
  const byname_any* value;
  while (byname_map_next(map, &cursor, &key, &value) != 0) {
    PyRef key_object(convert(key, true));
    PyRef item(key_object ? convert(value, false) : nullptr);
    if (!item || PyDict_SetItem(dict.get(), key_object.get(), item.get()) != 0) return nullptr;
  }
  return dict.leak();
}

PyObject* shape_of(const byname_shape& shape) {
  PyRef tuple(PyTuple_New(static_cast<Py_ssize_t>(shape.size)));
  if (!tuple) return nullptr;
  for (size_t i = 0; i < shape.size; ++i) {
    PyObject* item = PyLong_FromLongLong(shape.data[i]);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple.leak();
}

// Any number as Python's own; the width that a view knows is told by nothing in Python.
PyObject* scalar_of(const byname_scalar& scalar) {
  if (scalar.value.type_index != BYNAME_NONE) return convert(&scalar.value, false);
  PyRef digits(decode(scalar.text));
  // Of base 10, or 16 with a prefix that tells.
  return digits ? PyLong_FromUnicodeObject(digits.get(),
                                           scalar.text.size > 2 && std::memchr(scalar.text.data, 'x', 3) ? 0 : 10)
                : nullptr;
}

PyObject* device_text(byname_device device) {
  Value text;
  int status = byname_device_print(device, text.out());
  return text_result(status, text);
}

PyObject* bytes_of(byname_str bytes) {
  return PyBytes_FromStringAndSize(bytes.data, static_cast<Py_ssize_t>(bytes.size));
}

PyObject* share_object(byname_object* object) {
  if (object->type_index == BYNAME_FUNCTION) {
    byname_object_retain(object);
    return wrap_function(object);
  }
  if (PyObject* content = opaque_content(object)) return Py_NewRef(content);
  if (PyObject* twin = find_twin(object)) return twin;
  byname_object_retain(object);
  return wrap_object(object);
}

// The tensor of a borrowed description may not be kept, so it is copied.
PyObject* dl_tensor_of(const byname_dl_tensor& tensor) {
  Value copied;
  return copy_tensor(tensor, copied.out()) == 0 ? wrap_object(copied.leak().as_object) : nullptr;
}

PyObject* convert_object(const byname_any* value, bool hashable) {
  switch (value->type_index) {
    case BYNAME_STR:
      return decode(object_as<byname_string>(*value)->text);
    case BYNAME_BYTES:
      return bytes_of(object_as<byname_string>(*value)->text);
    case BYNAME_ERROR:
      return exception_of(value->as_object);
    case BYNAME_SHAPE:
      return shape_of(*object_as<byname_shape>(*value));
    case BYNAME_ARRAY:
      return hashable ? tuple_of(*object_as<byname_array>(*value), true) : list_of(*object_as<byname_array>(*value));
    case BYNAME_TUPLE:
      return tuple_of(*object_as<byname_array>(*value), hashable);
    case BYNAME_MAP:
      return dict_of(value->as_object);
    case BYNAME_COMPLEX: {
      const auto* complex = object_as<byname_complex>(*value);
      return PyComplex_FromDoubles(complex->real, complex->imag);
    }
    default:
      return share_object(value->as_object);
  }
}

PyObject* convert(const byname_any* value, bool hashable) {
  byname_str text;
  switch (value->type_index) {
    case BYNAME_NONE:
      return Py_NewRef(Py_None);
    case BYNAME_INT:
      return PyLong_FromLongLong(value->as_int);
    case BYNAME_BOOL:
      return PyBool_FromLong(value->as_int != 0);
    case BYNAME_FLOAT:
      return PyFloat_FromDouble(value->as_float);
    case BYNAME_UINT:
      return PyLong_FromUnsignedLongLong(value->as_uint);
    case BYNAME_POINTER:
      return PyLong_FromVoidPtr(value->as_pointer);
    case BYNAME_DTYPE:
      return dtype_text(value->as_dtype);
    case BYNAME_DEVICE:
      return device_text(value->as_device);
    case BYNAME_DL_TENSOR:
      return dl_tensor_of(*value->as_dl_tensor);
    case BYNAME_SMALL_STR:
    case BYNAME_STR_VIEW:
    case BYNAME_CHARS:
      byname_any_text(value, &text);
      return decode(text);
    case BYNAME_SMALL_BYTES:
    case BYNAME_BYTE_VIEW:
      byname_any_bytes(value, &text);
      return bytes_of(text);
    case BYNAME_SCALAR_VIEW:
      return scalar_of(*value->as_scalar);
    default:
      break;
  }
  if (value->type_index >= BYNAME_OBJECT) return convert_object(value, hashable);
  return PyErr_Format(PyExc_TypeError, "a value of type %d has no form in Python", static_cast<int>(value->type_index));
}

}  // namespace

PyObject* to_python_slow(const byname_any* value) { return convert(value, false); }

PyObject* take_value_slow(byname_any value) {
  if (value.type_index < BYNAME_OBJECT) return convert(&value, false);
  // What has a wrapper gives its reference to that.
  if (value.type_index == BYNAME_FUNCTION) return wrap_function(value.as_object);
  bool is_wrapped =
      value.type_index == BYNAME_TENSOR || value.type_index == BYNAME_MODULE || value.type_index >= BYNAME_FIRST_FREE;
  if (is_wrapped) return wrap_object(value.as_object);
  PyObject* object = convert_object(&value, false);
  byname_object_release(value.as_object);
  return object;
}

}  // namespace byname::python
