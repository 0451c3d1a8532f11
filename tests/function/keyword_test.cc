// Defaults, keywords, and calls whose arguments do not fit.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../error_of.h"
#include "byname/array.h"
#include "byname/byname.h"
#include "byname/convert_std.h"

namespace byname {
namespace {

using namespace literals;

std::string show(int64_t a, int64_t b, std::string_view c) {
  return std::to_string(a) + " " + std::to_string(b) + " " + std::string(c);
}

BYNAME_LIBRARY("test.keyword", lib) {
  lib.def("show", show, {"a"_a, "b"_a = 2, "c"_a = "c"}, "Shows them.");
  lib.def("wide", [](int64_t width) { return width; }, {"width"_a = 1});
  lib.def("schema(int a, int b=2, *, str c=\"c\") -> str", show);
  lib.def("only", show, {"a"_a, keyword_only, "b"_a, "c"_a = "c"});
  lib.def("all_only", show, {keyword_only, "a"_a, "b"_a, "c"_a});
  lib.def("sized(int[2] size, int[3]? more=None) -> int[]",
          [](const std::vector<int64_t>& size, const std::optional<std::vector<int64_t>>& more) {
            std::vector<int64_t> all = size;
            if (more) all.insert(all.end(), more->begin(), more->end());
            return all;
          });
  lib.def("array", [](std::array<double, 2> size) { return size[0] + size[1]; }, {"size"_a});
}

std::string call(const char* name, auto... arguments) { return get(name)(arguments...).template to<std::string>(); }

TEST(Keyword, defaults_stand_for_what_is_left_out) {
  EXPECT_EQ(call("test.keyword.show", 1), "1 2 c");
  EXPECT_EQ(call("test.keyword.show", 1, 3), "1 3 c");
  EXPECT_EQ(call("test.keyword.show", 1, 3, "d"), "1 3 d");
}

TEST(Keyword, arguments_are_given_by_name_in_any_order) {
  EXPECT_EQ(call("test.keyword.show", 1, "c"_a = "d"), "1 2 d");
  EXPECT_EQ(call("test.keyword.show", "c"_a = "d", "b"_a = 5, "a"_a = 4), "4 5 d");
  EXPECT_EQ(call("test.keyword.schema", 1, "b"_a = 5), "1 5 c");
}

// Fault: keyword names that are built at run time
TEST(Keyword, names_may_be_built_at_run_time) {
  for (int i = 0; i < 3; ++i) {
    std::string first(1, static_cast<char>('a' + i));
    std::string second(1, static_cast<char>('a' + (i + 1) % 2));
    if (i == 2) {
      EXPECT_EQ(call("test.keyword.only", 1, Arg(first, "d"), Arg(std::string("b"), 7)), "1 7 d");
    } else {
      EXPECT_EQ(call("test.keyword.show", Arg(second, 5), Arg(first, 4)), i == 0 ? "4 5 c" : "5 4 c");
    }
  }
  std::string unknown = std::string("b") + "b";
  EXPECT_EQ(error_of([&] { call("test.keyword.show", 1, Arg(unknown, 7)); }),
            "TypeError: test.keyword.show(): unexpected keyword 'bb'");
}

TEST(Keyword, keyword_only_arguments_are_given_by_name_alone) {
  EXPECT_EQ(call("test.keyword.only", 1, "b"_a = 2), "1 2 c");
  EXPECT_EQ(call("test.keyword.only", 1, "c"_a = "d", "b"_a = 2), "1 2 d");
  EXPECT_EQ(call("test.keyword.all_only", "c"_a = "d", "b"_a = 2, "a"_a = 1), "1 2 d");
  EXPECT_EQ(error_of([] { call("test.keyword.only", 1, 2); }),
            "TypeError: test.keyword.only(): takes 1 positional argument, got 2; keyword argument 'b' is missing");
  EXPECT_EQ(error_of([] { call("test.keyword.only", 1, 2, "d"); }),
            "TypeError: test.keyword.only(): takes 1 positional argument, got 3; keyword argument 'b' is missing");
  EXPECT_EQ(error_of([] { call("test.keyword.all_only", 1, 2, "d"); }),
            "TypeError: test.keyword.all_only(): takes 0 positional arguments, got 3; keyword argument 'a' is missing; "
            "keyword "
            "argument 'b' is missing; keyword argument 'c' is missing");
  EXPECT_EQ(error_of([] { call("test.keyword.schema", 1, 2, "d"); }),
            "TypeError: test.keyword.schema(): takes 1 to 2 positional arguments, got 3");
}

TEST(Keyword, functions_with_keyword_only_arguments_are_described_as_such) {
  EXPECT_EQ(get("test.keyword.only").schema(), "test.keyword.only(int a, *, int b, str c=\"c\") -> str");
  EXPECT_EQ(get("test.keyword.show").schema(), "test.keyword.show(int a, int b=2, str c=\"c\") -> str");
  EXPECT_EQ(get("test.keyword.show").doc(), "Shows them.");
}

TEST(Keyword, too_few_too_many_unknown_and_doubled_arguments_are_refused) {
  EXPECT_EQ(error_of([] { call("test.keyword.show"); }),
            "TypeError: test.keyword.show(): argument 'a' (position 1) is missing");
  EXPECT_EQ(error_of([] { call("test.keyword.show", 1, 2, "c", 4); }),
            "TypeError: test.keyword.show(): takes 1 to 3 arguments, got 4");
  EXPECT_EQ(error_of([] { call("test.keyword.wide", "widht"_a = 2); }),
            "TypeError: test.keyword.wide(): unexpected keyword 'widht' (did you mean 'width'?)");
  EXPECT_EQ(error_of([] { call("test.keyword.show", 1, "a"_a = 2); }),
            "TypeError: test.keyword.show(): argument 'a' is given twice");
  EXPECT_EQ(error_of([] { call("test.keyword.show", "a"_a = 2, "a"_a = 3); }),
            "TypeError: test.keyword.show(): argument 'a' is given twice");
}

TEST(Keyword, all_that_is_wrong_with_a_call_is_one_error) {
  EXPECT_EQ(error_of([] { call("test.keyword.show", "x", 1.5, 3); }),
            "TypeError: test.keyword.show(): argument 'a' (position 1) expects int, got str; argument 'b' (position 2) "
            "expects int, got float; argument 'c' (position 3) expects str, got int");
  EXPECT_EQ(error_of([] { call("test.keyword.show", "x", "d"_a = 2, "c"_a = 3); }),
            "TypeError: test.keyword.show(): unexpected keyword 'd'; argument 'a' (position 1) expects int, got str; "
            "argument 'c' (position 3) expects str, got int");
}

TEST(Keyword, only_numbers_out_of_range_are_an_overflow) {
  EXPECT_EQ(
      error_of([] { call("test.keyword.show", UINT64_MAX); }),
      "OverflowError: test.keyword.show(): argument 'a' (position 1) expects int, got 18446744073709551615 (out of "
      "range)");
  EXPECT_EQ(error_of([] { call("test.keyword.show", UINT64_MAX, "x"); }),
            "TypeError: test.keyword.show(): argument 'a' (position 1) expects int, got 18446744073709551615 (out of "
            "range); argument 'b' (position 2) expects int, got str");
}

TEST(Keyword, a_positional_argument_follows_no_keyword) {
  EXPECT_EQ(error_of([] { get("test.keyword.show")("a"_a = 1, 2); }),
            "TypeError: positional argument follows keyword argument");
}

TEST(Keyword, a_name_without_a_value_is_no_argument) {
  EXPECT_EQ(error_of([] { get("test.keyword.show")(1, "b"_a); }),
            "TypeError: the keyword argument 'b' has no value (write \"name\"_a = value)");
}

TEST(Keyword, a_function_that_names_nothing_takes_no_keywords) {
  Function add([](int64_t a, int64_t b) { return a + b; });
  EXPECT_EQ(error_of([&] { add(1, "b"_a = 2); }),
            "TypeError: function(): unexpected keyword 'b'; argument '_1' (position 2) is missing");
  Function count([](Args arguments) { return int64_t{arguments.size()}; });
  EXPECT_EQ(error_of([&] { count(1, "b"_a = 2); }), "TypeError: function(): unexpected keyword 'b'");
}

TEST(Keyword, sized_lists_take_one_item_for_all) {
  auto sized = [](auto... arguments) { return get("test.keyword.sized")(arguments...).print(); };
  EXPECT_EQ(sized(3), "[3, 3]");
  EXPECT_EQ(sized(std::vector<int64_t>{1, 2}, 4), "[1, 2, 4, 4, 4]");
  EXPECT_EQ(sized(3, nullptr), "[3, 3]");
  EXPECT_EQ(error_of([&] { sized("x"); }),
            "TypeError: test.keyword.sized(): argument 'size' (position 1) expects int[], got str");
  EXPECT_EQ(get("test.keyword.array")(2).to<double>(), 4.0);
  EXPECT_EQ(get("test.keyword.array")(std::vector<int64_t>{1, 2}).to<double>(), 3.0);
  EXPECT_EQ(error_of([] { get("test.keyword.array")(std::vector<double>{1, 2, 3}); }),
            "TypeError: test.keyword.array(): argument 'size' (position 1) expects float[2], got list (of 3 items)");
}

// Fault: a default is computed once
TEST(Keyword, a_default_is_one_value_for_all_calls) {
  Registration registration =
      register_function("test.keyword.same",
                        [](const Array<int64_t>& list) { return reinterpret_cast<int64_t>(list.raw_items().data()); },
                        {"list"_a = std::vector<int64_t>{1, 2}});
  Handle same = get("test.keyword.same");
  EXPECT_EQ(same().to<int64_t>(), same().to<int64_t>());
  EXPECT_NE(same().to<int64_t>(), 0);
}

TEST(Keyword, bad_lists_of_parameters_are_refused_with_their_place) {
  auto refused = [&](std::string_view text, const auto&... arguments) {
    std::string error = error_of([&] { register_function({text, "plugin.cc", 12}, show, {arguments...}).keep(); });
    return error.substr(error.find("): ") + 3);
  };
  EXPECT_EQ(error_of([] { register_function({"test.keyword.x", "plugin.cc", 12}, show, {"a"_a}).keep(); }),
            "ValueError: cannot register 'test.keyword.x' (plugin.cc:12): 'test.keyword.x': expected names for 3 "
            "parameters of the C++ function, got 1");
  EXPECT_EQ(refused("test.keyword.x", "a"_a, "b"_a = "x", "c"_a = ""),
            "'test.keyword.x': the default of 'b' (position 2) expects int, got str");
  EXPECT_EQ(refused("test.keyword.x(int a) -> str", "a"_a, "b"_a, "c"_a),
            "a list of parameters beside a schema, which names them already");
  EXPECT_EQ(refused("test.keyword.x", keyword_only, "a"_a, keyword_only, "b"_a, "c"_a),
            "keyword_only stands twice in the list of parameters");
  EXPECT_FALSE(find("test.keyword.x").has_value());
}

TEST(Keyword, a_schema_that_the_function_contradicts_is_refused) {
  auto refused = [](std::string_view schema) {
    return error_of([&] { register_function({schema, "plugin.cc", 12}, show).keep(); });
  };
  EXPECT_EQ(
      refused("test.keyword.y(int a) -> str"),
      "ValueError: cannot register 'test.keyword.y' (plugin.cc:12): schema 'test.keyword::y(int a) -> str' does "
      "not fit the function's signature '(int _0, int _1, str _2) -> str': the schema has 1 argument, the C++ function "
      "takes 3");
  EXPECT_EQ(refused("test.keyword.y(int a,) -> str"),
            "ValueError: cannot register 'test.keyword.y' (plugin.cc:12): 1:22: expected a type, got ')'\n"
            "test.keyword.y(int a,) -> str\n"
            "                     ^");
  EXPECT_FALSE(find("test.keyword.y").has_value());
}

TEST(Keyword, nullopt_is_none) {
  Registration registration = register_function(
      "test.keyword.nullopt", [](std::optional<int64_t> n) { return n.value_or(-1); }, {"n"_a = std::nullopt});
  EXPECT_EQ(get("test.keyword.nullopt")().to<int64_t>(), -1);
  EXPECT_EQ(get("test.keyword.nullopt")("n"_a = 3).to<int64_t>(), 3);
  EXPECT_EQ(get("test.keyword.nullopt")("n"_a = std::nullopt).to<int64_t>(), -1);
}

TEST(Keyword, errors_about_keyword_only_arguments_tell_no_position) {
  Registration registration = register_function("test.keyword.only_b", [](int64_t a, int64_t b) { return a + b; },
                                                {"a"_a, keyword_only, "b"_a = 1});
  EXPECT_EQ(error_of([] { get("test.keyword.only_b")(1, "b"_a = "x"); }),
            "TypeError: test.keyword.only_b(): keyword argument 'b' expects int, got str");
  EXPECT_EQ(error_of([] { get("test.keyword.only_b")(1, 2); }),
            "TypeError: test.keyword.only_b(): takes 1 positional argument, got 2");
}

}  // namespace
}  // namespace byname
