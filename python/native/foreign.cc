// What the core may ask of opaque Python objects: to be a value of a wanted type.
#include <algorithm>

#include "callback.h"
#include "error.h"
#include "gil.h"
#include "number.h"
#include "numpy_array.h"
#include "opaque.h"
#include "tensor.h"
#include "to_value.h"

namespace byname::python {
namespace {

// 1 and a value, 0, or -1 with an exception.
int converted(int status) { return status == 0 ? 1 : -1; }

// An attribute of a class of a module that is imported already; NULL without an exception if it is not: then nobody has
// an object of the class.
PyRef imported_class(const char* module_name, const char* name) {
  PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), module_name);
  PyRef found(module != nullptr ? PyObject_GetAttrString(module, name) : nullptr);
  if (!found) PyErr_Clear();
  return found;
}

int is_instance(PyObject* object, const char* module_name, const char* name) {
  PyRef wanted = imported_class(module_name, name);
  return wanted ? PyObject_IsInstance(object, wanted.get()) : 0;
}

// An int. One beyond 64 bits can only be shown: it is a view that lasts until this thread's next one.
int from_int(PyObject* number, byname_any* out) {
  struct BigInt {
    byname_scalar scalar;
    char digits[128];  // more than anybody prints
  };
  static thread_local BigInt big;
  byname_any value{};
  Leftovers left;
  if (int_to_view(number, &value, &left) != 0) return -1;
  if (value.type_index == BYNAME_SCALAR_VIEW) {
    big.scalar = *value.as_scalar;
    byname_str& text = big.scalar.text;
    text.size = std::min(text.size, sizeof big.digits);
    text.data = static_cast<const char*>(std::memcpy(big.digits, text.data, text.size));
    value.as_scalar = &big.scalar;
  }
  *out = value;
  clean_up(nullptr, 0, &left);
  return 1;
}

int from_index(PyObject* object, byname_any* out) {
  if (!PyIndex_Check(object)) return 0;
  PyRef number(PyNumber_Index(object));
  return number ? from_int(number.get(), out) : -1;
}

// The value of a member of enum.Enum.
int from_enum(PyObject* object, byname_any* out) {
  int status = is_instance(object, "enum", "Enum");
  if (status <= 0) return status;
  PyRef value(PyObject_GetAttrString(object, "value"));
  if (!value) return -1;
  return PyLong_Check(value.get()) ? from_int(value.get(), out) : converted(to_owned(value.get(), out));
}

int to_int(PyObject* object, byname_any* out) {
  int status = from_index(object, out);
  return status != 0 ? status : from_enum(object, out);
}

int to_float(PyObject* object, uint8_t flags, byname_any* out) {
  if ((flags & BYNAME_TYPE_DURATION) != 0) {
    int status = is_instance(object, "datetime", "timedelta");
    if (status != 0) {
      PyRef seconds(status > 0 ? PyObject_CallMethod(object, "total_seconds", nullptr) : nullptr);
      return seconds ? converted(to_owned(seconds.get(), out)) : -1;
    }
  }
  return from_index(object, out);
}

int to_text(PyObject* object, uint8_t flags, byname_any* out) {
  if ((flags & BYNAME_TYPE_PATH) == 0) return from_enum(object, out);
  static PyObject* const name = PyUnicode_InternFromString("__fspath__");
  if (type_attribute(Py_TYPE(object), name) == nullptr) return 0;
  PyRef path(PyOS_FSPath(object));
  PyRef encoded;
  byname_str text{};
  if (!path || !encode_name(path.get(), &text, &encoded)) return -1;
  return byname_string_new(text, out) == 0 ? 1 : raise_error_int();
}

int to_bytes(PyObject* object, byname_any* out) {
  if (!PyObject_CheckBuffer(object)) return 0;
  PyRef bytes(PyBytes_FromObject(object));
  return bytes ? converted(to_owned(bytes.get(), out)) : -1;
}

int to_tensor(PyObject* object, byname_any* out) {
  int status = tensor_of(object, out);
  return status != 0 ? status : tensor_of_buffer(object, out);
}

// Sequences, and for parameters that are sets also those, as lists.
int to_list(PyObject* object, uint8_t flags, byname_any* out) {
  int status = is_instance(object, "collections.abc", "Sequence");
  if (status == 0 && (flags & BYNAME_TYPE_SET) != 0) status = is_instance(object, "collections.abc", "Set");
  if (status <= 0) return status;
  PyRef list(PySequence_List(object));
  return list ? converted(to_owned(list.get(), out)) : -1;
}

int to_dict(PyObject* object, byname_any* out) {
  int status = is_instance(object, "collections.abc", "Mapping");
  if (status <= 0) return status;
  PyRef dict(PyDict_New());
  if (!dict || PyDict_Update(dict.get(), object) != 0) return -1;
  return converted(to_owned(dict.get(), out));
}

// NumPy describes element types by objects and by the classes of its scalars: numpy.dtype("int16"), numpy.int16.
int to_dtype(PyObject* object, byname_any* out) {
  PyRef dtype_class = imported_class("numpy", "dtype");
  if (!dtype_class) return 0;
  PyRef dtype(is_scalar_class(object) ? PyObject_CallOneArg(dtype_class.get(), object) : Py_NewRef(object));
  if (!dtype) PyErr_Clear();  // numpy.floating and the like: no one type
  if (!dtype || PyObject_IsInstance(dtype.get(), dtype_class.get()) <= 0) return 0;
  PyRef native(PyObject_GetAttrString(dtype.get(), "isnative"));
  if (!native) return -1;
  if (native.get() != Py_True) return 0;  // its name is that of another one
  PyRef name(PyObject_GetAttrString(dtype.get(), "name"));
  return name ? converted(to_owned(name.get(), out)) : -1;
}

// A class of scalars, which passed as no function because it is a dtype, too.
int to_function(PyObject* object, byname_any* out) {
  return is_scalar_class(object) ? converted(function_of_callable(object, out)) : 0;
}

int convert(PyObject* object, const byname_type& wanted, byname_any* out) {
  switch (wanted.kind) {
    case BYNAME_KIND_INT:
    case BYNAME_KIND_SYMINT:
      return to_int(object, out);
    case BYNAME_KIND_FLOAT:
      return to_float(object, wanted.flags, out);
    case BYNAME_KIND_SCALAR:
      return from_index(object, out);
    case BYNAME_KIND_STR:
      return to_text(object, wanted.flags, out);
    case BYNAME_KIND_BYTES:
      return to_bytes(object, out);
    case BYNAME_KIND_TENSOR:
      return to_tensor(object, out);
    case BYNAME_KIND_LIST:
    case BYNAME_KIND_TUPLE:
    case BYNAME_KIND_SHAPE:
      return to_list(object, wanted.flags, out);
    case BYNAME_KIND_DICT:
      return to_dict(object, out);
    case BYNAME_KIND_DTYPE:
      return to_dtype(object, out);
    case BYNAME_KIND_FUNCTION:
      return to_function(object, out);
    default:
      return 0;
  }
}

int on_convert(void*, const byname_py_object* object, const byname_type* wanted, byname_any* out) {
  PyObject* content = opaque_content(&object->header);
  if (content == nullptr) return 0;
  GilScope scope;
  if (!scope) return 0;
  KeepException keep;
  int status = convert(content, *wanted, out);
  return status < 0 ? raise_exception() : status;
}

}  // namespace

void set_foreign_converter() { byname_foreign_converter_set(&on_convert, nullptr); }

}  // namespace byname::python
