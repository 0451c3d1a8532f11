// Lists, tuples, dicts, optionals, unions: item by item, to any depth.
#include <gtest/gtest.h>

#include <initializer_list>

#include "byname/function.h"
#include "byname/map.h"
#include "byname/shape.h"
#include "conversion.h"
#include "value/convert.h"

namespace byname::core {
namespace {

const byname_any* raw(std::initializer_list<Any> items) { return reinterpret_cast<const byname_any*>(items.begin()); }

Any list(std::initializer_list<Any> items) {
  Any made;
  detail::check(byname_array_new(raw(items), items.size(), made.out()));
  return made;
}
Any tuple(std::initializer_list<Any> items) {
  Any made;
  detail::check(byname_tuple_new(raw(items), items.size(), made.out()));
  return made;
}
Any dict(std::initializer_list<std::pair<Any, Any>> entries) {
  Any made;
  detail::check(byname_map_new(0, made.out()));
  for (const auto& [key, value] : entries) {
    detail::check(byname_map_put(made.raw().as_object, &key.raw(), &value.raw()));
  }
  return made;
}
std::string converted_to(const Any& value, std::string_view type) { return converted(value.raw(), type); }

TEST(ConversionOfContainers, items_are_converted_one_by_one) {
  EXPECT_EQ(converted_to(list({1, true, 3}), "int[]"), "[1, 1, 3]");
  EXPECT_EQ(converted_to(list({1, 2.5}), "float[]"), "[1.0, 2.5]");
  EXPECT_EQ(converted_to(tuple({1, 2}), "int[]"), "[1, 2]");
  EXPECT_EQ(converted_to(list({1, "a"}), "(int, str)"), "(1, 'a')");
  EXPECT_EQ(converted_to(dict({{"a", 1}, {"b", true}}), "Dict(str, int)"), "{'a': 1, 'b': 1}");
  EXPECT_EQ(converted_to(list({}), "int[]"), "[]");
  EXPECT_EQ(converted_to(tuple({}), "int[]"), "[]");
  EXPECT_EQ(converted_to(dict({}), "Dict(str, int)"), "{}");
}

TEST(ConversionOfContainers, a_list_that_fits_is_shared_and_not_copied) {
  Any numbers = list({1, 2});
  Any made;
  EXPECT_GE(convert(numbers.raw(), type_of("int[]"), made.out()), 0);
  EXPECT_EQ(made.raw().as_object, numbers.raw().as_object);
  Any floats;
  EXPECT_GE(convert(numbers.raw(), type_of("float[]"), floats.out()), 0);
  EXPECT_NE(floats.raw().as_object, numbers.raw().as_object);
  EXPECT_EQ(numbers.print(), "[1, 2]");
}

TEST(ConversionOfContainers, nested_ones_are_converted_to_the_innermost_item) {
  EXPECT_EQ(converted_to(list({list({1}), tuple({2, true})}), "float[][]"), "no match");
  EXPECT_EQ(converted_to(list({list({1}), tuple({2, 3})}), "float[][]"), "[[1.0], [2.0, 3.0]]");
  EXPECT_EQ(converted_to(dict({{"a", list({1})}}), "Dict(str, float[])"), "{'a': [1.0]}");
  EXPECT_EQ(converted_to(list({tuple({"a", dict({{1, 2}})})}), "(str, Dict(int, float))[]"), "[('a', {1: 2.0})]");
}

// Fault: None among items where none is declared
TEST(ConversionOfContainers, none_among_the_items_is_refused_unless_it_is_declared) {
  EXPECT_EQ(conversion_error(list({1, Any()}).raw(), "int[]"), "TypeError: expected int[], got list (item 1 is None)");
  EXPECT_EQ(conversion_error(list({list({1}), list({Any()})}).raw(), "int[][]"),
            "TypeError: expected int[][], got list (item 1 is list (item 0 is None))");
  EXPECT_EQ(conversion_error(tuple({1, Any()}).raw(), "(int, str)"),
            "TypeError: expected (int, str), got tuple (item 1 is None)");
  EXPECT_EQ(converted_to(dict({{"a", Any()}}), "Dict(str, int)"), "no match");
  EXPECT_EQ(converted_to(list({list({1}), Any()}), "int[][]"), "no match");
  EXPECT_EQ(converted_to(list({Any()}), "Tensor[]"), "no match");
  EXPECT_EQ(converted_to(list({1, Any()}), "int?[]"), "[1, None]");
  EXPECT_EQ(converted_to(Any(), "int[]"), "no match");
  EXPECT_EQ(converted_to(Any(), "int[]?"), "None");
}

TEST(ConversionOfContainers, an_item_out_of_range_makes_the_whole_out_of_range) {
  EXPECT_EQ(conversion_error(list({1, 300}).raw(), "uint8[]"),
            "OverflowError: expected uint8[], got list (item 1 is 300, out of range)");
  EXPECT_EQ(converted_to(tuple({300, "a"}), "(uint8, str)"), "out of range");
  EXPECT_EQ(converted_to(dict({{300, "a"}}), "Dict(uint8, str)"), "out of range");
}

TEST(ConversionOfContainers, an_item_that_does_not_fit_is_named) {
  EXPECT_EQ(conversion_error(list({1, "2"}).raw(), "int[]"), "TypeError: expected int[], got list (item 1 is str)");
  EXPECT_EQ(conversion_error(list({1}).raw(), "(int, str)"), "TypeError: expected (int, str), got list (of 1 items)");
  EXPECT_EQ(conversion_error(list({1.5}).raw(), "int[]?"), "TypeError: expected int[]?, got list (item 0 is float)");
}

TEST(ConversionOfContainers, tuples_have_their_size) {
  EXPECT_EQ(converted_to(tuple({1, "a", 2}), "(int, str)"), "no match");
  EXPECT_EQ(converted_to(tuple({}), "(int)"), "no match");
}

TEST(ConversionOfContainers, sized_lists_have_their_size) {
  EXPECT_EQ(converted_to(list({1, 2}), "int[2]"), "[1, 2]");
  EXPECT_EQ(conversion_error(list({1, 2, 3}).raw(), "int[2]"), "TypeError: expected int[2], got list (of 3 items)");
  EXPECT_EQ(conversion_error(list({}).raw(), "int[2]"), "TypeError: expected int[2], got list (of 0 items)");
  EXPECT_EQ(converted_to(tuple({1, 2, 3}), "float[2]"), "no match");
}

TEST(ConversionOfContainers, text_and_bytes_are_no_sequences) {
  EXPECT_EQ(converted_to("abc", "str[]"), "no match");
  EXPECT_EQ(converted_to(Bytes("abc"), "int[]"), "no match");
  EXPECT_EQ(converted_to("a text of more than seven bytes", "str[]"), "no match");
  EXPECT_EQ(converted_to("ab", "(str, str)"), "no match");
  EXPECT_EQ(converted_to(list({"ab"}), "str[][]"), "no match");
  EXPECT_EQ(converted_to(Bytes("abc"), "str"), "no match");
  EXPECT_EQ(converted_to("abc", "bytes"), "no match");
}

TEST(ConversionOfContainers, shapes_and_lists_of_integers_are_each_other) {
  EXPECT_EQ(converted_to(list({1, 2}), "Shape"), "Shape(1, 2)");
  EXPECT_EQ(converted_to(tuple({}), "Shape"), "Shape()");
  EXPECT_EQ(converted_to(Shape{1, 2}, "int[]"), "[1, 2]");
  EXPECT_EQ(converted_to(Shape{1, 2}, "uint8[]"), "[1, 2]");
  EXPECT_EQ(converted_to(Shape{1, 300}, "uint8[]"), "out of range");
  EXPECT_EQ(converted_to(Shape{1, 2}, "float[]"), "no match");
  EXPECT_EQ(converted_to(list({1.5}), "Shape"), "no match");
  EXPECT_EQ(converted_to(list({UINT64_MAX}), "Shape"), "out of range");
}

TEST(ConversionOfContainers, a_union_takes_the_member_that_fits_best) {
  EXPECT_EQ(converted_to(1, "Union(float, int)"), "1");
  EXPECT_EQ(converted_to(1, "Union(float, str)"), "1.0");
  EXPECT_EQ(converted_to(1.5, "Union(int, float)"), "1.5");
  EXPECT_EQ(converted_to(true, "Union(int, bool)"), "True");
  EXPECT_EQ(converted_to(300, "Union(uint8, int16)"), "300");
  EXPECT_EQ(converted_to(300, "Union(uint8, str)"), "out of range");
  EXPECT_EQ(converted_to(list({1}), "Union(str, float[])"), "[1.0]");
  EXPECT_EQ(converted_to(Any(), "Union(int, str)"), "no match");
  EXPECT_EQ(converted_to(Any(), "Union(int, None)"), "None");
}

TEST(ConversionOfContainers, a_failure_amid_a_container_leaves_nothing_behind) {
  Any made("untouched");
  EXPECT_EQ(byname_any_convert(&list({"a", "b", 3}).raw(), &type_of("str[]"), made.out()), -1);
  EXPECT_EQ(made.print(), "'untouched'");
  byname_object_release(byname_error_take());
  EXPECT_EQ(converted_to(dict({{"a", 1}, {"b", "x"}}), "Dict(str, int)"), "no match");
}

TEST(ConversionOfContainers, keys_that_become_one_keep_the_last_value) {
  EXPECT_EQ(converted_to(dict({{1, "a"}, {2, "b"}}), "Dict(float, str)"), "{1.0: 'a', 2.0: 'b'}");
}

TEST(ConversionContainer, a_dictionary_tells_which_item_does_not_fit) {
  byname::Map<Any, Any> map{{"a", 1}, {"b", "x"}};
  EXPECT_EQ(conversion_error(Any(map).raw(), "Dict(str, int)"),
            "TypeError: expected Dict(str, int), got dict (item 'b' is str)");
  EXPECT_EQ(conversion_error(Any(map).raw(), "Dict(int, Any)"),
            "TypeError: expected Dict(int, Any), got dict (key 'a' is str)");
}

}  // namespace
}  // namespace byname::core
