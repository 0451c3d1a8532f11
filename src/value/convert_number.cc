// Numbers of the conversion table.
#include <bit>
#include <cmath>

#include "value/convert_parts.h"

namespace byname::core {
namespace {

constexpr uint8_t kDlUint = 1;
// Up to here every integer is a double, a float.
constexpr int64_t kExactInDouble = int64_t{1} << 53;
constexpr int64_t kExactInFloat = int64_t{1} << 24;

byname_any float_value(double number) {
  byname_any value{BYNAME_FLOAT, 0, {0}};
  value.as_float = number;
  return value;
}

// A number that knows its width goes to that, then to types that hold all of its type, then to those that hold its
// value, all of which fit better than a float.
int integer_rank(const byname_type& type, const byname_dtype* own) {
  int width = width_rank(type);
  if (own == nullptr || own->bits == 0) return kNarrowest + width;
  bool own_unsigned = own->code == kDlUint;
  if (own->bits == type.bits && own_unsigned == (type.is_unsigned != 0)) return kOwnWidth;
  bool holds_all =
      own_unsigned == (type.is_unsigned != 0) ? type.bits > own->bits : own_unsigned && type.bits > own->bits;
  return kLossless + (holds_all ? 0 : 8) + width;
}

bool is_exact_float(int64_t number, const byname_type& type) {
  int64_t limit = type.bits == 64 ? kExactInDouble : kExactInFloat;
  return number >= -limit && number <= limit;
}

}  // namespace

int width_rank(const byname_type& type) {
  if (type.kind == BYNAME_KIND_FLOAT) return type.bits == 64 ? 0 : 1;
  if (type.kind != BYNAME_KIND_INT) return 0;
  return 2 * std::countr_zero(static_cast<unsigned>(type.bits / 8)) + type.is_unsigned;
}

bool holds(const byname_type& type, const byname_any& number) {
  if (type.kind == BYNAME_KIND_SYMINT) return number.type_index == BYNAME_INT;
  if (number.type_index == BYNAME_UINT) return type.is_unsigned != 0 && type.bits == 64;
  int64_t value = number.as_int;
  if (type.is_unsigned != 0) return value >= 0 && (type.bits == 64 || value < int64_t{1} << type.bits);
  if (type.bits == 64) return true;
  int64_t limit = int64_t{1} << (type.bits - 1);
  return value >= -limit && value < limit;
}

int convert_int(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  const byname_dtype* own = value.type_index == BYNAME_SCALAR_VIEW ? &value.as_scalar->dtype : nullptr;
  switch (number.type_index) {
    case BYNAME_INT:
    case BYNAME_UINT:
      if (!holds(type, number)) return kOutOfRange;
      return give(number, out, integer_rank(type, own));
    case BYNAME_BOOL:
      return give({BYNAME_INT, 0, {number.as_int}}, out, kConvertible + 64 + width_rank(type));
    case BYNAME_NONE:
      return value.type_index == BYNAME_SCALAR_VIEW ? kOutOfRange : kNoMatch;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
}

int convert_float(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  const byname_dtype* own = value.type_index == BYNAME_SCALAR_VIEW ? &value.as_scalar->dtype : nullptr;
  double result = 0;
  int rank = kConvertible + 16 + width_rank(type);
  switch (number.type_index) {
    case BYNAME_FLOAT:
      result = number.as_float;
      if (own != nullptr && own->bits != 0) {
        rank = own->bits == type.bits ? kOwnWidth : own->bits > type.bits ? kConvertible : kLossless + type.bits / 64;
      } else {
        rank = type.bits == 64 ? kOwnWidth : kConvertible;
      }
      break;
    case BYNAME_INT:
      result = static_cast<double>(number.as_int);
      if (is_exact_float(number.as_int, type)) rank = kLossless + 16 + width_rank(type);
      break;
    case BYNAME_UINT:
      result = static_cast<double>(number.as_uint);
      break;
    case BYNAME_NONE:
      if (value.type_index != BYNAME_SCALAR_VIEW) return kNoMatch;
      result = value.as_scalar->approximate;
      if (!std::isfinite(result)) return kOutOfRange;
      break;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
  if (type.bits == 32 && std::isfinite(result) && !std::isfinite(static_cast<float>(result))) return kOutOfRange;
  return give(float_value(result), out, rank);
}

int convert_complex(const byname_any& value, byname_any* out) {
  if (value.type_index == BYNAME_COMPLEX) return keep(value, out, kOwnWidth);
  static constexpr byname_type kFloat = {BYNAME_KIND_FLOAT, 64, 0, 0, 0, -1, nullptr, {}, nullptr, nullptr, nullptr};
  byname_any real{};
  int rank = convert_float(value, kFloat, &real);
  if (rank < 0) return rank;
  if (out != nullptr) detail::check(byname_complex_new(real.as_float, 0, out));
  return kConvertible + 32;
}

int convert_scalar(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  switch (number.type_index) {
    case BYNAME_INT:
    case BYNAME_BOOL:
    case BYNAME_FLOAT:
    case BYNAME_UINT:
    case BYNAME_COMPLEX:
      return keep(number, out, kLossless + 32);
    case BYNAME_NONE:
      return value.type_index == BYNAME_SCALAR_VIEW ? kOutOfRange : kNoMatch;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
}

}  // namespace byname::core
