#include "number.h"

#include <cmath>
#include <limits>

#include "dtype.h"
#include "error.h"
#include "numpy_array.h"

namespace byname::python {
namespace {

// The digits of an int; decimal ones as far as Python writes those.
PyObject* digits_of(PyObject* number) {
  PyObject* digits = PyObject_Str(number);
  if (digits != nullptr || PyErr_ExceptionMatches(PyExc_ValueError) == 0) return digits;
  PyErr_Clear();
  return PyNumber_ToBase(number, 16);
}

double nearest_double(PyObject* number, bool negative) {
  double nearest = PyLong_AsDouble(number);
  if (nearest != -1 || !PyErr_Occurred()) return nearest;
  PyErr_Clear();
  return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

int scalar_to_view(byname_dtype dtype, byname_any number, byname_any* value, Leftovers* left) {
  Keep* keep = keep_in(left);
  if (keep == nullptr) return -1;
  keep->scalar.dtype = dtype;
  keep->scalar.value = number;
  *value = {BYNAME_SCALAR_VIEW, 0, {0}};
  value->as_scalar = &keep->scalar;
  return 0;
}

int big_int_to_view(PyObject* number, bool negative, byname_any* value, Leftovers* left) {
  PyRef digits(digits_of(number));
  Py_ssize_t size;
  const char* text = digits ? PyUnicode_AsUTF8AndSize(digits.get(), &size) : nullptr;
  if (text == nullptr || scalar_to_view({0, 0, 0}, {}, value, left) != 0) return -1;
  Keep* keep = left->keeps;
  keep->scalar.approximate = nearest_double(number, negative);
  keep->scalar.text = {text, static_cast<size_t>(size)};
  keep->text = digits.leak();
  return 0;
}

double half_to_double(uint16_t half) {
  int exponent = (half >> 10) & 0x1f;
  double fraction = half & 0x3ff;
  double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                     : exponent == 31 ? (fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                                                       : std::numeric_limits<double>::infinity())
                                      : std::ldexp(fraction + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T>
T read(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

byname_any float_value(double number) {
  byname_any value{BYNAME_FLOAT, 0, {0}};
  value.as_float = number;
  return value;
}

// A number of one of the types that have a format, but complex.
bool read_number(byname_dtype dtype, const void* data, byname_any* out) {
  *out = {BYNAME_INT, 0, {0}};
  switch (dtype.code << 8 | dtype.bits) {
    case kIntCode << 8 | 8:
      out->as_int = int64_t{read<int8_t>(data)};  // NOLINT(bugprone-signed-char-misuse): it is a number
      return true;
    case kIntCode << 8 | 16:
      out->as_int = read<int16_t>(data);
      return true;
    case kIntCode << 8 | 32:
      out->as_int = read<int32_t>(data);
      return true;
    case kUintCode << 8 | 8:
      out->as_int = read<uint8_t>(data);
      return true;
    case kUintCode << 8 | 16:
      out->as_int = read<uint16_t>(data);
      return true;
    case kUintCode << 8 | 32:
      out->as_int = read<uint32_t>(data);
      return true;
    case kIntCode << 8 | 64:
      out->as_int = read<int64_t>(data);
      return true;
    case kUintCode << 8 | 64:
      out->as_int = read<int64_t>(data);
      if (out->as_int < 0) out->type_index = BYNAME_UINT;
      return true;
    case kBoolCode << 8 | 8:
      *out = {BYNAME_BOOL, 0, {read<uint8_t>(data) != 0}};
      return true;
    case kFloatCode << 8 | 16:
      *out = float_value(half_to_double(read<uint16_t>(data)));
      return true;
    case kFloatCode << 8 | 32:
      *out = float_value(static_cast<double>(read<float>(data)));
      return true;
    case kFloatCode << 8 | 64:
      *out = float_value(read<double>(data));
      return true;
    default:
      return false;
  }
}

int complex_to_view(const Py_buffer& buffer, byname_any* value, Leftovers* left) {
  bool is_single = buffer.itemsize == 8;
  const auto* data = static_cast<const char*>(buffer.buf);
  double real = is_single ? static_cast<double>(read<float>(data)) : read<double>(data);
  double imag = is_single ? static_cast<double>(read<float>(data + 4)) : read<double>(data + 8);
  left->has_objects = true;
  return byname_complex_new(real, imag, value) == 0 ? 1 : raise_error_int();
}

// A scalar of a type that another package gave NumPy, as bfloat16: by its name and float().
int foreign_scalar_to_view(PyObject* object, byname_any* value, Leftovers* left) {
  PyRef dtype_object(PyObject_GetAttrString(object, "dtype"));
  if (!dtype_object) {
    PyErr_Clear();
    return 0;
  }
  byname_dtype dtype;
  if (!dtype_of_numpy(dtype_object.get(), &dtype) || dtype.code < kFloatCode || dtype.code == kBoolCode ||
      dtype.code == kComplexCode) {
    return 0;
  }
  PyRef number(PyNumber_Float(object));
  if (!number) return -1;
  return scalar_to_view(dtype, float_value(PyFloat_AS_DOUBLE(number.get())), value, left) == 0 ? 1 : -1;
}

}  // namespace

Keep* keep_in(Leftovers* left) {
  auto* keep = static_cast<Keep*>(PyMem_Calloc(1, sizeof(Keep)));
  if (keep == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  keep->next = left->keeps;
  left->keeps = keep;
  return keep;
}

int int_to_view(PyObject* number, byname_any* value, Leftovers* left) {
  int overflow = 0;
  long long narrow = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow == 0) {
    *value = {BYNAME_INT, 0, {narrow}};
    return 0;
  }
  if (overflow > 0) {
    unsigned long long wide = PyLong_AsUnsignedLongLong(number);
    if (!PyErr_Occurred()) {
      *value = {BYNAME_UINT, 0, {0}};
      value->as_uint = wide;
      return 0;
    }
    PyErr_Clear();
  }
  return big_int_to_view(number, overflow < 0, value, left);
}

int numpy_scalar_to_view(PyObject* object, byname_any* value, Leftovers* left) {
  if (!has_numpy() || !PyType_IsSubtype(Py_TYPE(object), numpy_types.scalar)) return 0;
  Py_buffer buffer;
  if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return foreign_scalar_to_view(object, value, left);
  }
  byname_dtype dtype;
  byname_any number;
  int status = 0;
  // A date or a structure shows bytes in one dimension.
  if (buffer.ndim == 0 && std::strcmp(buffer.format, "g") == 0) {
    PyRef rounded(PyNumber_Float(object));
    if (rounded) *value = float_value(PyFloat_AS_DOUBLE(rounded.get()));
    status = rounded ? 1 : -1;
  } else if (buffer.ndim == 0 && dtype_of_format(buffer.format, buffer.itemsize, &dtype)) {
    if (dtype.code == kComplexCode) {
      status = complex_to_view(buffer, value, left);
    } else if (read_number(dtype, buffer.buf, &number)) {
      // A double is what float is: it needs no width of its own.
      if (dtype.code == kFloatCode && dtype.bits == 64) {
        *value = number;
        status = 1;
      } else {
        status = scalar_to_view(dtype, number, value, left) == 0 ? 1 : -1;
      }
    }
  }
  PyBuffer_Release(&buffer);
  return status;
}

}  // namespace byname::python
