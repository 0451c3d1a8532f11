// Element types of tensors.
#ifndef BYNAME_DTYPE_H_
#define BYNAME_DTYPE_H_

#include <complex>

#include "byname/any.h"

namespace byname {

// DLPack's codes.
enum class DTypeCode : uint8_t {
  kInt = 0,
  kUint = 1,
  kFloat = 2,
  kHandle = 3,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E3m4 = 7,
  kFloat8E4m3 = 8,
  kFloat8E4m3b11fnuz = 9,
  kFloat8E4m3fn = 10,
  kFloat8E4m3fnuz = 11,
  kFloat8E5m2 = 12,
  kFloat8E5m2fnuz = 13,
  kFloat8E8m0fnu = 14,
  kFloat6E2m3fn = 15,
  kFloat6E3m2fn = 16,
  kFloat4E2m1fn = 17
};

// Four bytes. The default is no type at all.
class DType {
 public:
  constexpr DType() noexcept : raw_{} {}
  constexpr DType(DTypeCode code, uint8_t bits, uint16_t lanes = 1) noexcept
      : raw_{static_cast<uint8_t>(code), bits, lanes} {}
  constexpr explicit DType(byname_dtype raw) noexcept : raw_(raw) {}
  // Of "float32", "int8x4", "bfloat16", "bool", ... Throws ValueError.
  explicit DType(std::string_view text) : raw_{} { detail::check(byname_dtype_parse(detail::to_c(text), &raw_)); }

  // The element type that a C++ type is: arithmetic types, std::complex, std::byte (as uint8).
  template <class T>
  static constexpr DType of() noexcept {
    using Value = std::remove_cv_t<T>;
    constexpr auto kBits = static_cast<uint8_t>(8 * sizeof(Value));
    if constexpr (std::is_same_v<Value, bool>) {
      return {DTypeCode::kBool, kBits};
    } else if constexpr (std::is_same_v<Value, std::complex<float>> || std::is_same_v<Value, std::complex<double>>) {
      return {DTypeCode::kComplex, kBits};
    } else if constexpr (std::is_same_v<Value, std::byte>) {
      return {DTypeCode::kUint, kBits};
    } else {
      static_assert(std::is_arithmetic_v<Value> && sizeof(Value) <= 8, "byname: tensors have no elements of this type");
      constexpr DTypeCode kCode = std::is_floating_point_v<Value> ? DTypeCode::kFloat
                                  : std::is_signed_v<Value>       ? DTypeCode::kInt
                                                                  : DTypeCode::kUint;
      return {kCode, kBits};
    }
  }

  constexpr DTypeCode code() const noexcept { return static_cast<DTypeCode>(raw_.code); }
  constexpr int bits() const noexcept { return raw_.bits; }
  constexpr int lanes() const noexcept { return raw_.lanes; }
  constexpr byname_dtype raw() const noexcept { return raw_; }
  std::string print() const {
    Any text;
    detail::check(byname_dtype_print(raw_, text.out()));
    return text.to<std::string>();
  }
  friend constexpr bool operator==(DType a, DType b) noexcept {
    return a.raw_.code == b.raw_.code && a.raw_.bits == b.raw_.bits && a.raw_.lanes == b.raw_.lanes;
  }

 private:
  byname_dtype raw_;
};

template <>
inline constexpr const char* kPortableName<DType> = "dtype";

template <>
struct Convert<DType> : detail::ConvertWord<DType, BYNAME_KIND_DTYPE, BYNAME_DTYPE, &byname_any::as_dtype> {};

}  // namespace byname

#endif  // BYNAME_DTYPE_H_
