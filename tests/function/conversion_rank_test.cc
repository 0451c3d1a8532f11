// How well values fit: what overloads are ranked by.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conversion.h"
#include "value/convert.h"

namespace byname::core {
namespace {

// The types in the order in which they fit, best first; types that fit equally well are joined by '='.
std::string order(const byname_any& value, std::vector<std::string> types) {
  std::erase_if(types, [&](const std::string& type) { return rank_of(value, type) < 0; });
  std::stable_sort(types.begin(), types.end(),
                   [&](const std::string& a, const std::string& b) { return rank_of(value, a) < rank_of(value, b); });
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += rank_of(value, types[i - 1]) == rank_of(value, types[i]) ? " = " : " < ";
    text += types[i];
  }
  return text;
}

const std::vector<std::string> kNumbers = {"Any",     "str",    "bool",   "float32", "float",
                                           "complex", "Scalar", "uint64", "int64",   "uint32",
                                           "int32",   "uint16", "int16",  "uint8",   "int8"};

TEST(ConversionRank, an_integer_prefers_the_narrowest_integer_that_holds_it) {
  EXPECT_EQ(
      order(int_value(5), kNumbers),
      "int8 < uint8 < int16 < uint16 < int32 < uint32 < int64 < uint64 < float < float32 < Scalar < complex < Any");
  EXPECT_EQ(order(int_value(200), kNumbers),
            "uint8 < int16 < uint16 < int32 < uint32 < int64 < uint64 < float < float32 < Scalar < complex < Any");
  EXPECT_EQ(order(int_value(-1), kNumbers), "int8 < int16 < int32 < int64 < float < float32 < Scalar < complex < Any");
  EXPECT_EQ(order(int_value(70000), kNumbers),
            "int32 < uint32 < int64 < uint64 < float < float32 < Scalar < complex < Any");
  EXPECT_EQ(order(uint_value(UINT64_MAX), kNumbers), "uint64 < Scalar < float < float32 < complex < Any");
}

TEST(ConversionRank, an_integer_that_a_float_does_not_hold_exactly_fits_it_less_well) {
  EXPECT_LT(rank_of(int_value(1 << 24), "float32"), kConvertible);
  EXPECT_GE(rank_of(int_value((1 << 24) + 1), "float32"), kConvertible);
  EXPECT_LT(rank_of(int_value(INT64_C(1) << 53), "float"), kConvertible);
  EXPECT_GE(rank_of(int_value((INT64_C(1) << 53) + 1), "float"), kConvertible);
  EXPECT_LT(rank_of(int_value(-(INT64_C(1) << 53)), "float"), kConvertible);
}

TEST(ConversionRank, a_bool_prefers_bool_and_then_the_narrowest_integer) {
  EXPECT_EQ(order(bool_value(true), {"Any", "int64", "uint8", "Scalar", "float", "bool"}),
            "bool < Scalar < uint8 < int64 < Any");
}

TEST(ConversionRank, a_float_prefers_a_double) {
  EXPECT_EQ(order(float_value(1.5), kNumbers), "float < Scalar < float32 < complex < Any");
}

TEST(ConversionRank, a_number_that_knows_its_width_prefers_it) {
  const byname_dtype kOwn[] = {kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kInt64, kUint64};
  const std::string kNames[] = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"};
  for (size_t i = 0; i < 8; ++i) {
    Scalar five(kOwn[i], int_value(5));
    EXPECT_EQ(order(five.view(), kNumbers).substr(0, kNames[i].size() + 1), kNames[i] + " ");
  }
  EXPECT_EQ(order(Scalar(kFloat32, float_value(1.5)).view(), {"Any", "float", "float32"}), "float32 < float < Any");
  EXPECT_EQ(order(Scalar(kFloat64, float_value(1.5)).view(), {"Any", "float32", "float"}), "float < float32 < Any");
  EXPECT_EQ(order(Scalar(kFloat16, float_value(1.5)).view(), {"Any", "float", "float32"}), "float32 < float < Any");
}

TEST(ConversionRank, an_integer_of_known_width_prefers_wider_ones_then_narrower_ones_that_hold_it_then_floats) {
  EXPECT_EQ(
      order(Scalar(kInt32, int_value(5)).view(), kNumbers),
      "int32 < int64 < int8 < uint8 < int16 < uint16 < uint32 < uint64 < float < float32 < Scalar < complex < Any");
  EXPECT_EQ(order(Scalar(kUint8, int_value(200)).view(), kNumbers),
            "uint8 < int16 < uint16 < int32 < uint32 < int64 < uint64 < float < float32 < Scalar < complex < Any");
}

TEST(ConversionRank, an_integer_without_a_width_is_as_a_plain_one) {
  EXPECT_EQ(order(Scalar(kNoWidth, int_value(200)).view(), kNumbers), order(int_value(200), kNumbers));
}

TEST(ConversionRank, what_is_asked_for_precisely_beats_optionals_unions_scalars_and_anything) {
  EXPECT_EQ(order(int_value(5), {"Any", "Scalar", "Union(int, str)", "int?", "int"}),
            "int < int? < Union(int, str) < Scalar < Any");
  EXPECT_EQ(order({}, {"Any", "int?", "None"}), "None < int? < Any");
  EXPECT_EQ(order(Any("x").raw(), {"Any", "str?", "str"}), "str < str? < Any");
}

TEST(ConversionRank, the_worst_item_of_a_list_counts) {
  byname_any items[] = {int_value(1), float_value(2.5)};
  Any mixed;
  detail::check(byname_array_new(items, 2, mixed.out()));
  EXPECT_EQ(order(mixed.raw(), {"Any", "int[]", "float[]", "Scalar[]"}), "float[] < Scalar[] < Any");
}

}  // namespace
}  // namespace byname::core
