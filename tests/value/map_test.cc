// Maps.
#include "byname/map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../sanitized.h"
#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

template <class T>
std::string print(const T& value) {
  return Any(value).print();
}

TEST(Map, keeps_its_entries_in_the_order_in_which_they_came) {
  Map<String, int64_t> map{{"b", 1}, {"a", 2}};
  map.set("c", 3);
  map.set("b", 4);
  EXPECT_EQ(print(map), "{'b': 4, 'a': 2, 'c': 3}");
  EXPECT_TRUE(map.erase("b"));
  EXPECT_FALSE(map.erase("b"));
  map.set("b", 5);
  EXPECT_EQ(print(map), "{'a': 2, 'c': 3, 'b': 5}");
  std::string seen;
  for (const auto& [key, value] : map) seen += std::string(key.view()) + std::to_string(value);
  EXPECT_EQ(seen, "a2c3b5");
}

TEST(Map, finds_by_anything_that_equals_the_key) {
  Map<Any, Any> map{{1, "one"}, {"a long enough text", "text"}, {Tuple<int64_t, String>(1, "x"), "tuple"}};
  EXPECT_EQ(map.at(1.0).print(), "'one'");
  EXPECT_EQ(map.at(true).print(), "'one'");
  EXPECT_EQ(map.at(std::string_view("a long enough text")).print(), "'text'");
  EXPECT_EQ((map[Tuple<int64_t, String>(1, "x")].print()), "'tuple'");
  EXPECT_FALSE(map.contains("1"));
  EXPECT_FALSE(map.contains(Bytes("a long enough text")));
  map.set(1.0, "eins");
  EXPECT_EQ(print(map), "{1: 'eins', 'a long enough text': 'text', (1, 'x'): 'tuple'}");
}

TEST(Map, a_key_that_is_not_there_is_a_key_error) {
  Map<String, int64_t> map{{"a", 1}};
  EXPECT_EQ(thrown([&] { map.at("it's"); }), "KeyError: \"it's\"");
  EXPECT_EQ(thrown([&] { map["b"]; }), "KeyError: 'b'");
  EXPECT_EQ(thrown([&] { Map<int64_t, int64_t>().at(7); }), "KeyError: 7");
  EXPECT_EQ(map.find("b"), std::nullopt);
  EXPECT_EQ(map.find("a"), 1);
  EXPECT_EQ(map.size(), 1u);
}

TEST(Map, inserting_does_not_replace) {
  Map<String, int64_t> map;
  EXPECT_TRUE(map.insert("a", 1));
  EXPECT_FALSE(map.insert("a", 2));
  EXPECT_EQ(map["a"], 1);
}

TEST(Map, a_key_that_cannot_be_hashed_is_refused) {
  Map<Any, int64_t> map;
  Any key = Map<String, int64_t>{{"a", 1}};
  EXPECT_EQ(thrown([&] { map.set(key, 1); }), "TypeError: unhashable type: 'dict'");
  EXPECT_FALSE(map.contains(key));
  EXPECT_FALSE(map.erase(key));
  EXPECT_EQ(raised(), "nothing");
}

TEST(Map, nan_is_a_key_that_is_never_found) {
  Map<double, int64_t> map;
  map.set(NAN, 1);
  map.set(NAN, 2);
  EXPECT_EQ(map.size(), 2u);
  EXPECT_FALSE(map.contains(NAN));
}

TEST(Map, copies_share_until_one_is_changed) {
  Map<String, int64_t> a{{"x", 1}};
  Map<String, int64_t> b = a;
  EXPECT_EQ(Any(a).raw().as_object, Any(b).raw().as_object);
  b.set("y", 2);
  EXPECT_EQ(print(a), "{'x': 1}");
  EXPECT_EQ(print(b), "{'x': 1, 'y': 2}");
  Map<String, int64_t> c = b;
  c.erase("x");
  EXPECT_EQ(print(b), "{'x': 1, 'y': 2}");
  EXPECT_EQ(print(c), "{'y': 2}");
  c.clear();
  EXPECT_EQ(print(c), "{}");
}

TEST(Map, one_that_is_shared_cannot_be_changed_behind_its_holders) {
  Map<String, int64_t> map{{"x", 1}};
  Any held = map;
  Any key = "y";
  EXPECT_EQ(byname_map_put(held.raw().as_object, &key.raw(), &key.raw()), -1);
  EXPECT_EQ(raised(), "RuntimeError: a map that is shared cannot be changed (copy it first)");
  EXPECT_EQ(byname_map_remove(held.raw().as_object, &key.raw()), -1);
  EXPECT_EQ(raised(), "RuntimeError: a map that is shared cannot be changed (copy it first)");
}

TEST(Map, cannot_contain_itself) {
  Any map;
  ASSERT_EQ(byname_map_new(0, map.out()), 0);
  Any key = "self";
  EXPECT_EQ(byname_map_put(map.raw().as_object, &key.raw(), &map.raw()), -1);
  EXPECT_EQ(raised(), "ValueError: a map cannot contain itself");
  // Nor through an array, which then holds it, too.
  Any array = Array<Any>{map};
  EXPECT_EQ(byname_map_put(map.raw().as_object, &key.raw(), &array.raw()), -1);
  EXPECT_EQ(raised(), "RuntimeError: a map that is shared cannot be changed (copy it first)");
}

TEST(Map, loads_only_if_every_entry_is_of_its_types) {
  Any map = Map<Any, Any>{{"a", 1}, {"b", 2}};
  EXPECT_TRUE((map.is<Map<String, int64_t>>()));
  EXPECT_FALSE((map.is<Map<int64_t, int64_t>>()));
  EXPECT_FALSE((map.is<Map<String, String>>()));
  EXPECT_FALSE((Any(1).is<Map<Any, Any>>()));
  EXPECT_TRUE((Any(Map<String, int64_t>()).is<Map<int64_t, String>>()));
}

// Against std::map and a list of keys, through growth, gaps and rewrites.
TEST(Map, behaves_as_a_model_does_over_a_million_random_steps) {
  std::mt19937 random(7);
  Map<int64_t, int64_t> map;
  std::map<int64_t, int64_t> model;
  std::vector<int64_t> order;
  // Two times of growing and shrinking show a sanitizer all that ten do.
  constexpr int kNumSteps = kIsSanitized ? 200'000 : 1'000'000;
  for (int step = 0; step < kNumSteps; ++step) {
    // Phases that grow it and phases that shrink it.
    bool grows = step / 50'000 % 2 == 0;
    auto key = static_cast<int64_t>(random() % 5'000);
    if (random() % 10 < (grows ? 7U : 3U)) {
      if (model.count(key) == 0) order.push_back(key);
      map.set(key, step);
      model[key] = step;
    } else {
      bool was_there = model.erase(key) > 0;
      ASSERT_EQ(map.erase(key), was_there);
      if (was_there) order.erase(std::find(order.begin(), order.end(), key));
    }
    ASSERT_EQ(map.size(), model.size());
    auto probe = static_cast<int64_t>(random() % 5'000);
    auto known = model.find(probe);
    ASSERT_EQ(map.find(probe), known == model.end() ? std::nullopt : std::optional(known->second));
    if (step % 10'000 != 0) continue;
    std::vector<int64_t> keys;
    for (const auto& [each, value] : map) {
      keys.push_back(each);
      ASSERT_EQ(value, model.at(each));
    }
    ASSERT_EQ(keys, order);
  }
}

TEST(Map, a_queue_of_a_million_keys_takes_constant_time_each) {
  Map<int64_t, int64_t> map;
  for (int64_t i = 0; i < 100; ++i) map.set(i, i);
  for (int64_t i = 100; i < 1'000'000; ++i) {
    map.set(i, i);
    // The oldest: the walk must not begin with all the gaps that removals left.
    ASSERT_EQ((*map.begin()).first, i - 100);
    map.erase(i - 100);
  }
  EXPECT_EQ(map.size(), 100u);
}

TEST(Map, values_that_are_replaced_or_removed_are_dropped) {
  Any kept = String("some long enough text");
  auto references = [&] { return kept.raw().as_object->counts & 0xffffffff; };
  Map<String, Any> map{{"a", kept}, {"b", kept}};
  EXPECT_EQ(references(), 3u);
  map.set("a", 1);
  EXPECT_EQ(references(), 2u);
  map.erase("b");
  EXPECT_EQ(references(), 1u);
  map.set("c", kept);
  map.clear();
  EXPECT_EQ(references(), 1u);
}

TEST(Map, may_be_given_its_own_values_while_it_grows) {
  byname_any map{};
  ASSERT_EQ(byname_map_new(0, &map), 0);
  Any owner(map, Adopt());
  Any text = "a text of more than seven bytes";
  Any zero = 0;
  ASSERT_EQ(byname_map_put(map.as_object, &zero.raw(), &text.raw()), 0);
  text = Any();
  for (int i = 1; i < 200; ++i) {
    Any key = i;
    ASSERT_EQ(byname_map_put(map.as_object, &key.raw(), byname_map_get(map.as_object, &zero.raw())), 0);
  }
  Any last = 199;
  EXPECT_EQ(Any(AnyView(*byname_map_get(map.as_object, &last.raw()))).print(), "'a text of more than seven bytes'");
}

}  // namespace
}  // namespace byname
