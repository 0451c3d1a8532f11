#include "dtype.h"

#include "error.h"

namespace byname::python {
namespace {

struct Format {
  const char* text;
  byname_dtype dtype;
};

constexpr Format kFormats[] = {
    {"b", {kIntCode, 8, 1}},       {"h", {kIntCode, 16, 1}},       {"i", {kIntCode, 32, 1}},
    {"q", {kIntCode, 64, 1}},      {"B", {kUintCode, 8, 1}},       {"H", {kUintCode, 16, 1}},
    {"I", {kUintCode, 32, 1}},     {"Q", {kUintCode, 64, 1}},      {"e", {kFloatCode, 16, 1}},
    {"f", {kFloatCode, 32, 1}},    {"d", {kFloatCode, 64, 1}},     {"?", {kBoolCode, 8, 1}},
    {"Zf", {kComplexCode, 64, 1}}, {"Zd", {kComplexCode, 128, 1}},
};

// Which code a format's letter stands for, whatever its width.
bool code_of(const char* letters, uint8_t* out) {
  if (letters[0] == 'Z') {
    *out = kComplexCode;
    return (letters[1] == 'f' || letters[1] == 'd') && letters[2] == '\0';
  }
  if (letters[0] == '\0' || letters[1] != '\0') return false;
  switch (letters[0]) {
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      *out = kIntCode;
      return true;
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      *out = kUintCode;
      return true;
    case 'e':
    case 'f':
    case 'd':
      *out = kFloatCode;
      return true;
    case '?':
      *out = kBoolCode;
      return true;
    default:
      return false;
  }
}

}  // namespace

bool dtype_of_format(const char* format, Py_ssize_t size, byname_dtype* out) {
  if (format == nullptr) format = "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  uint8_t code;
  if (!code_of(format, &code) || size < 1 || size > 16) return false;
  *out = {code, static_cast<uint8_t>(8 * size), 1};
  return true;
}

const char* format_of_dtype(byname_dtype dtype) {
  for (const Format& format : kFormats) {
    if (format.dtype.code == dtype.code && format.dtype.bits == dtype.bits && format.dtype.lanes == dtype.lanes) {
      return format.text;
    }
  }
  return nullptr;
}

PyObject* dtype_text(byname_dtype dtype) {
  Value text;
  int status = byname_dtype_print(dtype, text.out());
  return text_result(status, text);
}

bool dtype_of_numpy(PyObject* numpy_dtype, byname_dtype* out) {
  PyRef name(PyObject_GetAttrString(numpy_dtype, "name"));
  PyRef size(name ? PyObject_GetAttrString(numpy_dtype, "itemsize") : nullptr);
  byname_str text{};
  PyRef keep;
  if (!size || !encode_name(name.get(), &text, &keep)) {
    PyErr_Clear();
    return false;
  }
  long bytes = PyLong_AsLong(size.get());
  if (byname_dtype_parse(text, out) != 0) {
    byname_object_release(byname_error_take());
    return false;
  }
  return item_size(*out) == bytes;
}

}  // namespace byname::python
