#include "schema/schema.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "schema/type.h"

namespace byname::core {

Schema::Schema(Schema&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}

Schema& Schema::operator=(Schema&& other) noexcept {
  std::swap(block_, other.block_);
  return *this;
}

Schema::~Schema() {
  if (block_ == nullptr) return;
  for (const Argument& argument : arguments()) {
    byname_any value = argument.default_value;
    byname_any_drop(&value);
  }
  ::operator delete(block_);
}

NameParts Schema::name_parts() const {
  std::string_view rest = name();
  NameParts parts;
  if (block_->space_size > 0) {
    parts.space = rest.substr(0, block_->space_size);
    rest.remove_prefix(block_->space_size + 2);
  }
  parts.base = rest.substr(0, block_->base_size);
  if (rest.size() > parts.base.size()) parts.overload = rest.substr(parts.base.size() + 1);
  return parts;
}

namespace {

bool is_same_float(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool is_same_array(const byname_any& a, const byname_any& b) {
  const auto& x = *reinterpret_cast<const byname_array*>(a.as_object);
  const auto& y = *reinterpret_cast<const byname_array*>(b.as_object);
  return std::equal(x.data, x.data + x.size, y.data, y.data + y.size, is_same_default);
}

bool is_same_argument(const Argument& a, const Argument& b) {
  return a.name == b.name && a.keyword_only == b.keyword_only && a.has_default == b.has_default &&
         is_same_type(*a.type, *b.type) && is_same_default(a.default_value, b.default_value);
}

bool is_same_return(const Return& a, const Return& b) { return a.name == b.name && is_same_type(*a.type, *b.type); }

}  // namespace

bool is_same_default(const byname_any& a, const byname_any& b) {
  if (a.type_index != b.type_index) return false;
  switch (a.type_index) {
    case BYNAME_NONE:
      return true;
    case BYNAME_FLOAT:
      return is_same_float(a.as_float, b.as_float);
    case BYNAME_COMPLEX: {
      const auto& x = *reinterpret_cast<const byname_complex*>(a.as_object);
      const auto& y = *reinterpret_cast<const byname_complex*>(b.as_object);
      return is_same_float(x.real, y.real) && is_same_float(x.imag, y.imag);
    }
    case BYNAME_STR:
    case BYNAME_BYTES: {
      byname_str x = reinterpret_cast<const byname_string*>(a.as_object)->text;
      byname_str y = reinterpret_cast<const byname_string*>(b.as_object)->text;
      return x.size == y.size && std::memcmp(x.data, y.data, x.size) == 0;
    }
    case BYNAME_ARRAY:
      return is_same_array(a, b);
    case BYNAME_SHAPE: {
      const auto& x = *reinterpret_cast<const byname_shape*>(a.as_object);
      const auto& y = *reinterpret_cast<const byname_shape*>(b.as_object);
      return std::equal(x.data, x.data + x.size, y.data, y.data + y.size);
    }
    default:  // numbers, small text, dtypes, devices: unused bytes are zero
      return a.small_size == b.small_size && a.as_uint == b.as_uint;
  }
}

bool operator==(const Schema& a, const Schema& b) {
  NameParts x = a.name_parts();
  NameParts y = b.name_parts();
  return x.space == y.space && x.base == y.base && x.overload == y.overload && a.is_bare() == b.is_bare() &&
         a.is_vararg() == b.is_vararg() && a.is_varret() == b.is_varret() &&
         std::ranges::equal(a.arguments(), b.arguments(), is_same_argument) &&
         std::ranges::equal(a.returns(), b.returns(), is_same_return);
}

}  // namespace byname::core
