#include <gtest/gtest.h>

#include <string>

#include "byname/error.h"
#include "error_text.h"
#include "schema/alias.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {
namespace {

// Parses, prints, and checks that the print means the same and prints the same.
std::string round_trip(std::string_view text, NameForm form = NameForm::kBlock) {
  Schema schema = parse_schema(text, form);
  std::string printed = print_schema(schema);
  Schema again = parse_schema(printed, form);
  EXPECT_TRUE(schema == again) << text;
  EXPECT_EQ(print_schema(again), printed);
  return printed;
}

void expect_unchanged(std::string_view text) { EXPECT_EQ(round_trip(text), text); }

TEST(Parse, canonical_schemas_print_as_they_are_written) {
  expect_unchanged("foo() -> ()");
  expect_unchanged("foo(Tensor self) -> Tensor");
  expect_unchanged("ns::foo.ovl(Tensor self, Tensor other) -> Tensor");
  expect_unchanged("foo(Tensor self, *, Scalar alpha=1) -> Tensor");
  expect_unchanged("foo(Tensor self, ...) -> ...");
  expect_unchanged("foo(Scalar a=1.5, Scalar b=2) -> Scalar");
  expect_unchanged("foo(Tensor? a=None) -> Tensor?");
  expect_unchanged("foo(int[] a=[1, 2, 3]) -> int[]");
  expect_unchanged("foo(int[1]? a=None) -> ()");
  expect_unchanged("foo(int?[] a) -> ()");
  expect_unchanged("foo(Tensor?[] a) -> Tensor?[]");
  expect_unchanged("foo(Tensor[]? a=None) -> ()");
  expect_unchanged("foo(Tensor(a) self) -> Tensor(a)");
  expect_unchanged("foo(Tensor(a!) self) -> Tensor(a!)");
  expect_unchanged("foo(Tensor(a -> *) self) -> Tensor(*)");
  expect_unchanged("foo(Tensor(a!)? self) -> ()");
  expect_unchanged("foo(Tensor(b|c)[](a!) l, Tensor(c) e) -> Tensor(b|c)[](a!)");
  expect_unchanged("foo(Tensor self, *, Tensor(a!)[] out) -> ()");
  expect_unchanged("foo(Tensor a) -> (Tensor values, Tensor indices)");
  expect_unchanged("foo((Tensor, int) t) -> (Tensor, int)");
  expect_unchanged("foo(Tensor a) -> ((Tensor, int) t)");
  expect_unchanged("foo(Dict(str, Tensor) d) -> Dict(int, float)");
  expect_unchanged("foo(Union(int, float) a) -> Any");
  expect_unchanged("foo(Device d=\"cpu\", Device? e=None) -> ()");
  expect_unchanged("foo(ScalarType? dtype=None, Layout? l=None) -> ()");
  expect_unchanged("foo(int a=1, *, int b) -> ()");
}

TEST(Parse, other_spellings_print_canonically) {
  EXPECT_EQ(round_trip("foo(int a=-3, float b=1.5e-3, bool c=True, str d='x') -> int"),
            "foo(int a=-3, float b=0.0015, bool c=True, str d=\"x\") -> int");
  EXPECT_EQ(round_trip("ns :: foo . out (Tensor a)->None"), "ns::foo.out(Tensor a) -> None");
  EXPECT_EQ(round_trip("foo(int[2] a=1) -> ()"), "foo(int[2] a=[1, 1]) -> ()");
  EXPECT_EQ(round_trip("foo(bool[3] mask=True) -> ()"), "foo(bool[3] mask=[True, True, True]) -> ()");
  EXPECT_EQ(round_trip("foo(int[0] a=1, int[2] b=[1, 2, 3]) -> ()"), "foo(int[0] a=[], int[2] b=[1, 2, 3]) -> ()");
  EXPECT_EQ(round_trip("foo() -> (int a)"), "foo() -> int a");
  EXPECT_EQ(round_trip("foo() -> (...)"), "foo() -> ...");
  EXPECT_EQ(round_trip("foo() -> (int, ...)"), "foo() -> (int, ...)");
  EXPECT_EQ(round_trip("foo(int64 a, float64 b) -> ()"), "foo(int a, float b) -> ()");
  EXPECT_EQ(round_trip("foo(ast . Add a) -> a.b"), "foo(ast.Add a) -> a.b");
  EXPECT_EQ(round_trip("foo(Tensor(c | b) a, Tensor(a -> a) b, Tensor(*|x) c) -> ()"),
            "foo(Tensor(c|b) a, Tensor(a) b, Tensor(*|x) c) -> ()");
}

TEST(Parse, the_types_of_cpp_and_of_this_library_are_there) {
  expect_unchanged("foo(int8 a, int16 b, int32 c, uint8 d, uint16 e, uint32 f, uint64 g, float32 h) -> ()");
  expect_unchanged("foo(Function f, Object o, Shape s, Chain c, bytes b, complex z, Pointer p) -> ()");
  expect_unchanged("foo(SymInt s, Layout l, MemoryFormat m, Generator? g=None, Any? a=None) -> Future(int)");
  expect_unchanged("foo(() nothing, (int) x, None n) -> (() none)");
}

TEST(Parse, an_alias_may_follow_every_named_type_and_every_list) {
  expect_unchanged("foo(int(a) i, Dict(str, Tensor(b))(a!) d, Union(int, str)(c) u, ast.Add(d!) o) -> int[2](a!)?");
  expect_unchanged("foo(Tensor! a, Tensor![]! b) -> ()");
  Schema schema = parse_schema("foo(Tensor(a|b! -> *) x, Tensor! y) -> ()");
  const byname_alias& alias = *schema.arguments()[0].type->alias;
  EXPECT_EQ(alias.before.names.size(), 2U);
  EXPECT_EQ(alias.before.names[1], "b");
  EXPECT_TRUE(alias.is_write);
  EXPECT_FALSE(alias.before.is_wildcard);
  EXPECT_TRUE(alias.after.is_wildcard);
  EXPECT_TRUE(schema.arguments()[1].type->alias->before.empty());
  EXPECT_TRUE(schema.arguments()[1].type->alias->is_write);
}

TEST(Parse, alias_sets_are_sets) {
  EXPECT_TRUE(parse_schema("f(Tensor(a|b) x) -> ()") == parse_schema("f(Tensor(b|a) x) -> ()"));
  EXPECT_FALSE(parse_schema("f(Tensor(a|b) x) -> ()") == parse_schema("f(Tensor(a) x) -> ()"));
  EXPECT_FALSE(parse_schema("f(Tensor(a) x) -> ()") == parse_schema("f(Tensor(a!) x) -> ()"));
  EXPECT_FALSE(parse_schema("f(Tensor(a) x) -> ()") == parse_schema("f(Tensor x) -> ()"));
  EXPECT_FALSE(parse_schema("f(Tensor(a -> b) x) -> ()") == parse_schema("f(Tensor(a) x) -> ()"));
}

TEST(Parse, line_breaks_and_comments_are_free_in_brackets_and_at_the_ends) {
  EXPECT_EQ(round_trip("\n# what it is\n\n foo(  # first\n\tTensor a, \r\n int\n[2\n] b\n) -> (int,\nstr) # end\n\n"),
            "foo(Tensor a, int[2] b) -> (int, str)");
  EXPECT_EQ(round_trip("foo(str a=\"# no comment\") -> ()#"), "foo(str a=\"# no comment\") -> ()");
  EXPECT_EQ(round_trip("foo(ast # here\n . # there\n Add a) -> ()"), "foo(ast.Add a) -> ()");
}

TEST(Parse, a_name_may_stand_alone) {
  Schema schema = parse_schema("foo.bar");
  EXPECT_TRUE(schema.is_bare());
  EXPECT_EQ(print_schema(schema), "foo.bar");
  EXPECT_EQ(print_signature(schema), "");
  EXPECT_FALSE(parse_schema("foo() -> ()").is_bare());
}

TEST(Parse, accessors_show_every_part) {
  Schema moved_from = parse_schema("a.b::f.o(int a, *, int[3] b=4, float? c=2) -> (int x, Tensor)");
  Schema schema = std::move(moved_from);
  EXPECT_EQ(schema.name(), "a.b::f.o");
  EXPECT_EQ(schema.name_parts().space, "a.b");
  EXPECT_EQ(schema.name_parts().base, "f");
  EXPECT_EQ(schema.name_parts().overload, "o");
  ASSERT_EQ(schema.arguments().size(), 3U);
  const Argument& b = schema.arguments()[1];
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.type->kind, BYNAME_KIND_LIST);
  EXPECT_EQ(b.type->fixed_size, 3);
  EXPECT_EQ(b.type->elements[0]->bits, 64);
  EXPECT_TRUE(b.keyword_only);
  EXPECT_TRUE(b.has_default);
  EXPECT_EQ(reinterpret_cast<const byname_array*>(b.default_value.as_object)->size, 3);
  EXPECT_FALSE(schema.arguments()[0].keyword_only);
  EXPECT_FALSE(schema.arguments()[0].has_default);
  EXPECT_EQ(schema.arguments()[2].default_value.type_index, BYNAME_FLOAT);
  EXPECT_EQ(schema.arguments()[2].default_value.as_float, 2.0);
  ASSERT_EQ(schema.returns().size(), 2U);
  EXPECT_EQ(schema.returns()[0].name, "x");
  EXPECT_EQ(schema.returns()[1].name, "");
  EXPECT_EQ(schema.returns()[1].type->kind, BYNAME_KIND_TENSOR);
  EXPECT_FALSE(schema.is_vararg());
  EXPECT_FALSE(schema.is_varret());
}

TEST(Parse, dots_separate_an_overload_in_a_block_and_a_namespace_in_a_full_name) {
  EXPECT_EQ(parse_schema("a.b").name_parts().overload, "b");
  Schema full = parse_schema("a.b.c(int x) -> int", NameForm::kFull);
  EXPECT_EQ(full.name_parts().space, "a.b");
  EXPECT_EQ(full.name_parts().base, "c");
  EXPECT_EQ(full.name_parts().overload, "");
  EXPECT_EQ(print_schema(full), "a.b::c(int x) -> int");
  EXPECT_TRUE(full == parse_schema("a.b::c(int x) -> int", NameForm::kBlock));
  EXPECT_EQ(parse_schema("a . b . c", NameForm::kFull).name_parts().space, "a.b");
  EXPECT_EQ(parse_schema("a.b::c.d", NameForm::kFull).name_parts().overload, "d");
}

// Fault: a name of ten thousand characters, and one that begins another
TEST(Parse, a_name_of_ten_thousand_characters_is_kept_whole) {
  std::string name(10'000, 'n');
  Schema schema = parse_schema(name + "(int a) -> int");
  EXPECT_EQ(schema.name(), name);
  EXPECT_FALSE(schema == parse_schema(name + "n(int a) -> int"));
}

TEST(Parse, reserved_words_may_be_part_of_names_and_keys_but_name_no_argument) {
  expect_unchanged("in.is(lambda.with x) -> ()");
  expect_unchanged("f(int match, int self, int inf, int Tensor) -> int type");
}

}  // namespace
}  // namespace byname::core
