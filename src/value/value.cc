#include "value/value.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "object/pool.h"
#include "object/type_table.h"
#include "value/error.h"

namespace byname::core {
namespace {

constinit CoreClass string_class(BYNAME_STR, sizeof(byname_string), alignof(byname_string), nullptr);
constinit CoreClass bytes_class(BYNAME_BYTES, sizeof(byname_string), alignof(byname_string), nullptr);

constexpr size_t kMaxSmall = 7;

int refuse_scalar(const byname_scalar& scalar) {
  constexpr size_t kMaxShown = 40;
  std::string_view digits(scalar.text.data, scalar.text.size);
  std::string message = "int " + std::string(digits.substr(0, kMaxShown));
  if (digits.size() > kMaxShown) message.append("...");
  return raise("OverflowError", message.append(" does not fit in 64 bits"));
}

int refuse_type(const byname_any& value) {
  std::string message = "a value of type ";
  return raise("TypeError", message.append(type_name(value)).append(" is borrowed and cannot be kept"));
}

// "int8" ... "float64" as words for numbers that know their width.
std::string_view scalar_type_name(const byname_scalar& scalar) {
  static constexpr std::string_view kNames[3][4] = {{"int8", "int16", "int32", "int64"},
                                                    {"uint8", "uint16", "uint32", "uint64"},
                                                    {"", "float16", "float32", "float64"}};
  byname_dtype dtype = scalar.dtype;
  if (dtype.code < 3 && dtype.bits >= 8 && dtype.bits <= 64 && __builtin_popcount(dtype.bits) == 1) {
    std::string_view name = kNames[dtype.code][__builtin_ctz(dtype.bits) - 3];
    if (!name.empty()) return name;
  }
  return scalar.value.type_index == BYNAME_NONE ? std::string_view("int") : type_name(scalar.value);
}

std::string_view object_type_name(int32_t type_index) {
  switch (type_index) {
    case BYNAME_OBJECT:
      return "Object";
    case BYNAME_STR:
      return "str";
    case BYNAME_BYTES:
      return "bytes";
    case BYNAME_ERROR:
      return "Error";
    case BYNAME_FUNCTION:
      return "Function";
    case BYNAME_SHAPE:
      return "Shape";
    case BYNAME_TENSOR:
      return "Tensor";
    case BYNAME_ARRAY:
      return "list";
    case BYNAME_MAP:
      return "dict";
    case BYNAME_TUPLE:
      return "tuple";
    case BYNAME_COMPLEX:
      return "complex";
    case BYNAME_MODULE:
      return "Module";
    default:
      break;
  }
  const byname_type_info* info = type_info(type_index);
  return info == nullptr ? std::string_view("an unknown type") : std::string_view(info->key.data, info->key.size);
}

}  // namespace

int make_text(std::string_view text, int32_t type_index, byname_any* out) {
  bool is_bytes = type_index == BYNAME_BYTES;
  if (text.size() <= kMaxSmall) {
    byname_any value{is_bytes ? BYNAME_SMALL_BYTES : BYNAME_SMALL_STR, static_cast<uint32_t>(text.size()), {0}};
    if (!text.empty()) std::memcpy(value.as_small, text.data(), text.size());
    *out = value;
    return 0;
  }
  if (text.size() >= PTRDIFF_MAX) return raise_out_of_memory();
  void* memory = allocate(is_bytes ? &bytes_class : &string_class, text.size() + 1);
  if (memory == nullptr) return -1;
  byname_object_init(memory, type_index);
  auto* object = static_cast<byname_string*>(memory);
  auto* characters = reinterpret_cast<char*>(object + 1);
  std::memcpy(characters, text.data(), text.size());
  characters[text.size()] = '\0';
  object->text = {characters, text.size()};
  *out = object_value(&object->header);
  return 0;
}

int copy_value(const byname_any& value, byname_any* out) {
  if (value.type_index >= BYNAME_OBJECT) {
    byname_object_retain(value.as_object);
    *out = value;
    return 0;
  }
  switch (value.type_index) {
    case BYNAME_CHARS:
      return make_text(value.as_chars, BYNAME_STR, out);
    case BYNAME_STR_VIEW:
      return make_text({value.as_str->data, value.as_str->size}, BYNAME_STR, out);
    case BYNAME_BYTE_VIEW:
      return make_text({value.as_str->data, value.as_str->size}, BYNAME_BYTES, out);
    case BYNAME_SCALAR_VIEW:
      if (value.as_scalar->value.type_index == BYNAME_NONE) {
        return guarded([&] { return refuse_scalar(*value.as_scalar); });
      }
      *out = value.as_scalar->value;
      return 0;
    case BYNAME_NONE:
    case BYNAME_INT:
    case BYNAME_BOOL:
    case BYNAME_FLOAT:
    case BYNAME_POINTER:
    case BYNAME_DTYPE:
    case BYNAME_DEVICE:
    case BYNAME_SMALL_STR:
    case BYNAME_SMALL_BYTES:
    case BYNAME_UINT:
      *out = value;
      return 0;
    default:
      return guarded([&] { return refuse_type(value); });
  }
}

std::string_view type_name(const byname_any& value) {
  switch (value.type_index) {
    case BYNAME_NONE:
      return "None";
    case BYNAME_INT:
    case BYNAME_UINT:
      return "int";
    case BYNAME_BOOL:
      return "bool";
    case BYNAME_FLOAT:
      return "float";
    case BYNAME_POINTER:
      return "pointer";
    case BYNAME_DTYPE:
      return "dtype";
    case BYNAME_DEVICE:
      return "Device";
    case BYNAME_DL_TENSOR:
      return "DLTensor";
    case BYNAME_CHARS:
    case BYNAME_SMALL_STR:
    case BYNAME_STR_VIEW:
      return "str";
    case BYNAME_SMALL_BYTES:
    case BYNAME_BYTE_VIEW:
      return "bytes";
    case BYNAME_RVALUE:
      return "r-value reference";
    case BYNAME_SCALAR_VIEW:
      return scalar_type_name(*value.as_scalar);
    case BYNAME_PY_OBJECT:
      // Only our own bindings' objects say what they are in their language.
      if (byname_is_own(value.as_object)) {
        byname_str name = object_as<byname_py_object>(value)->type_name;
        return {name.data, name.size};
      }
      return object_type_name(value.type_index);
    default:
      return value.type_index >= BYNAME_OBJECT ? object_type_name(value.type_index) : "an unknown type";
  }
}

}  // namespace byname::core
