#include <gtest/gtest.h>

#include <string>

#include "byname/signature.h"
#include "cpp_signature.h"
#include "error_text.h"
#include "schema/alias.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {
namespace {

std::string inferred(const CppSignature& signature, const std::vector<Parameter>& parameters = {}) {
  Schema schema = infer_schema(signature.record(), raw(parameters), "f");
  std::string text = print_schema(schema);
  EXPECT_TRUE(parse_schema(text) == schema) << text;
  return text;
}

std::string infer_error(const CppSignature& signature, const std::vector<Parameter>& parameters) {
  return error_of([&] { infer_schema(signature.record(), raw(parameters), "f"); });
}

TEST(Infer, arguments_are_numbered_and_returns_unnamed) {
  EXPECT_EQ(inferred({"int, float, str", "bool"}), "f(int _0, float _1, str _2) -> bool");
  EXPECT_EQ(inferred({"int8, uint64, float32, bytes", "int32"}),
            "f(int8 _0, uint64 _1, float32 _2, bytes _3) -> int32");
  EXPECT_EQ(inferred({"Tensor?, int[], Dict(str, int[]), Any", "Tensor[]"}),
            "f(Tensor? _0, int[] _1, Dict(str, int[]) _2, Any _3) -> Tensor[]");
}

TEST(Infer, types_of_real_functions) {
  Schema schema =
      infer_schema(detail::Signature<double, int32_t, std::string_view, bool, const std::string&>::record, {}, "f");
  EXPECT_EQ(print_schema(schema), "f(int32 _0, str _1, bool _2, str _3) -> float");
  EXPECT_EQ(print_schema(infer_schema(detail::Signature<void, void*, std::complex<float>>::record, {}, "f")),
            "f(Pointer _0, complex _1) -> ()");
  EXPECT_EQ(print_schema(infer_schema(detail::Signature<uint8_t, Args>::record, {}, "f")), "f(...) -> uint8");
}

TEST(Infer, a_tuple_becomes_several_returns_and_nothing_none) {
  EXPECT_EQ(inferred({"", "(Tensor, int)"}), "f() -> (Tensor, int)");
  EXPECT_EQ(inferred({"", "((Tensor, int), str)"}), "f() -> ((Tensor, int), str)");
  EXPECT_EQ(inferred({"", "((Tensor, int))"}), "f() -> ((Tensor, int))");
  EXPECT_EQ(inferred({"", "()"}), "f() -> ()");
  EXPECT_EQ(inferred({"", ""}), "f() -> ()");
  EXPECT_EQ(inferred({"", "None"}), "f() -> None");
}

TEST(Infer, a_span_of_arguments_is_any_number_of_them) {
  EXPECT_EQ(inferred(CppSignature::variadic("Any")), "f(...) -> Any");
}

TEST(Infer, sizes_are_not_taken_over_and_what_cpp_alone_knows_is_kept) {
  byname_type list = *parse_schema("f(int[] a) -> ()").arguments()[0].type;
  const byname_type* integer = find_named_type("int");
  list.elements = &integer;
  list.fixed_size = 3;
  list.flags = BYNAME_TYPE_SET;
  byname_type tensor = leaf_type(BYNAME_KIND_TENSOR);
  byname_tensor_spec spec{{2, 32, 1}, 2, 1, 1, 0, 0};
  tensor.tensor = &spec;
  const byname_type* parameters[] = {&list, &tensor};
  byname_signature signature{};
  signature.arity = 2;
  signature.parameters = parameters;
  Schema schema = infer_schema(signature, {}, "f");
  EXPECT_EQ(print_schema(schema), "f(int[] _0, Tensor _1) -> ()");
  EXPECT_EQ(schema.arguments()[0].type->flags, BYNAME_TYPE_SET);
  EXPECT_NE(schema.arguments()[1].type->tensor, &spec);
  EXPECT_EQ(schema.arguments()[1].type->tensor->ndim, 2);
  EXPECT_TRUE(parse_schema("f(int[] _0, Tensor _1) -> ()") == schema);
}

TEST(Infer, the_name_is_split_and_may_have_any_bytes) {
  CppSignature signature("int", "int");
  EXPECT_EQ(infer_schema(signature.record(), {}, "f.o").name_parts().overload, "o");
  EXPECT_EQ(infer_schema(signature.record(), {}, "a.b.f", NameForm::kFull).name(), "a.b::f");
  std::string strange("a\0b (", 5);
  EXPECT_EQ(infer_schema(signature.record(), {}, strange).name(), strange);
}

TEST(Infer, parameters_give_names_defaults_and_keyword_only) {
  EXPECT_EQ(inferred({"int, float, str", ""}, {{"a"}, {"b", true, int_value(1)}, {"c", true, text_value("x"), true}}),
            "f(int a, float b=1.0, *, str c=\"x\") -> ()");
  EXPECT_EQ(
      inferred({"int?, int, uint8", ""}, {{"a", true}, {"b", false, {}, true}, {"c", true, int_value(255), true}}),
      "f(int? a=None, *, int b, uint8 c=255) -> ()");
  EXPECT_EQ(inferred({"Device, ScalarType", ""}, {{"a", true, text_value("cpu")}, {"b", true, text_value("float64")}}),
            "f(Device a=\"cpu\", ScalarType b=float64) -> ()");
}

TEST(Infer, a_list_default_is_checked_element_by_element) {
  byname_any items[] = {int_value(1), int_value(-2)};
  byname_any list{};
  ASSERT_EQ(byname_array_new(items, 2, &list), 0);
  EXPECT_EQ(inferred({"int[], float[]", ""}, {{"a", true, list}, {"b", true, list}}),
            "f(int[] a=[1, -2], float[] b=[1.0, -2.0]) -> ()");
  EXPECT_EQ(infer_error({"uint8[]", ""}, {{"a", true, list}}),
            "'f': the default of 'a' (position 1) at element 2 is out of range: expects uint8 (0 to 255), got -2");
  EXPECT_EQ(infer_error({"int", ""}, {{"a", true, list}}),
            "'f': the default of 'a' (position 1) expects int, got list");
  byname_any_drop(&list);
}

TEST(Infer, a_schema_outlives_what_it_was_inferred_from) {
  Schema schema = [] {
    std::string name = "a_function";
    std::string parameter = "parameter";
    std::string text = "a default of some length";
    CppSignature signature("Dict(str, ast.Add?[]), str", "(int, str[])");
    return infer_schema(signature.record(), raw({{parameter}, {"b", true, text_value(text.c_str())}}), name);
  }();
  EXPECT_EQ(print_schema(schema),
            "a_function(Dict(str, ast.Add?[]) parameter, str b=\"a default of some length\") -> (int, str[])");
}

TEST(Infer, bad_parameters_are_refused) {
  EXPECT_EQ(infer_error({"int, int", ""}, {{"a"}}), "'f': expected names for 2 parameters of the C++ function, got 1");
  EXPECT_EQ(infer_error(CppSignature::variadic("int"), {{"a"}}),
            "'f': expected names for no parameter of the C++ function, got 1");
  EXPECT_EQ(infer_error({"int, int", ""}, {{"a"}, {"a"}}), "'f': duplicate argument name 'a'");
  EXPECT_EQ(infer_error({"int", ""}, {{"lambda"}}), "'f': 'lambda' is a reserved word");
  EXPECT_EQ(infer_error({"int", ""}, {{"a b"}}), "'f': parameter name 'a b' is no identifier");
  EXPECT_EQ(infer_error({"int", ""}, {{""}}), "'f': parameter name '' is no identifier");
  EXPECT_EQ(infer_error({"int, int", ""}, {{"a", true, int_value(1)}, {"b"}}),
            "'f': argument 'b' without a default follows 'a', which has one");
  EXPECT_EQ(infer_error({"int, int", ""}, {{"a", false, {}, true}, {"b"}}),
            "'f': positional argument 'b' follows keyword-only 'a'");
  EXPECT_EQ(infer_error({"int, int", ""}, {{"a"}, {"b", true, text_value("x")}}),
            "'f': the default of 'b' (position 2) expects int, got str");
  EXPECT_EQ(infer_error({"int8", ""}, {{"a", true, int_value(128)}}),
            "'f': the default of 'a' (position 1) is out of range: expects int8 (-128 to 127), got 128");
  EXPECT_EQ(infer_error({"bytes", ""}, {{"a", true, text_value("x")}}),
            "'f': the default of 'a' (position 1) expects bytes, got str");
  EXPECT_EQ(infer_error({"Any", ""}, {{"a", true, int_value(1)}}),
            "'f': the default of 'a' (position 1) is refused: type 'Any' takes none (with '?' it takes None)");
}

TEST(Infer, a_type_that_is_nested_too_deeply_is_refused) {
  std::vector<byname_type> types(40, leaf_type(BYNAME_KIND_INT, 64));
  std::vector<const byname_type*> pointers(40);
  for (size_t i = 1; i < types.size(); ++i) {
    pointers[i] = &types[i - 1];
    types[i] = compound_type(BYNAME_KIND_LIST, {&pointers[i], 1});
  }
  byname_signature signature{};
  signature.result = &types[31];
  EXPECT_EQ(error_of([&] { infer_schema(signature, {}, "f"); }), "no error");
  signature.result = &types[32];
  EXPECT_EQ(error_of([&] { infer_schema(signature, {}, "f"); }), "'f': a type is nested too deeply: at most 32 levels");
}

}  // namespace
}  // namespace byname::core
