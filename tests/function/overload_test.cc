// Overloads: the best fit is called, whatever the order of registration.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "../error_of.h"
#include "byname/byname.h"
#include "byname/convert_std.h"

namespace byname {
namespace {

using namespace literals;

template <class T>
Registration overload(const std::string& name, const char* which) {
  return register_function(std::string_view(name), [which](T) { return std::string(which); });
}

const std::vector<Registration (*)(const std::string&)> kAll = {
    [](const std::string& p) { return overload<uint8_t>(p + "::f.u8", "u8"); },
    [](const std::string& p) { return overload<uint16_t>(p + "::f.u16", "u16"); },
    [](const std::string& p) { return overload<uint32_t>(p + "::f.u32", "u32"); },
    [](const std::string& p) { return overload<uint64_t>(p + "::f.u64", "u64"); },
    [](const std::string& p) { return overload<int64_t>(p + "::f.i64", "i64"); },
    [](const std::string& p) { return overload<double>(p + "::f.double", "double"); },
    [](const std::string& p) { return overload<bool>(p + "::f.bool", "bool"); },
    [](const std::string& p) { return overload<std::string_view>(p + "::f.str", "str"); }};

struct Width {
  byname_scalar scalar;
  AnyView view() const {
    byname_any value{BYNAME_SCALAR_VIEW, 0, {0}};
    value.as_scalar = &scalar;
    return value;
  }
};
Width number(uint8_t code, uint8_t bits, Any value) { return {{{code, bits, 1}, value.raw(), 0, {nullptr, 0}}}; }

// What a call with each value reaches.
std::string choices(Handle f) {
  const Any values[] = {200, 300, 70000, INT64_C(1) << 40, UINT64_MAX, -1, 1.5, true, "x"};
  std::string text;
  for (const Any& value : values) text += f(value).to<std::string>() + " ";
  const Width widths[] = {number(1, 64, 200), number(1, 32, 200), number(1, 16, 200), number(1, 8, 200),
                          number(0, 64, 200), number(0, 32, 200), number(2, 32, 1.5), number(6, 8, false)};
  for (const Width& width : widths) text += f(width.view()).to<std::string>() + " ";
  return text;
}

constexpr std::string_view kChoices = "u8 u16 u32 i64 u64 i64 double bool str u64 u32 u16 u8 i64 i64 double bool ";

// Fault: the width that fits wins in every order of registration
// Fault: a bool picks the bool overload, an int the int one
TEST(Overload, the_choice_is_the_same_whichever_is_registered_first_and_last) {
  std::vector<size_t> order(kAll.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i < 2 * order.size(); ++i) {
    std::vector<Registration> registrations;
    for (size_t place : order) registrations.push_back(kAll[place]("test.overload"));
    ASSERT_EQ(choices(get("test.overload.f")), kChoices) << testing::PrintToString(order);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    if (i == order.size()) std::reverse(order.begin(), order.end());
  }
}

TEST(Overload, each_is_a_function_by_itself_and_all_are_one) {
  std::vector<Registration> registrations;
  for (auto registered : kAll) registrations.push_back(registered("test.overload"));
  EXPECT_EQ(get("test.overload::f.u64")(7).to<std::string>(), "u64");
  EXPECT_EQ(error_of([] { get("test.overload::f.bool")(7); }),
            "TypeError: test.overload::f.bool(): argument '_0' (position 1) expects bool, got int");
  EXPECT_EQ(get("test.overload.f")(7).to<std::string>(), "u8");
}

TEST(Overload, they_come_and_go_one_by_one) {
  Registration plain = overload<int64_t>("test.overload.g", "plain");
  EXPECT_EQ(get("test.overload.g")(true).to<std::string>(), "plain");
  {
    Registration more = overload<bool>("test.overload::g.bool", "bool");
    EXPECT_EQ(get("test.overload.g")(true).to<std::string>(), "bool");
    EXPECT_EQ(get("test.overload.g")(1).to<std::string>(), "plain");
  }
  EXPECT_EQ(get("test.overload.g")(true).to<std::string>(), "plain");
  Registration more = overload<bool>("test.overload::g.bool", "bool");
  plain.remove();
  EXPECT_EQ(get("test.overload.g")(true).to<std::string>(), "bool");
  EXPECT_TRUE(error_of([] { get("test.overload.g")(1); }).starts_with("TypeError: test.overload.g(): no overload"));
  more.remove();
  EXPECT_FALSE(find("test.overload.g").has_value());
}

TEST(Overload, several_arguments_are_weighed_against_each_other) {
  Registration registrations[] = {
      register_function("test.overload::h.ii", [](int64_t, int64_t) { return std::string("ii"); }, {"a"_a, "b"_a}),
      register_function("test.overload::h.id", [](int64_t, double) { return std::string("id"); }, {"a"_a, "b"_a}),
      register_function("test.overload::h.di", [](double, int64_t) { return std::string("di"); }, {"a"_a, "b"_a}),
      register_function("test.overload::h.i", [](int64_t) { return std::string("i"); }, {"a"_a})};
  Handle h = get("test.overload.h");
  EXPECT_EQ(h(1, 2).to<std::string>(), "ii");
  EXPECT_EQ(h(1, 2.5).to<std::string>(), "id");
  EXPECT_EQ(h(1.5, 2).to<std::string>(), "di");
  EXPECT_EQ(h(1).to<std::string>(), "i");
  EXPECT_EQ(h("b"_a = 2.5, "a"_a = 1).to<std::string>(), "id");
  EXPECT_EQ(
      error_of([&] { h(1.5, 2.5); }),
      "TypeError: test.overload.h(): no overload takes (float, float)\n"
      "  test.overload::h.ii(int a, int b) -> str: argument 'a' (position 1) expects int, got float; argument 'b' "
      "(position 2) expects int, got float\n"
      "  test.overload::h.id(int a, float b) -> str: argument 'a' (position 1) expects int, got float\n"
      "  test.overload::h.di(float a, int b) -> str: argument 'b' (position 2) expects int, got float\n"
      "  test.overload::h.i(int a) -> str: takes 1 argument, got 2");
  EXPECT_EQ(error_of([&] { h(1, "c"_a = 2); }).substr(0, 64),
            "TypeError: test.overload.h(): no overload takes (int, c=int)\n  t");
}

TEST(Overload, a_tie_names_both) {
  Registration registrations[] = {register_function("test.overload::tie.id", [](int64_t, double) {}, {"a"_a, "b"_a}),
                                  register_function("test.overload::tie.di", [](double, int64_t) {}, {"a"_a, "b"_a})};
  EXPECT_EQ(error_of([] { get("test.overload.tie")(1, 2); }),
            "TypeError: test.overload.tie(): (int, int) fits two overloads equally well (convert an argument)\n"
            "  test.overload::tie.id(int a, float b) -> ()\n"
            "  test.overload::tie.di(float a, int b) -> ()");
}

// Fault: an array never decays to a scalar where an overload takes arrays
TEST(Overload, an_array_never_decays_to_a_scalar) {
  auto chosen = [](const Any& value) { return get("test.overload.a")(value).to<std::string>(); };
  auto check = [&] {
    EXPECT_EQ(chosen(std::vector<int64_t>{1}), "list");
    EXPECT_EQ(chosen(Tensor::of(std::vector<int64_t>{1}, {1})), "tensor");
    EXPECT_EQ(chosen(Tensor::of(std::vector<int64_t>{1}, {})), "tensor");
    EXPECT_EQ(chosen(1), "int");
  };
  {
    Registration scalar = overload<int64_t>("test.overload::a.int", "int");
    Registration list = overload<std::vector<int64_t>>("test.overload::a.list", "list");
    Registration tensor = overload<Tensor>("test.overload::a.tensor", "tensor");
    check();
  }
  Registration tensor = overload<Tensor>("test.overload::a.tensor", "tensor");
  Registration list = overload<std::vector<int64_t>>("test.overload::a.list", "list");
  Registration scalar = overload<int64_t>("test.overload::a.int", "int");
  check();
  Registration alone = overload<int64_t>("test.overload.b", "int");
  EXPECT_EQ(error_of([] { get("test.overload.b")(Tensor::of(std::vector<int64_t>{1}, {1})); }),
            "TypeError: test.overload.b(): argument '_0' (position 1) expects int, got Tensor");
}

TEST(Overload, defaults_sized_lists_and_keyword_only_arguments_take_part) {
  Registration registrations[] = {
      register_function("test.overload::d.one", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a = 10}),
      register_function("test.overload::d.named", [](std::string_view, int64_t b) { return b; },
                        {"a"_a, keyword_only, "b"_a}),
      register_function("test.overload::d.sized(int[2] a, str c) -> int",
                        [](const std::vector<int64_t>& a, std::string_view) { return a[0] + a[1]; })};
  Handle d = get("test.overload.d");
  EXPECT_EQ(d(1).to<int64_t>(), 11);
  EXPECT_EQ(d("x", "b"_a = 5).to<int64_t>(), 5);
  EXPECT_EQ(d(3, "c").to<int64_t>(), 6);
  EXPECT_EQ(d(std::vector<int64_t>{3, 4}, "c"_a = "c").to<int64_t>(), 7);
  EXPECT_TRUE(error_of([&] { d("x", 5); }).starts_with("TypeError: test.overload.d(): no overload takes (str, int)"));
}

TEST(Overload, identical_parameters_are_refused_at_registration_in_either_order) {
  auto function = [](int64_t a) { return a; };
  auto refused = [&](std::string_view first, std::string_view second) {
    Registration kept = register_function({first, "first.cc", 1}, function, {"a"_a});
    return error_of([&] { register_function({second, "second.cc", 2}, function, {"b"_a}).keep(); });
  };
  constexpr const char* kExpected = "ValueError: overloads take the same parameters: ";
  EXPECT_EQ(refused("test.overload::same.x", "test.overload::same.y"),
            std::string(kExpected) +
                "test.overload::same.x(int a) -> int at first.cc:1 and test.overload::same.y(int b) "
                "-> int at second.cc:2");
  EXPECT_EQ(
      refused("test.overload.same", "test.overload::same.y"),
      std::string(kExpected) +
          "test.overload.same(int a) -> int at first.cc:1 and test.overload::same.y(int b) -> int at second.cc:2");
  EXPECT_TRUE(refused("test.overload::same.x", "test.overload.same").starts_with(kExpected));
  EXPECT_FALSE(find("test.overload.same").has_value());
}

TEST(Overload, the_schema_of_the_name_tells_all_of_them) {
  Registration registrations[] = {overload<bool>("test.overload::s.bool", "bool"),
                                  overload<int64_t>("test.overload::s.int", "int")};
  Any described;
  detail::check(byname_function_describe(get("test.overload.s").pin().raw(), described.out()));
  std::string text = described.print();
  EXPECT_NE(text.find("'kind': 'overloads'"), std::string::npos) << text;
  EXPECT_NE(text.find("'overloads': ['test.overload::s.bool(bool _0) -> str', 'test.overload::s.int(int _0) -> str']"),
            std::string::npos)
      << text;
}

TEST(Overload, the_documentation_of_the_name_is_that_of_all_of_them) {
  Registration first = register_function("test.overload::d.bool", [](bool) {}, {}, "Of a bool.");
  Registration second = register_function("test.overload::d.int", [](int64_t) {});
  EXPECT_EQ(get("test.overload.d").doc(),
            "test.overload::d.bool(bool _0) -> ()\nOf a bool.\n\ntest.overload::d.int(int _0) -> ()");
}

// A value holds its overloads, registered or not.
TEST(Overload, a_pinned_name_goes_on_without_them) {
  std::vector<Registration> registrations;
  registrations.push_back(overload<bool>("test.overload::p.bool", "bool"));
  registrations.push_back(overload<int64_t>("test.overload::p.int", "int"));
  Function pinned = get("test.overload.p").pin();
  registrations.clear();
  EXPECT_EQ(pinned(true).to<std::string>(), "bool");
  EXPECT_EQ(pinned(1).to<std::string>(), "int");
}

}  // namespace
}  // namespace byname
