// Numbers of all representations in one form, for equality and hashes.
#ifndef BYNAME_VALUE_NUMBER_H_
#define BYNAME_VALUE_NUMBER_H_

#include <cmath>
#include <cstdint>

#include "byname/c_api.h"

namespace byname::core {

// A number: an integer if its value is one that fits 64 bits, whatever its type; else real and imaginary part.
// Equal numbers have the same form.
struct Number {
  bool is_integer;
  bool is_negative;
  uint64_t bits;  // of the integer, in two's complement
  double real;
  double imag;

  // As Python's: NaN equals nothing.
  friend bool operator==(const Number& a, const Number& b) {
    if (a.is_integer != b.is_integer) return false;
    if (a.is_integer) return a.bits == b.bits && a.is_negative == b.is_negative;
    return a.real == b.real && a.imag == b.imag;
  }
};

inline Number integer_number(uint64_t bits, bool is_negative) { return {true, is_negative, bits, 0, 0}; }

inline Number real_number(double value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (value >= -kTwoTo63 && value < 2 * kTwoTo63 && value == std::trunc(value)) {
    if (value < 0) return integer_number(static_cast<uint64_t>(static_cast<int64_t>(value)), true);
    return integer_number(static_cast<uint64_t>(value), false);
  }
  return {false, false, 0, value, 0};
}

// False: not a number.
inline bool number_in(const byname_any& value, Number& out) {
  switch (value.type_index) {
    case BYNAME_INT:
      out = integer_number(value.as_uint, value.as_int < 0);
      return true;
    case BYNAME_BOOL:
      out = integer_number(value.as_int != 0 ? 1 : 0, false);
      return true;
    case BYNAME_UINT:
      out = integer_number(value.as_uint, false);
      return true;
    case BYNAME_FLOAT:
      out = real_number(value.as_float);
      return true;
    case BYNAME_COMPLEX: {
      const auto* complex = reinterpret_cast<const byname_complex*>(value.as_object);
      out = real_number(complex->real);
      if (complex->imag != 0) out = {false, false, 0, complex->real, complex->imag};
      return true;
    }
    case BYNAME_SCALAR_VIEW:
      if (value.as_scalar->value.type_index != BYNAME_NONE) return number_in(value.as_scalar->value, out);
      // Beyond 64 bits: equals no integer that a value can hold. Its nearest double would compare too much as equal.
      out = {false, false, 0, std::nan(""), 0};
      return true;
    default:
      return false;
  }
}

}  // namespace byname::core

#endif  // BYNAME_VALUE_NUMBER_H_
