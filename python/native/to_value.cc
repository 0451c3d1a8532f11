#include "to_value.h"

#include "callback.h"
#include "error.h"
#include "function.h"
#include "number.h"
#include "numpy_array.h"
#include "object.h"
#include "opaque.h"
#include "tensor.h"

namespace byname::python {
namespace {

// Values that are dropped at the end, in memory that was asked for once.
class Values {
 public:
  explicit Values(Py_ssize_t capacity)
      : data_(capacity <= kInline
                  ? inline_
                  : static_cast<byname_any*>(PyMem_Malloc(static_cast<size_t>(capacity) * sizeof(byname_any)))) {
    if (data_ == nullptr) PyErr_NoMemory();
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() {
    for (size_t i = 0; i < size_; ++i) byname_any_drop(&data_[i]);
    if (data_ != inline_) PyMem_Free(data_);
  }
  explicit operator bool() const { return data_ != nullptr; }
  bool push(PyObject* object) {
    if (to_owned(object, &data_[size_]) != 0) return false;
    ++size_;
    return true;
  }
  const byname_any* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  static constexpr Py_ssize_t kInline = 16;
  byname_any inline_[kInline];
  byname_any* data_;
  size_t size_ = 0;
};

int check_status(int status) { return status == 0 ? 0 : raise_error_int(); }

// A list may change while its items are converted: they may be objects with Python code.
int list_to_array(PyObject* list, byname_any* value) {
  Py_ssize_t size = PyList_GET_SIZE(list);
  Values items(size);
  if (!items) return -1;
  for (Py_ssize_t i = 0; i < size && i < PyList_GET_SIZE(list); ++i) {
    PyRef item = PyRef::share(PyList_GET_ITEM(list, i));
    if (!items.push(item.get())) return -1;
  }
  return check_status(byname_array_new(items.data(), items.size(), value));
}

int tuple_to_tuple(PyObject* tuple, byname_any* value) {
  Py_ssize_t size = PyTuple_GET_SIZE(tuple);
  Values items(size);
  if (!items) return -1;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (!items.push(PyTuple_GET_ITEM(tuple, i))) return -1;
  }
  return check_status(byname_tuple_new(items.data(), items.size(), value));
}

int set_to_array(PyObject* set, byname_any* value) {
  PyRef list(PySequence_List(set));
  return list ? list_to_array(list.get(), value) : -1;
}

int dict_to_map(PyObject* dict, byname_any* value) {
  // The pairs first: converting may run Python code, which may change the dict.
  PyRef pairs(PyDict_Items(dict));
  if (!pairs) return -1;
  Value map;
  Py_ssize_t size = PyList_GET_SIZE(pairs.get());
  if (byname_map_new(static_cast<size_t>(size), map.out()) != 0) return raise_error_int();
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* pair = PyList_GET_ITEM(pairs.get(), i);
    Value key;
    Value item;
    if (to_owned(PyTuple_GET_ITEM(pair, 0), key.out()) != 0 || to_owned(PyTuple_GET_ITEM(pair, 1), item.out()) != 0)
      return -1;
    if (byname_map_put(map.object(), &key.get(), &item.get()) != 0) return raise_error_int();
  }
  *value = map.leak();
  return 0;
}

int container_to_value(PyObject* object, int (*convert)(PyObject*, byname_any*), byname_any* value, Leftovers* left) {
  if (Py_EnterRecursiveCall(" while converting a container to a value") != 0) return -1;
  int status = convert(object, value);
  Py_LeaveRecursiveCall();
  if (status == 0) left->has_objects = true;
  return status;
}

int text_to_view(PyObject* text, byname_any* value, byname_str* side) {
  Py_ssize_t size;
  const char* characters = PyUnicode_AsUTF8AndSize(text, &size);
  if (characters == nullptr) return -1;
  set_text(characters, size, value, side);
  return 0;
}

void set_bytes(const char* data, size_t size, byname_any* value, byname_str* side) {
  if (size <= kMaxSmallText) {
    *value = {BYNAME_SMALL_BYTES, static_cast<uint32_t>(size), {0}};
    value->as_uint = small_text(data, size);
    return;
  }
  *side = {data, size};
  *value = {BYNAME_BYTE_VIEW, 0, {0}};
  value->as_str = side;
}

bool is_plain_bytes(const Py_buffer& buffer) {
  return buffer.itemsize == 1 && buffer.ndim == 1 &&
         (buffer.format == nullptr || std::strcmp(buffer.format, "B") == 0 || std::strcmp(buffer.format, "b") == 0 ||
          std::strcmp(buffer.format, "c") == 0);
}

// bytearray, and memoryview of bytes: borrowed for the call, during which they cannot be resized. 0: has another form.
int buffer_to_view(PyObject* object, byname_any* value, Leftovers* left) {
  Keep* keep = keep_in(left);
  if (keep == nullptr) return -1;
  if (PyObject_GetBuffer(object, &keep->buffer, PyBUF_FORMAT | PyBUF_ND) != 0) {
    keep->buffer.obj = nullptr;
    PyErr_Clear();
    return 0;
  }
  if (!is_plain_bytes(keep->buffer)) return 0;
  set_bytes(static_cast<const char*>(keep->buffer.buf), static_cast<size_t>(keep->buffer.len), value, &keep->bytes);
  return 1;
}

int object_to_value(byname_object* object, byname_any* value, Leftovers* left) {
  byname_object_retain(object);
  *value = object_value(object);
  left->has_objects = true;
  return 0;
}

int objects_to_value(int status, Leftovers* left) {
  if (status == 0) left->has_objects = true;
  return status;
}

// Types by a flag that their subclasses have, too.
int flagged_to_view(PyObject* object, byname_any* value, byname_str* side, Leftovers* left) {
  unsigned long flags = Py_TYPE(object)->tp_flags;
  if (flags & Py_TPFLAGS_LONG_SUBCLASS) return int_to_view(object, value, left);
  if (flags & Py_TPFLAGS_UNICODE_SUBCLASS) return text_to_view(object, value, side);
  if (flags & Py_TPFLAGS_BYTES_SUBCLASS) {
    set_bytes(PyBytes_AS_STRING(object), static_cast<size_t>(PyBytes_GET_SIZE(object)), value, side);
    return 0;
  }
  if (flags & Py_TPFLAGS_LIST_SUBCLASS) return container_to_value(object, &list_to_array, value, left);
  if (flags & Py_TPFLAGS_TUPLE_SUBCLASS) return container_to_value(object, &tuple_to_tuple, value, left);
  if (flags & Py_TPFLAGS_DICT_SUBCLASS) return container_to_value(object, &dict_to_map, value, left);
  return objects_to_value(error_of(object, value), left);  // of an exception
}

constexpr unsigned long kFlagged = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS |
                                   Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS |
                                   Py_TPFLAGS_BASE_EXC_SUBCLASS;

PyObject* value_method() {
  static PyObject* const name = PyUnicode_InternFromString("__byname_value__");
  return name;
}

bool is_builtin_callable(PyTypeObject* type) {
  return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyCFunction_Type;
}

// The value that an object says it stands for.
int given_value(PyObject* object, byname_any* value) {
  PyRef given(PyObject_CallMethodNoArgs(object, value_method()));
  if (!given || Py_EnterRecursiveCall(" while asking an object for its value") != 0) return -1;
  int status = to_owned(given.get(), value);
  Py_LeaveRecursiveCall();
  return status;
}

// What is known by what it can do. Arrays before callables: some are both.
int capable_to_view(PyObject* object, byname_any* value, Leftovers* left) {
  PyTypeObject* type = Py_TYPE(object);
  if (!is_builtin_callable(type)) {
    if (type_attribute(type, value_method()) != nullptr) return objects_to_value(given_value(object, value), left);
    int status = numpy_scalar_to_view(object, value, left);
    if (status == 0) {
      status = tensor_of(object, value);
      if (status > 0) left->has_objects = true;
    }
    if (status != 0) return status < 0 ? -1 : 0;
  }
  // A class of scalars stays what it is until it is known whether a dtype or a function is wanted.
  if (type->tp_call != nullptr && !is_scalar_class(object))
    return objects_to_value(function_of_callable(object, value), left);
  return objects_to_value(opaque_object(object, value), left);
}

void free_keep(Keep* keep) {
  if (keep->buffer.obj != nullptr) PyBuffer_Release(&keep->buffer);
  Py_XDECREF(keep->text);
  PyMem_Free(keep);
}

}  // namespace

int to_view(PyObject* object, byname_any* value, byname_str* side, Leftovers* left) {
  if (to_plain_view(object, value, side)) return 0;
  PyTypeObject* type = Py_TYPE(object);
  *value = {};
  if (type == numpy_types.array) {
    int status = tensor_of_array(object, value);
    if (status == 0) return objects_to_value(opaque_object(object, value), left);
    left->has_objects = true;
    return status < 0 ? -1 : 0;
  }
  if (object == Py_None) return 0;
  if (type == &PyBool_Type) {
    *value = {BYNAME_BOOL, 0, {object == Py_True}};
    return 0;
  }
  if (type == &FunctionType) return objects_to_value(value_of_function(object, value), left);
  if (PyType_IsSubtype(type, &ObjectType)) return object_to_value(object_in(object), value, left);
  if (type->tp_flags & kFlagged) return flagged_to_view(object, value, side, left);
  if (PyFloat_Check(object)) {
    *value = {BYNAME_FLOAT, 0, {0}};
    value->as_float = PyFloat_AS_DOUBLE(object);
    return 0;
  }
  if (PyComplex_Check(object)) {
    Py_complex number = PyComplex_AsCComplex(object);
    return objects_to_value(check_status(byname_complex_new(number.real, number.imag, value)), left);
  }
  if (PyAnySet_Check(object)) return container_to_value(object, &set_to_array, value, left);
  if (PyByteArray_Check(object) || PyMemoryView_Check(object)) {
    int status = buffer_to_view(object, value, left);
    if (status != 0) return status < 0 ? -1 : 0;
    return objects_to_value(opaque_object(object, value), left);
  }
  return capable_to_view(object, value, left);
}

bool convert_rest(PyObject* const* arguments, Py_ssize_t begin, Py_ssize_t count, byname_any* values, byname_str* sides,
                  Leftovers* left) {
  for (Py_ssize_t i = begin; i < count; ++i) {
    if (BYNAME_LIKELY(to_view(arguments[i], &values[i], &sides[i], left) == 0)) continue;
    clean_up(values, i, left);
    return false;
  }
  return true;
}

void clean_up(byname_any* values, Py_ssize_t size, Leftovers* left) {
  if (left->has_objects) {
    for (Py_ssize_t i = 0; i < size; ++i) byname_any_drop(&values[i]);
  }
  while (left->keeps != nullptr) free_keep(std::exchange(left->keeps, left->keeps->next));
}

int to_owned(PyObject* object, byname_any* out) {
  byname_str side;
  Leftovers left;
  byname_any value{};
  int status = to_view(object, &value, &side, &left);
  bool is_view =
      (value.type_index >= BYNAME_STR_VIEW && value.type_index < BYNAME_OBJECT) || value.type_index == BYNAME_BYTE_VIEW;
  if (status == 0 && is_view) {
    status = byname_any_copy(&value, out) == 0 ? 0 : raise_error_int();
  } else if (status == 0) {
    *out = value;
  }
  while (left.keeps != nullptr) free_keep(std::exchange(left.keeps, left.keeps->next));
  return status;
}

}  // namespace byname::python
