#include "value/print.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "value/dtype.h"
#include "value/map.h"
#include "value/value.h"
#include "value/walk.h"

namespace byname::core {
namespace {

template <class Integer>
void append_integer(std::string& out, Integer value) {
  char buffer[24];
  char* end = std::to_chars(buffer, std::end(buffer), value).ptr;
  out.append(buffer, static_cast<size_t>(end - buffer));
}

void append_address(std::string& out, const void* address) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%zx", reinterpret_cast<size_t>(address));
  out.append(buffer);
}

void append_dims(std::string& out, const int64_t* dims, size_t size) {
  out.append("(");
  for (size_t i = 0; i < size; ++i) {
    if (i > 0) out.append(", ");
    append_integer(out, dims[i]);
  }
  out.append(size == 1 ? ",)" : ")");
}

// A part of a complex number: Python leaves ".0" out there.
void append_part(std::string& out, double value) {
  append_float(out, value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
}

void append_complex(std::string& out, const byname_complex& value) {
  bool is_imaginary = value.real == 0 && !std::signbit(value.real);
  if (!is_imaginary) {
    out.append("(");
    append_part(out, value.real);
    if (!std::signbit(value.imag) || std::isnan(value.imag)) out.append("+");
  }
  append_part(out, value.imag);
  out.append(is_imaginary ? "j" : "j)");
}

void append_tensor(std::string& out, const byname_tensor& tensor) {
  out.append("Tensor(shape=");
  append_dims(out, tensor.dl.shape, static_cast<size_t>(tensor.dl.ndim));
  out.append(", dtype=").append(print_dtype(tensor.dl.dtype));
  out.append(", device=").append(print_device(tensor.dl.device)).append(")");
}

void append_error(std::string& out, const byname_error& error) {
  out.append(error.kind.data, error.kind.size).append("(");
  append_quoted(out, {error.message.data, error.message.size});
  out.append(")");
}

void append_object(std::string& out, const byname_any& value) {
  switch (value.type_index) {
    case BYNAME_COMPLEX:
      return append_complex(out, *object_as<byname_complex>(value));
    case BYNAME_TENSOR:
      return append_tensor(out, *object_as<byname_tensor>(value));
    case BYNAME_ERROR:
      return append_error(out, *object_as<byname_error>(value));
    case BYNAME_SHAPE: {
      const auto* shape = object_as<byname_shape>(value);
      out.append("Shape");
      return append_dims(out, shape->data, shape->size);
    }
    default:
      out.append("<").append(type_name(value)).append(" at ");
      append_address(out, value.as_object);
      out.append(">");
  }
}

void append_scalar(std::string& out, const byname_scalar& scalar) {
  if (scalar.value.type_index != BYNAME_NONE) return append_value(out, scalar.value);
  out.append(scalar.text.data, scalar.text.size);
}

// All but arrays, tuples and maps.
void append_leaf(std::string& out, const byname_any& value) {
  byname_str text{};
  if (byname_any_text(&value, &text) != 0) return append_quoted(out, {text.data, text.size});
  if (byname_any_bytes(&value, &text) != 0) return append_quoted_bytes(out, {text.data, text.size});
  switch (value.type_index) {
    case BYNAME_NONE:
      out.append("None");
      return;
    case BYNAME_INT:
      return append_integer(out, value.as_int);
    case BYNAME_UINT:
      return append_integer(out, value.as_uint);
    case BYNAME_BOOL:
      out.append(value.as_int != 0 ? "True" : "False");
      return;
    case BYNAME_FLOAT:
      return append_float(out, value.as_float);
    case BYNAME_DTYPE:
      out.append("dtype('").append(print_dtype(value.as_dtype)).append("')");
      return;
    case BYNAME_DEVICE:
      out.append("Device('").append(print_device(value.as_device)).append("')");
      return;
    case BYNAME_SCALAR_VIEW:
      return append_scalar(out, *value.as_scalar);
    default:
      break;
  }
  if (value.type_index >= BYNAME_OBJECT) return append_object(out, value);
  out.append("<").append(type_name(value)).append(" at ");
  append_address(out, value.as_pointer);
  out.append(">");
}

// A container that is being printed.
class Open {
 public:
  explicit Open(const byname_any& container) : kind_(container.type_index) {
    if (kind_ == BYNAME_MAP) {
      map_ = object_as<MapObject>(container);
    } else {
      const auto* array = object_as<byname_array>(container);
      items_ = array->data;
      left_ = array->size;
      size_ = array->size;
    }
  }
  void begin(std::string& out) const { out.push_back(kind_ == BYNAME_MAP ? '{' : kind_ == BYNAME_TUPLE ? '(' : '['); }
  // What is to be printed next, after what separates it; NULL, after the end, if there is nothing.
  const byname_any* next(std::string& out) {
    const byname_any* item = kind_ == BYNAME_MAP ? next_of_map(out) : next_of_sequence(out);
    if (item == nullptr && kind_ == BYNAME_TUPLE && size_ == 1) out.push_back(',');
    if (item == nullptr) out.push_back(kind_ == BYNAME_MAP ? '}' : kind_ == BYNAME_TUPLE ? ')' : ']');
    return item;
  }

 private:
  const byname_any* next_of_sequence(std::string& out) {
    if (left_ == 0) return nullptr;
    if (left_ < size_) out.append(", ");
    --left_;
    return items_++;
  }
  const byname_any* next_of_map(std::string& out) {
    if (value_ != nullptr) {
      out.append(": ");
      return std::exchange(value_, nullptr);
    }
    bool is_first = position_ == 0;
    const MapEntry* entry = next_entry(map_, position_);
    if (entry == nullptr) return nullptr;
    if (!is_first) out.append(", ");
    value_ = &entry->value;
    return &entry->key;
  }

  int32_t kind_;
  const byname_any* items_ = nullptr;
  int64_t left_ = 0;
  int64_t size_ = 0;
  const MapObject* map_ = nullptr;
  size_t position_ = 0;
  const byname_any* value_ = nullptr;
};

}  // namespace

void append_value(std::string& out, const byname_any& value) {
  std::vector<Open> open;
  for (const byname_any* item = &value;;) {
    if (item != nullptr && (is_sequence(*item) || item->type_index == BYNAME_MAP)) {
      open.emplace_back(*item).begin(out);
    } else if (item != nullptr) {
      append_leaf(out, *item);
    } else {
      open.pop_back();
    }
    if (open.empty()) return;
    item = open.back().next(out);
  }
}

}  // namespace byname::core
