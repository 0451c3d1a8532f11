#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "error_text.h"
#include "schema/schema.h"

namespace byname::core {
namespace {

// The schema whose one argument `a` has this type and default.
Schema with(std::string_view type, std::string_view value) {
  return parse_schema("f(" + std::string(type) + " a=" + std::string(value) + ") -> ()");
}

// As it is printed; checks that the print gives the same value again.
std::string printed(std::string_view type, std::string_view value) {
  Schema schema = with(type, value);
  const Argument& argument = schema.arguments()[0];
  std::string text = print_default(*argument.type, argument.default_value);
  EXPECT_TRUE(schema == with(type, text)) << type << " " << value;
  return text;
}

byname_any kept(std::string_view type, std::string_view value) {
  static Schema schema = parse_schema("f");  // keeps what the value points to
  schema = with(type, value);
  return schema.arguments()[0].default_value;
}

std::string text_of(const byname_any& value) {
  byname_str text{};
  EXPECT_EQ(byname_any_text(&value, &text) + byname_any_bytes(&value, &text), 1);
  return {text.data, text.size};
}

TEST(Default, integers_keep_every_value_of_their_width) {
  EXPECT_EQ(kept("int", "-9223372036854775808").as_int, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(kept("int", "9223372036854775807").as_int, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(kept("uint64", "18446744073709551615").type_index, BYNAME_UINT);
  EXPECT_EQ(printed("uint64", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(kept("uint64", "9223372036854775807").type_index, BYNAME_INT);
  EXPECT_EQ(printed("int8", "-128"), "-128");
  EXPECT_EQ(printed("uint8", "255"), "255");
  EXPECT_EQ(printed("SymInt", "- 7"), "-7");
  EXPECT_EQ(printed("int", "007"), "7");
  EXPECT_EQ(printed("int", "-0"), "0");
  EXPECT_EQ(kept("int", "True").type_index, BYNAME_INT);
}

TEST(Default, floats_print_the_shortest_digits_that_read_back) {
  EXPECT_EQ(printed("float", "1"), "1.0");
  EXPECT_EQ(printed("float", "1."), "1.0");
  EXPECT_EQ(printed("float", ".5"), "0.5");
  EXPECT_EQ(printed("float", "1e5"), "100000.0");
  EXPECT_EQ(printed("float", "1E+16"), "1e+16");
  EXPECT_EQ(printed("float", "0.00001"), "1e-05");
  EXPECT_EQ(printed("float", "0.1"), "0.1");
  EXPECT_EQ(printed("float", "-0.0"), "-0.0");
  EXPECT_EQ(printed("float", "5e-324"), "5e-324");
  EXPECT_EQ(printed("float", "1.7976931348623157e308"), "1.7976931348623157e+308");
  EXPECT_EQ(printed("float", "100000000000000000000"), "1e+20");
  EXPECT_EQ(printed("float", "inf"), "inf");
  EXPECT_EQ(printed("float", "-inf"), "-inf");
  EXPECT_EQ(printed("float", "nan"), "nan");
  EXPECT_EQ(printed("float32", "3.4e38"), "3.4e+38");
  EXPECT_EQ(printed("float32", "-inf"), "-inf");
}

TEST(Default, complex_numbers_keep_both_parts_and_their_signs) {
  EXPECT_EQ(printed("complex", "1"), "1.0+0.0j");
  EXPECT_EQ(printed("complex", "1.5-2j"), "1.5-2.0j");
  EXPECT_EQ(printed("complex", "-2j"), "-2.0j");
  EXPECT_EQ(printed("complex", "-0.0-0.0j"), "-0.0-0.0j");
  EXPECT_EQ(printed("complex", "nan+infj"), "nan+infj");
  EXPECT_EQ(printed("complex", "-inf-infj"), "-inf-infj");
  EXPECT_EQ(printed("complex[]", "[1, 2j, 3+4j]"), "[1.0+0.0j, 2.0j, 3.0+4.0j]");
}

TEST(Default, a_scalar_keeps_the_kind_that_is_written) {
  EXPECT_EQ(kept("Scalar", "1").type_index, BYNAME_INT);
  EXPECT_EQ(kept("Scalar", "1.0").type_index, BYNAME_FLOAT);
  EXPECT_EQ(kept("Scalar", "True").type_index, BYNAME_BOOL);
  EXPECT_EQ(kept("Scalar", "1j").type_index, BYNAME_COMPLEX);
  EXPECT_EQ(printed("Scalar", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(printed("Scalar", "1+0j"), "1.0+0.0j");
}

TEST(Default, strings_take_either_quote_and_the_known_escapes) {
  EXPECT_EQ(text_of(kept("str", R"('it\'s "x"')")), "it's \"x\"");
  EXPECT_EQ(text_of(kept("str", R"("\\\'\"\n\r\t\0\x41\a\b\f\v")")), std::string("\\'\"\n\r\t\0A\a\b\f\v", 12));
  EXPECT_EQ(text_of(kept("str", "\"grüße\"")), "grüße");
  EXPECT_EQ(printed("str", "'it\\'s \"x\"'"), "\"it's \\\"x\\\"\"");
  EXPECT_EQ(printed("str", R"("a\0b")"), R"("a\x00b")");
  EXPECT_EQ(printed("str", "\"grüße\""), "\"grüße\"");
  EXPECT_EQ(printed("str", R"("\xff\xed\xa0\x80")"), R"("\xff\xed\xa0\x80")");
  EXPECT_EQ(printed("bytes", "\"grü\""), R"("gr\xc3\xbc")");
  EXPECT_EQ(kept("bytes", "''").type_index, BYNAME_SMALL_BYTES);
  EXPECT_EQ(kept("str", "'a text that is long'").type_index, BYNAME_STR);
}

TEST(Default, devices_are_strings_and_dtypes_are_names) {
  EXPECT_EQ(kept("Device", "'cuda:1'").type_index, BYNAME_DEVICE);
  EXPECT_EQ(kept("Device", "'cuda:1'").as_device.id, 1);
  EXPECT_EQ(printed("Device?", "\"cpu\""), "\"cpu\"");
  EXPECT_EQ(kept("ScalarType", "bfloat16").as_dtype.code, 4);
  EXPECT_EQ(printed("ScalarType", "int64"), "int64");
  EXPECT_EQ(printed("ScalarType", "float"), "float32");
  EXPECT_EQ(printed("ScalarType", "long"), "int64");
  EXPECT_EQ(printed("ScalarType?", "bool"), "bool");
  EXPECT_EQ(text_of(kept("MemoryFormat", "contiguous_format")), "contiguous_format");
  EXPECT_EQ(printed("MemoryFormat", "contiguous_format"), "contiguous_format");
  EXPECT_EQ(printed("Layout", "strided"), "strided");
}

TEST(Default, none_is_for_options_and_for_what_has_no_other) {
  for (std::string type : {"int?", "int[]?", "Any?", "(int, str)?", "Dict(str, int)?", "ast.Add?", "Function?", "None",
                           "Tensor", "Generator", "Tensor?", "Union(int, None)", "Union(int, str?)"}) {
    EXPECT_EQ(printed(type, "None"), "None");
  }
}

TEST(Default, lists_hold_numbers) {
  EXPECT_EQ(printed("int[]", "[]"), "[]");
  EXPECT_EQ(printed("float[]", "[1, 2.5]"), "[1.0, 2.5]");
  EXPECT_EQ(printed("bool[]?", "[True, False]"), "[True, False]");
  EXPECT_EQ(printed("uint8[2]", "3"), "[3, 3]");
  EXPECT_EQ(printed("int[2]", "[]"), "[]");
  EXPECT_EQ(printed("int[2]?", "1"), "[1, 1]");
  EXPECT_EQ(printed("Shape", "[2, 3]"), "[2, 3]");
  EXPECT_EQ(kept("Shape", "[2, 3]").type_index, BYNAME_SHAPE);
  EXPECT_EQ(kept("int[]", "[2, 3]").type_index, BYNAME_ARRAY);
}

TEST(Default, a_union_takes_what_is_exactly_of_a_member) {
  EXPECT_EQ(kept("Union(float, int)", "1").type_index, BYNAME_INT);
  EXPECT_EQ(kept("Union(int, float)", "1.0").type_index, BYNAME_FLOAT);
  EXPECT_EQ(printed("Union(int8, int)", "200"), "200");
  EXPECT_EQ(printed("Union(Device, str)", "'cpu'"), "\"cpu\"");
  EXPECT_EQ(kept("Union(Device, str)", "'cpu'").type_index, BYNAME_SMALL_STR);
}

TEST(Default, equal_numbers_of_different_kinds_are_different_defaults) {
  EXPECT_FALSE(with("Scalar", "1") == with("Scalar", "1.0"));
  EXPECT_FALSE(with("Scalar", "1") == with("Scalar", "True"));
  EXPECT_FALSE(with("float", "0.0") == with("float", "-0.0"));
  EXPECT_TRUE(with("float", "nan") == with("float", "-nan"));
  EXPECT_FALSE(with("int[]", "[1]") == with("int[]", "[1, 1]"));
  EXPECT_FALSE(with("Shape", "[1]") == with("Shape", "[2]"));
  EXPECT_FALSE(with("str", "'a long text, 1'") == with("str", "'a long text, 2'"));
  EXPECT_FALSE(parse_schema("f(int? a) -> ()") == with("int?", "None"));
}

}  // namespace
}  // namespace byname::core
