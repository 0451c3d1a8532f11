// Values as text.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

std::string print(const Any& value) { return value.print(); }

TEST(Print, numbers_read_as_in_python) {
  EXPECT_EQ(print(Any()), "None");
  EXPECT_EQ(print(true), "True");
  EXPECT_EQ(print(false), "False");
  EXPECT_EQ(print(0), "0");
  EXPECT_EQ(print(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(print(UINT64_MAX), "18446744073709551615");
}

TEST(Print, floats_are_the_shortest_text_that_reads_back) {
  EXPECT_EQ(print(0.0), "0.0");
  EXPECT_EQ(print(-0.0), "-0.0");
  EXPECT_EQ(print(1.0), "1.0");
  EXPECT_EQ(print(-1.5), "-1.5");
  EXPECT_EQ(print(0.1), "0.1");
  EXPECT_EQ(print(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(print(100.0), "100.0");
  EXPECT_EQ(print(123456789.125), "123456789.125");
  EXPECT_EQ(print(1e15), "1000000000000000.0");
  EXPECT_EQ(print(1e16), "1e+16");
  EXPECT_EQ(print(1.5e16), "1.5e+16");
  EXPECT_EQ(print(1e22), "1e+22");
  EXPECT_EQ(print(1e100), "1e+100");
  EXPECT_EQ(print(0.0001), "0.0001");
  EXPECT_EQ(print(0.00001), "1e-05");
  EXPECT_EQ(print(1.25e-7), "1.25e-07");
  EXPECT_EQ(print(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(print(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(print(INFINITY), "inf");
  EXPECT_EQ(print(-INFINITY), "-inf");
  EXPECT_EQ(print(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Print, every_float_reads_back_as_itself) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    std::string text = print(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    ASSERT_NE(text.find_first_of(".e"), text.npos) << text;
  }
}

TEST(Print, complex_numbers_read_as_in_python) {
  using Complex = std::complex<double>;
  EXPECT_EQ(print(Complex(1, 2)), "(1+2j)");
  EXPECT_EQ(print(Complex(1, -2.5)), "(1-2.5j)");
  EXPECT_EQ(print(Complex(0, 2)), "2j");
  EXPECT_EQ(print(Complex(-0.0, 2)), "(-0+2j)");
  EXPECT_EQ(print(Complex(1, -0.0)), "(1-0j)");
  EXPECT_EQ(print(Complex(1e20, NAN)), "(1e+20+nanj)");
}

TEST(Print, text_is_quoted_and_escaped_as_in_python) {
  EXPECT_EQ(print("text"), "'text'");
  EXPECT_EQ(print(""), "''");
  EXPECT_EQ(print("it's"), "\"it's\"");
  EXPECT_EQ(print("\"it's\""), R"('"it\'s"')");
  EXPECT_EQ(print("a\\b\n\r\t"), R"('a\\b\n\r\t')");
  EXPECT_EQ(print(std::string_view("a\0b\x1f\x7f", 5)), R"('a\x00b\x1f\x7f')");
  EXPECT_EQ(print("Grüße, 世界 🙂"), "'Grüße, 世界 🙂'");
  EXPECT_EQ(print("\u00a0\u00ad\u2028\ufeff\U000e0001"), R"('\xa0\xad\u2028\ufeff\U000e0001')");
}

TEST(Print, what_is_no_utf8_is_shown_by_byte) {
  EXPECT_EQ(print("\xff"), R"('\xff')");
  EXPECT_EQ(print("\xc3"), R"('\xc3')");
  EXPECT_EQ(print("\xc0\xaf"), R"('\xc0\xaf')");
  EXPECT_EQ(print("\xed\xa0\x80"), R"('\xed\xa0\x80')");
  EXPECT_EQ(print("\xf4\x90\x80\x80"), R"('\xf4\x90\x80\x80')");
  EXPECT_EQ(print("\xe4\xb8x"), R"('\xe4\xb8x')");
}

TEST(Print, bytes_are_escaped_as_in_python) {
  EXPECT_EQ(print(Bytes("abc")), "b'abc'");
  EXPECT_EQ(print(Bytes("it's")), "b\"it's\"");
  EXPECT_EQ(print(Bytes(std::string_view("\0\xff\n", 3))), R"(b'\x00\xff\n')");
}

TEST(Print, containers_show_their_items) {
  EXPECT_EQ(print(Array<Any>{}), "[]");
  EXPECT_EQ(print(Array<Any>{1, "a", Any()}), "[1, 'a', None]");
  EXPECT_EQ(print(Tuple<>()), "()");
  EXPECT_EQ(print(Tuple<int64_t>(1)), "(1,)");
  EXPECT_EQ(print(Tuple<int64_t, double>(1, 2)), "(1, 2.0)");
  EXPECT_EQ(print(Map<Any, Any>{}), "{}");
  EXPECT_EQ(print(Map<Any, Any>{{"a", 1}, {Tuple<int64_t>(1), Array<Any>{}}}), "{'a': 1, (1,): []}");
  EXPECT_EQ(print(Array<Any>{Array<Any>{1}, Map<Any, Any>{{1, Tuple<>()}}, 2}), "[[1], {1: ()}, 2]");
  EXPECT_EQ(print(Shape{}), "Shape()");
  EXPECT_EQ(print(Shape{2}), "Shape(2,)");
  EXPECT_EQ(print(Shape{2, 3}), "Shape(2, 3)");
}

struct Node : Derive<Node, Object, "test.print.Node"> {};

std::string address(const void* object) {
  std::ostringstream text;
  text << object;
  return text.str();
}

TEST(Print, other_objects_show_their_type_and_address) {
  Ref<Node> node = make<Node>();
  EXPECT_EQ(print(node), "<test.print.Node at " + address(node.get()) + ">");
  Function function([] {});
  EXPECT_EQ(print(function), "<Function at " + address(function.raw()) + ">");
  int place = 0;
  EXPECT_EQ(print(static_cast<void*>(&place)), "<pointer at " + address(&place) + ">");
}

TEST(Print, tensors_errors_dtypes_and_devices_show_what_they_are) {
  EXPECT_EQ(print(Tensor::empty({2, 3}, DType::of<float>())), "Tensor(shape=(2, 3), dtype=float32, device=cpu)");
  EXPECT_EQ(print(Tensor::empty({4}, DType::of<bool>())), "Tensor(shape=(4,), dtype=bool, device=cpu)");
  EXPECT_EQ(print(DType("int8x4")), "dtype('int8x4')");
  EXPECT_EQ(print(Device("cuda:1")), "Device('cuda:1')");
  Any error;
  ASSERT_EQ(byname_error_new(str("ValueError"), str("it's"), nullptr, error.out()), 0);
  EXPECT_EQ(print(error), "ValueError(\"it's\")");
}

TEST(Print, views_show_what_they_view) {
  byname_str text = str("text");
  EXPECT_EQ(AnyView(view_of(text)).print(), "'text'");
  byname_scalar scalar = {{0, 0, 0}, {BYNAME_NONE, 0, {0}}, 0x1p64, str("18446744073709551616")};
  byname_any value{BYNAME_SCALAR_VIEW, 0, {0}};
  value.as_scalar = &scalar;
  EXPECT_EQ(AnyView(value).print(), "18446744073709551616");
  scalar.value = {BYNAME_INT, 0, {7}};
  EXPECT_EQ(AnyView(value).print(), "7");
}

}  // namespace
}  // namespace byname
