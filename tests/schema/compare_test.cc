#include <gtest/gtest.h>

#include <string>
#include <typeinfo>

#include "byname/signature.h"
#include "cpp_signature.h"
#include "schema/alias.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {
namespace {

std::string why(std::string_view declared, const CppSignature& cpp) {
  return compare_schema(parse_schema("f" + std::string(declared)), cpp.record()).value_or("fits");
}

TEST(Compare, a_function_fits_its_own_schema) {
  for (std::string types :
       {"int", "int8", "uint64", "float32", "str?", "Tensor[]", "Dict(str, Union(int, str))", "ast.Add", "Object",
        "(int, (str, bool))", "Future(Tensor)", "Pointer", "Scalar", "Device"}) {
    EXPECT_EQ(why("(" + types + " a, int b) -> ((" + types + "), str)", {types + ", int", "((" + types + "), str)"}),
              "fits");
  }
  const byname_signature& real = detail::Signature<int64_t, double, std::string_view>::record;
  EXPECT_EQ(compare_schema(parse_schema("f(float x, *, str s=\"\") -> int"), real), std::nullopt);
  EXPECT_EQ(compare_schema(infer_schema(real, {}, "f"), real), std::nullopt);
}

TEST(Compare, the_counts_must_agree) {
  EXPECT_EQ(why("(int a) -> int", {"int, int", "int"}), "the schema has 1 argument, the C++ function takes 2");
  EXPECT_EQ(why("() -> int", {"int", "int"}), "the schema has 0 arguments, the C++ function takes 1");
  EXPECT_EQ(why("(int a) -> ()", {"int", "int"}), "the schema has 0 returns, the C++ function gives 1");
  EXPECT_EQ(why("(int a) -> int", {"int", ""}), "the schema has 1 return, the C++ function gives 0");
  EXPECT_EQ(why("(int a) -> (int, int)", {"int", "(int, int, int)"}),
            "the schema has 2 returns, the C++ function gives 3");
  EXPECT_EQ(why("() -> ((int, int))", {"", "(int, int)"}), "the schema has 1 return, the C++ function gives 2");
}

TEST(Compare, the_first_type_that_differs_is_told_with_its_position) {
  EXPECT_EQ(why("(int a, str b, str c) -> int", {"int, bytes, bytes", "int"}),
            "argument 'b' (position 2) is declared str, the C++ function takes bytes");
  EXPECT_EQ(why("(Tensor? a) -> int", {"Tensor", "int"}),
            "argument 'a' (position 1) is declared Tensor?, the C++ function takes Tensor");
  EXPECT_EQ(why("(ast.Add a) -> int", {"ast.Sub", "int"}),
            "argument 'a' (position 1) is declared ast.Add, the C++ function takes ast.Sub");
  EXPECT_EQ(why("(Dict(str, int[]) a) -> int", {"Dict(str, str[])", "int"}),
            "argument 'a' (position 1) is declared Dict(str, int[]), the C++ function takes Dict(str, str[])");
  EXPECT_EQ(why("((int, int) a) -> int", {"(int, int, int)", "int"}),
            "argument 'a' (position 1) is declared (int, int), the C++ function takes (int, int, int)");
  EXPECT_EQ(why("() -> (int x, str)", {"", "(int, int)"}),
            "return (position 2) is declared str, the C++ function gives int");
  EXPECT_EQ(why("() -> (str x, int)", {"", "(int, int)"}),
            "return 'x' (position 1) is declared str, the C++ function gives int");
}

TEST(Compare, names_defaults_keyword_only_aliases_and_sizes_do_not_count) {
  EXPECT_EQ(why("(Tensor(a!) x, *, int[2] s=1, bool flag=True) -> Tensor(a!)", {"Tensor, int[], bool", "Tensor"}),
            "fits");
}

TEST(Compare, plain_numbers_take_every_width_and_widths_only_their_own) {
  for (std::string width : {"int8", "int16", "int32", "int", "uint8", "uint16", "uint32", "uint64"}) {
    EXPECT_EQ(why("(int a, int[] b, SymInt c) -> int", {width + ", " + width + "[], " + width, width}), "fits");
  }
  EXPECT_EQ(why("(float a) -> float", {"float32", "float32"}), "fits");
  EXPECT_EQ(why("(int32 a) -> ()", {"int", ""}),
            "argument 'a' (position 1) is declared int32, the C++ function takes int");
  EXPECT_EQ(why("(int32 a) -> ()", {"uint32", ""}),
            "argument 'a' (position 1) is declared int32, the C++ function takes uint32");
  EXPECT_EQ(why("(float32 a) -> ()", {"float", ""}),
            "argument 'a' (position 1) is declared float32, the C++ function takes float");
  EXPECT_EQ(why("(float a) -> ()", {"int", ""}),
            "argument 'a' (position 1) is declared float, the C++ function takes int");
}

TEST(Compare, any_in_cpp_takes_every_type) {
  EXPECT_EQ(why("(Tensor a, Layout[] b, Generator? g=None) -> (int, int)", {"Any, Any[], Any", "Any"}), "fits");
  EXPECT_EQ(why("(Any a) -> ()", {"int", ""}), "argument 'a' (position 1) is declared Any, the C++ function takes int");
}

TEST(Compare, layouts_and_memory_formats_are_text_in_cpp) {
  EXPECT_EQ(why("(Layout a, MemoryFormat? b) -> ()", {"str, str?", ""}), "fits");
}

TEST(Compare, none_alone_is_no_result) {
  EXPECT_EQ(why("() -> None", {"", ""}), "fits");
  EXPECT_EQ(why("() -> ()", {"", "None"}), "fits");
  EXPECT_EQ(why("() -> ()", {"", "()"}), "fits");
  EXPECT_EQ(why("() -> (int, None)", {"", "int"}), "the schema has 2 returns, the C++ function gives 1");
}

TEST(Compare, a_function_of_any_number_of_arguments_fits_every_list_of_them) {
  EXPECT_EQ(why("(int a, str b, ...) -> int", CppSignature::variadic("Any")), "fits");
  EXPECT_EQ(why("(int a) -> str", CppSignature::variadic("int")),
            "return (position 1) is declared str, the C++ function gives int");
  EXPECT_EQ(why("(int a, ...) -> int", {"int", "int"}),
            "the schema takes any number of arguments, the C++ function takes 1");
  EXPECT_EQ(why("(int a) -> ...", {"int", "str"}), "fits");
}

TEST(Compare, a_default_of_none_needs_a_parameter_that_takes_none) {
  EXPECT_EQ(why("(Tensor a=None) -> ()", {"Tensor", ""}),
            "argument 'a' (position 1) is None by default, the C++ function takes Tensor, never None");
  EXPECT_EQ(why("(Tensor a=None) -> ()", {"Any", ""}), "fits");
  EXPECT_EQ(why("(Union(int, None) a=None, Tensor? b=None) -> ()", {"Union(int, None), Tensor?", ""}), "fits");
}

class Gadget {};

TEST(Compare, a_cpp_class_has_the_key_it_is_registered_with_and_any_before) {
  byname_type type = leaf_type(BYNAME_KIND_OBJECT);
  type.cpp_type = &typeid(Gadget);
  const byname_type* parameters[] = {&type};
  byname_signature signature{};
  signature.arity = 1;
  signature.parameters = parameters;
  auto why_not = [&](std::string_view text) { return compare_schema(parse_schema(text), signature).value_or("fits"); };
  EXPECT_EQ(why_not("f(test.Gadget a) -> ()"), "fits");
  EXPECT_EQ(why_not("f(int a) -> ()"), "argument 'a' (position 1) is declared int, the C++ function takes Object");

  byname_box_decl decl{};
  decl.struct_size = sizeof decl;
  decl.key = {"test.Gadget", 11};
  decl.cpp_type = &typeid(Gadget);
  int32_t index = 0;
  ASSERT_EQ(byname_box_register(&decl, &index), 0);
  EXPECT_EQ(why_not("f(test.Gadget a) -> ()"), "fits");
  EXPECT_EQ(why_not("f(test.Other a) -> ()"),
            "argument 'a' (position 1) is declared test.Other, the C++ function takes test.Gadget");
  Schema schema = infer_schema(signature, {}, "f");
  EXPECT_EQ(print_schema(schema), "f(test.Gadget _0) -> ()");
  EXPECT_TRUE(schema == parse_schema("f(test.Gadget _0) -> ()"));
}

TEST(Compare, a_name_alone_fits_every_function) { EXPECT_EQ(why("", {"int", "int"}), "fits"); }

}  // namespace
}  // namespace byname::core
