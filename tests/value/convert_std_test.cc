// The standard library's types in and out.
#include "byname/convert_std.h"

#include <gtest/gtest.h>

#include <string>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

// What comes back after a T was stored, and what it was in between.
template <class T>
std::string between(const T& value) {
  Any stored = value;
  T back = stored.to<T>();
  EXPECT_EQ(back, value);
  Any packed = AnyView([&] {
                 static thread_local typename Convert<T>::Side* side = nullptr;
                 delete side;
                 side = new typename Convert<T>::Side();
                 return Convert<T>::pack(value, *side);
               }())
                   .copy();
  EXPECT_TRUE(packed == stored) << packed.print();
  return stored.print();
}

TEST(ConvertStd, sequences_are_arrays) {
  EXPECT_EQ(between(std::vector<int>{1, 2}), "[1, 2]");
  EXPECT_EQ(between(std::vector<bool>{true, false}), "[True, False]");
  EXPECT_EQ(between(std::vector<std::string>{"a", "a long enough text"}), "['a', 'a long enough text']");
  EXPECT_EQ(between(std::vector<std::vector<double>>{{1}, {}}), "[[1.0], []]");
  EXPECT_EQ(between(std::deque<int64_t>{1, 2}), "[1, 2]");
  EXPECT_EQ(between(std::list<int64_t>{1, 2}), "[1, 2]");
  EXPECT_EQ(between(std::array<int, 3>{1, 2, 3}), "[1, 2, 3]");
  EXPECT_EQ(between(std::array<int, 0>{}), "[]");
  EXPECT_EQ(between(std::set<int>{2, 1}), "[1, 2]");
  EXPECT_EQ(between(std::unordered_set<int>{1}), "[1]");
}

TEST(ConvertStd, dictionaries_are_maps) {
  EXPECT_EQ(between(std::map<std::string, int>{{"b", 2}, {"a", 1}}), "{'a': 1, 'b': 2}");
  EXPECT_EQ(between(std::unordered_map<int, std::vector<int>>{{1, {2}}}), "{1: [2]}");
}

TEST(ConvertStd, bytes_are_bytes_and_not_lists) {
  std::vector<std::byte> bytes = {std::byte{1}, std::byte{'a'}};
  EXPECT_EQ(between(bytes), R"(b'\x01a')");
  EXPECT_EQ(Any(std::span<const std::byte>(bytes)).print(), R"(b'\x01a')");
  Any value = Bytes("a long enough text");
  auto borrowed = value.to<std::span<const std::byte>>();
  EXPECT_EQ(reinterpret_cast<const byname_string*>(value.raw().as_object)->text.data,
            reinterpret_cast<const char*>(borrowed.data()));
  EXPECT_FALSE(Any("text").is<std::vector<std::byte>>());
  EXPECT_EQ(between(std::vector<uint8_t>{1, 2}), "[1, 2]");
}

TEST(ConvertStd, optionals_pairs_and_tuples) {
  EXPECT_EQ(between(std::optional<int>()), "None");
  EXPECT_EQ(between(std::optional<int>(3)), "3");
  EXPECT_EQ(between(std::optional<std::string>("a long enough text")), "'a long enough text'");
  EXPECT_EQ(between(std::pair<int, std::string>(1, "a")), "(1, 'a')");
  EXPECT_EQ(between(std::tuple<int, double, bool>(1, 2, true)), "(1, 2.0, True)");
  EXPECT_EQ(between(std::tuple<>()), "()");
  EXPECT_EQ(between(std::vector<std::optional<int>>{1, std::nullopt}), "[1, None]");
}

TEST(ConvertStd, a_variant_takes_the_first_alternative_that_the_value_is) {
  using Variant = std::variant<std::monostate, double, int64_t, std::string, std::vector<int64_t>>;
  EXPECT_EQ(between(Variant()), "None");
  EXPECT_EQ(between(Variant(2.0)), "2.0");
  // An integer is none of double's as long as an alternative takes integers.
  EXPECT_EQ(between(Variant(int64_t{2})), "2");
  EXPECT_EQ(Any(2).to<Variant>().index(), 2u);
  EXPECT_EQ(between(Variant("text")), "'text'");
  EXPECT_EQ(between(Variant(std::vector<int64_t>{1})), "[1]");
  EXPECT_EQ((Any(2).to<std::variant<std::string, double>>()), (std::variant<std::string, double>(2.0)));
  EXPECT_EQ((Any(300).to<std::variant<int8_t, int16_t>>()), (std::variant<int8_t, int16_t>(int16_t{300})));
  EXPECT_FALSE((Any("text").is<std::variant<int64_t, double>>()));
}

TEST(ConvertStd, references_to_objects_may_be_items) {
  struct Node : Derive<Node, Object, "test.convert_std.Node"> {
    int64_t value = 5;
  };
  Ref<Node> node = make<Node>();
  Any list = std::vector<Ref<Node>>{node, node};
  EXPECT_EQ(node->use_count(), 3u);
  EXPECT_EQ(list.to<std::vector<Ref<Node>>>()[1]->value, 5);
  EXPECT_EQ(list.to<std::vector<Node*>>()[1], node.get());
  EXPECT_EQ((list.to<std::array<Ref<Node>, 2>>()[0]), node);
  Any pair = std::pair<Ref<Node>, int64_t>(node, 1);
  EXPECT_EQ((pair.to<std::pair<Ref<Node>, int64_t>>().first), node);
  list = 1;
  pair = 1;
  EXPECT_EQ(node->use_count(), 1u);
}

TEST(ConvertStd, what_is_not_of_the_type_is_not_loaded) {
  Any mixed = Array<Any>{1, "two"};
  EXPECT_FALSE(mixed.is<std::vector<int64_t>>());
  EXPECT_FALSE((mixed.is<std::array<Any, 3>>()));
  EXPECT_FALSE(Any(Array<int64_t>{300}).is<std::vector<int8_t>>());
  EXPECT_FALSE((Any(Tuple<int64_t>(1)).is<std::pair<int64_t, int64_t>>()));
  EXPECT_FALSE((Any(Map<String, String>{{"a", "b"}}).is<std::map<std::string, int64_t>>()));
}

// Fault: None among items where none is declared
TEST(ConvertStd, none_is_taken_only_where_it_is_declared) {
  Any list = Array<Any>{1, Any()};
  EXPECT_FALSE(list.is<std::vector<int64_t>>());
  EXPECT_TRUE(list.is<std::vector<std::optional<int64_t>>>());
  EXPECT_FALSE(Any(Array<Any>{list}).is<std::vector<std::vector<int64_t>>>());
}

TEST(ConvertStd, durations_are_seconds) {
  using namespace std::chrono;
  EXPECT_EQ(between(seconds(3)), "3.0");
  EXPECT_EQ(between(milliseconds(290)), "0.29");
  EXPECT_EQ(between(hours(-1)), "-3600.0");
  EXPECT_EQ(between(duration<double>(0.5)), "0.5");
  // Rounded to the nearest: 0.29 s are a little less than 290 ms in binary.
  EXPECT_EQ(Any(0.29).to<milliseconds>(), milliseconds(290));
  EXPECT_EQ(Any(2).to<milliseconds>(), milliseconds(2000));
  EXPECT_EQ(Any(1.4).to<seconds>(), seconds(1));
  EXPECT_EQ(between(system_clock::time_point(milliseconds(1'500'000'000'250))), "1500000000.25");
}

TEST(ConvertStd, seconds_that_fit_no_duration_are_an_error) {
  using namespace std::chrono;
  EXPECT_EQ(thrown([] { Any(1e300).to<nanoseconds>(); }), "OverflowError: 1e+300 seconds do not fit");
  EXPECT_EQ(thrown([] { Any(-1e10).to<nanoseconds>(); }), "OverflowError: -10000000000.0 seconds do not fit");
  EXPECT_EQ(thrown([] { Any(1e300).to<system_clock::time_point>(); }), "OverflowError: 1e+300 seconds do not fit");
  EXPECT_EQ(thrown([] { Any(std::nan("")).to<seconds>(); }), "ValueError: expected a number of seconds, got nan");
  EXPECT_EQ(Any(9.2e9).to<nanoseconds>().count(), 9'200'000'000'000'000'000);
}

TEST(ConvertStd, paths_are_text_of_any_bytes) {
  EXPECT_EQ(between(std::filesystem::path("/tmp/a file")), "'/tmp/a file'");
  EXPECT_EQ(between(std::filesystem::path("\xff")), R"('\xff')");
}

enum class Color : uint8_t { kRed = 1, kGreen = 200 };

TEST(ConvertStd, enums_and_single_bytes_are_integers) {
  EXPECT_EQ(between(Color::kGreen), "200");
  EXPECT_EQ(between(std::byte{7}), "7");
}

TEST(ConvertStd, functions_take_and_return_them) {
  Function function([](const std::vector<int64_t>& a, std::span<const double> b, std::optional<std::string> c,
                       std::map<std::string, int64_t> d) {
    double sum = 0;
    for (int64_t item : a) sum += static_cast<double>(item);
    for (double item : b) sum += item;
    return std::tuple(sum, c.value_or("none"), d);
  });
  Any result = function(std::vector<int64_t>{1, 2}, std::vector<double>{0.5}, std::optional<std::string>(),
                        std::map<std::string, int64_t>{{"k", 1}});
  EXPECT_EQ(result.print(), "(3.5, 'none', {'k': 1})");
}

}  // namespace
}  // namespace byname
