// Values and types to try the conversion table with.
#ifndef BYNAME_TESTS_FUNCTION_CONVERSION_H_
#define BYNAME_TESTS_FUNCTION_CONVERSION_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "byname/string.h"
#include "schema/schema.h"
#include "value/convert.h"

namespace byname::core {

// The type that a schema says so; lives as long as the process.
inline const byname_type& type_of(std::string_view text) {
  static auto* schemas = new std::vector<std::unique_ptr<Schema>>();
  schemas->push_back(std::make_unique<Schema>(parse_schema("f(" + std::string(text) + " a) -> ()")));
  return *schemas->back()->arguments()[0].type;
}

inline byname_any int_value(int64_t number) { return {BYNAME_INT, 0, {number}}; }
inline byname_any bool_value(bool value) { return {BYNAME_BOOL, 0, {value ? 1 : 0}}; }
// UINT only for what INT cannot hold, as everywhere.
inline byname_any uint_value(uint64_t number) {
  return {number > INT64_MAX ? BYNAME_UINT : BYNAME_INT, 0, {static_cast<int64_t>(number)}};
}
inline byname_any float_value(double number) {
  byname_any value{BYNAME_FLOAT, 0, {0}};
  value.as_float = number;
  return value;
}

constexpr byname_dtype kInt8 = {0, 8, 1}, kInt16 = {0, 16, 1}, kInt32 = {0, 32, 1}, kInt64 = {0, 64, 1};
constexpr byname_dtype kUint8 = {1, 8, 1}, kUint16 = {1, 16, 1}, kUint32 = {1, 32, 1}, kUint64 = {1, 64, 1};
constexpr byname_dtype kFloat16 = {2, 16, 1}, kFloat32 = {2, 32, 1}, kFloat64 = {2, 64, 1};
constexpr byname_dtype kBool8 = {6, 8, 1}, kNoWidth = {0, 0, 1};

// A number that knows its width, as NumPy's do, or one beyond 64 bits.
struct Scalar {
  Scalar(byname_dtype dtype, byname_any number) : raw{dtype, number, 0, {nullptr, 0}} {}
  Scalar(double approximate, std::string_view digits)
      : raw{kNoWidth, {}, approximate, {digits.data(), digits.size()}} {}
  byname_any view() const {
    byname_any value{BYNAME_SCALAR_VIEW, 0, {0}};
    value.as_scalar = &raw;
    return value;
  }
  byname_scalar raw;
};

inline int rank_of(const byname_any& value, const byname_type& type) { return convert(value, type, nullptr); }
inline int rank_of(const byname_any& value, std::string_view type) { return rank_of(value, type_of(type)); }

// What the conversion makes, as print shows it; "no match", "out of range".
inline std::string converted(const byname_any& value, const byname_type& type) {
  Any made;
  int rank = convert(value, type, made.out());
  if (rank == kNoMatch) return "no match";
  if (rank == kOutOfRange) return "out of range";
  return made.print();
}
inline std::string converted(const byname_any& value, std::string_view type) { return converted(value, type_of(type)); }

// "Kind: message" of the error that a conversion raises, or "no error".
inline std::string conversion_error(const byname_any& value, const byname_type& type) {
  Any made;
  if (byname_any_convert(&value, &type, made.out()) == 0) return "no error";
  Error error(byname_error_take());
  return std::string(error.kind()) + ": " + std::string(error.message());
}
inline std::string conversion_error(const byname_any& value, std::string_view type) {
  return conversion_error(value, type_of(type));
}

}  // namespace byname::core

#endif  // BYNAME_TESTS_FUNCTION_CONVERSION_H_
