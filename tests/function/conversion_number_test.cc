// Numbers: ranges, widths, what is lost.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "byname/argument.h"
#include "conversion.h"
#include "value/convert.h"

namespace byname::core {
namespace {

struct Width {
  std::string_view type;
  int64_t least;
  uint64_t most;
};
constexpr Width kWidths[] = {{"int8", INT8_MIN, INT8_MAX},    {"uint8", 0, UINT8_MAX},
                             {"int16", INT16_MIN, INT16_MAX}, {"uint16", 0, UINT16_MAX},
                             {"int32", INT32_MIN, INT32_MAX}, {"uint32", 0, UINT32_MAX},
                             {"int64", INT64_MIN, INT64_MAX}, {"uint64", 0, UINT64_MAX}};

TEST(ConversionOfIntegers, every_width_takes_its_range_and_nothing_beyond) {
  for (const Width& width : kWidths) {
    SCOPED_TRACE(width.type);
    EXPECT_EQ(converted(int_value(width.least), width.type), std::to_string(width.least));
    EXPECT_EQ(converted(uint_value(width.most), width.type), std::to_string(width.most));
    EXPECT_EQ(converted(int_value(0), width.type), "0");
    if (width.least > INT64_MIN) {
      EXPECT_EQ(converted(int_value(width.least - 1), width.type), "out of range");
    }
    if (width.most < UINT64_MAX) {
      EXPECT_EQ(converted(uint_value(width.most + 1), width.type), "out of range");
    }
  }
}

TEST(ConversionOfIntegers, the_ends_of_every_width_are_tried_on_every_width) {
  for (const Width& to : kWidths) {
    for (const Width& from : kWidths) {
      bool least_fits = from.least >= to.least;
      bool most_fits = from.most <= to.most;
      EXPECT_EQ(rank_of(int_value(from.least), to.type) >= 0, least_fits) << from.type << " to " << to.type;
      EXPECT_EQ(rank_of(uint_value(from.most), to.type) >= 0, most_fits) << from.type << " to " << to.type;
    }
  }
}

// Fault: an integer beyond its type is an OverflowError and never wraps
TEST(ConversionOfIntegers, cpp_parameters_take_apart_what_the_table_lets_through) {
  EXPECT_EQ(Any(255).to<uint8_t>(), 255);
  EXPECT_EQ(Any(-128).to<int8_t>(), -128);
  EXPECT_EQ(Any(UINT64_MAX).to<uint64_t>(), UINT64_MAX);
  EXPECT_EQ(Any(INT64_MIN).to<int64_t>(), INT64_MIN);
  EXPECT_THROW(Any(256).to<uint8_t>(), Error);
  EXPECT_THROW(Any(-129).to<int8_t>(), Error);
  EXPECT_THROW(Any(-1).to<uint64_t>(), Error);
  EXPECT_THROW(Any(UINT64_C(1) << 63).to<int64_t>(), Error);
}

// Fault: an integer beyond its type is an OverflowError and never wraps
TEST(ConversionOfIntegers, what_does_not_fit_is_an_overflow_and_never_a_wrap) {
  EXPECT_EQ(conversion_error(uint_value(UINT64_C(1) << 63), "int"),
            "OverflowError: expected int, got 9223372036854775808 (out of range)");
  EXPECT_EQ(conversion_error(Scalar(-9.3e18, "-9223372036854775809").view(), "int"),
            "OverflowError: expected int, got -9223372036854775809 (out of range)");
  EXPECT_EQ(conversion_error(int_value(-1), "uint64"), "OverflowError: expected uint64, got -1 (out of range)");
  EXPECT_EQ(conversion_error(int_value(200), "int8"), "OverflowError: expected int8, got 200 (out of range)");
}

TEST(ConversionOfIntegers, true_is_one_and_false_is_zero) {
  for (const Width& width : kWidths) {
    EXPECT_EQ(converted(bool_value(true), width.type), "1");
    EXPECT_EQ(converted(bool_value(false), width.type), "0");
  }
  EXPECT_EQ(converted(int_value(1), "bool"), "no match");
  EXPECT_EQ(converted(int_value(0), "bool"), "no match");
}

TEST(ConversionOfIntegers, numbers_that_know_their_width_are_judged_by_their_value) {
  EXPECT_EQ(converted(Scalar(kUint64, int_value(200)).view(), "uint8"), "200");
  EXPECT_EQ(converted(Scalar(kUint64, int_value(256)).view(), "uint8"), "out of range");
  EXPECT_EQ(converted(Scalar(kInt8, int_value(-1)).view(), "uint64"), "out of range");
  EXPECT_EQ(converted(Scalar(kUint64, uint_value(UINT64_MAX)).view(), "uint64"), "18446744073709551615");
  EXPECT_EQ(converted(Scalar(kBool8, bool_value(true)).view(), "bool"), "True");
  EXPECT_EQ(converted(Scalar(kBool8, bool_value(true)).view(), "int"), "1");
  EXPECT_EQ(converted(Scalar(kFloat32, float_value(2)).view(), "int"), "no match");
}

TEST(ConversionOfFloats, integers_become_floats) {
  EXPECT_EQ(converted(int_value(2), "float"), "2.0");
  EXPECT_EQ(converted(int_value(2), "float32"), "2.0");
  EXPECT_EQ(converted(uint_value(UINT64_MAX), "float"), "1.8446744073709552e+19");
  EXPECT_EQ(converted(Scalar(1e25, "10000000000000000000000000").view(), "float"), "1e+25");
  EXPECT_EQ(converted(bool_value(true), "float"), "no match");
}

TEST(ConversionOfFloats, a_float32_takes_its_range_infinities_and_nan) {
  constexpr double kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(converted(float_value(kMost), "float32"), "3.4028234663852886e+38");
  EXPECT_EQ(converted(float_value(std::numeric_limits<double>::infinity()), "float32"), "inf");
  EXPECT_EQ(converted(float_value(std::nan("")), "float32"), "nan");
  EXPECT_EQ(conversion_error(float_value(3.5e38), "float32"),
            "OverflowError: expected float32, got 3.5e+38 (out of range)");
  EXPECT_EQ(conversion_error(float_value(-1e300), "float32"),
            "OverflowError: expected float32, got -1e+300 (out of range)");
  EXPECT_EQ(converted(Scalar(1e39, "1000000000000000000000000000000000000000").view(), "float32"), "out of range");
}

TEST(ConversionOfFloats, a_cpp_float_is_rounded_and_an_overflow_is_an_error) {
  EXPECT_EQ(Any(0.1).to<float>(), 0.1f);
  EXPECT_EQ(Any(3).to<float>(), 3.0f);
  EXPECT_TRUE(std::isinf(Any(-HUGE_VAL).to<float>()));
  EXPECT_THROW(Any(1e39).to<float>(), Error);
}

TEST(ConversionOfFloats, an_integer_that_no_double_holds_even_roughly_is_out_of_range) {
  const std::string digits = "1" + std::string(400, '0');
  Scalar huge(HUGE_VAL, digits);
  EXPECT_EQ(conversion_error(huge.view(), "float"),
            "OverflowError: expected float, got 1" + std::string(59, '0') + "... (out of range)");
}

TEST(ConversionOfFloats, an_integer_converts_to_one_and_is_none) {
  EXPECT_EQ(Any(3).to<double>(), 3.0);
  EXPECT_FALSE(Any(3).is<double>());
  EXPECT_FALSE(Any(3).as<float>().has_value());
  EXPECT_TRUE(Any(3.0).is<double>());
  EXPECT_EQ(Any(3.0).as<double>(), 3.0);
  EXPECT_FALSE(Any(true).is<int64_t>());
}

TEST(ConversionOfFloats, complex_takes_real_numbers) {
  EXPECT_EQ(converted(int_value(2), "complex"), "(2+0j)");
  EXPECT_EQ(converted(float_value(0.5), "complex"), "(0.5+0j)");
  EXPECT_EQ(converted(bool_value(true), "complex"), "no match");
  EXPECT_EQ(converted(Any(std::complex<double>(1, -2)).raw(), "float"), "no match");
}

TEST(ConversionOfFloats, a_complex_of_floats_overflows_as_a_float_does) {
  EXPECT_EQ(Any(std::complex<double>(1, -2)).to<std::complex<float>>(), std::complex<float>(1, -2));
  EXPECT_THROW(Any(std::complex<double>(1e300, 0)).to<std::complex<float>>(), Error);
  EXPECT_THROW(Any(std::complex<double>(0, -1e300)).to<std::complex<float>>(), Error);
}

TEST(ConversionOfScalars, a_scalar_keeps_what_it_was_given) {
  EXPECT_EQ(converted(int_value(2), "Scalar"), "2");
  EXPECT_EQ(converted(float_value(2), "Scalar"), "2.0");
  EXPECT_EQ(converted(bool_value(true), "Scalar"), "True");
  EXPECT_EQ(converted(uint_value(UINT64_MAX), "Scalar"), "18446744073709551615");
  EXPECT_EQ(converted(Scalar(kInt8, int_value(-5)).view(), "Scalar"), "-5");
  EXPECT_EQ(converted(Any("2").raw(), "Scalar"), "no match");
  EXPECT_EQ(converted({}, "Scalar"), "no match");
}

TEST(ConversionOfScalars, an_integer_beyond_64_bits_cannot_be_kept_as_anything) {
  EXPECT_EQ(conversion_error(Scalar(1e25, "10000000000000000000000000").view(), "Any"),
            "OverflowError: int 10000000000000000000000000 does not fit in 64 bits");
}

}  // namespace
}  // namespace byname::core
