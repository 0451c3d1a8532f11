// Nesting a million deep on a stack of 512 KiB, which a hundred thousand levels of recursion would overflow too.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <string>

#include "../sanitized.h"
#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

constexpr int kDepth = kIsSanitized ? 100'000 : 1'000'000;

void run_on_small_stack(const std::function<void()>& function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread{};
  auto run = [](void* context) -> void* {
    (*static_cast<const std::function<void()>*>(context))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&function)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// One level around a value.
using Wrap = Any (*)(Any inner);

Any nested(Wrap wrap, int depth = kDepth) {
  Any value = 1;
  for (int i = 0; i < depth; ++i) value = wrap(std::move(value));
  return value;
}

uint64_t hash_of(const Any& value) {
  uint64_t hash = 0;
  detail::check(byname_any_hash(&value.raw(), &hash));
  return hash;
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out.append(text);
  return out;
}

void check_nesting(Wrap wrap, std::string_view before, std::string_view after, bool can_be_hashed) {
  Any shallower = nested(wrap, kDepth - 1);
  Any a = wrap(shallower);
  Any b = nested(wrap);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == shallower);
  EXPECT_FALSE(shallower == a);
  std::string text = a.print();
  EXPECT_TRUE(text == repeat(before, kDepth) + "1" + repeat(after, kDepth));
  if (can_be_hashed) {
    EXPECT_EQ(hash_of(a), hash_of(b));
    EXPECT_NE(hash_of(a), hash_of(shallower));
  } else {
    EXPECT_EQ(thrown([&] { hash_of(a); }), "TypeError: unhashable type: 'dict'");
  }
}

// Fault: a tree that is a million deep
TEST(Deep, nested_arrays_are_built_compared_hashed_printed_and_dropped) {
  run_on_small_stack([] { check_nesting([](Any inner) -> Any { return Array<Any>{inner}; }, "[", "]", true); });
}

// Fault: a tree that is a million deep
TEST(Deep, nested_arrays_with_something_behind_the_inner_one_too) {
  run_on_small_stack(
      [] { check_nesting([](Any inner) -> Any { return Array<Any>{0, inner, 2}; }, "[0, ", ", 2]", true); });
}

// Fault: a tree that is a million deep
TEST(Deep, nested_tuples_too) {
  run_on_small_stack([] { check_nesting([](Any inner) -> Any { return Tuple<Any>(inner); }, "(", ",)", true); });
}

// Fault: a tree that is a million deep
TEST(Deep, nested_maps_too_but_for_hashes) {
  run_on_small_stack([] {
    check_nesting([](Any inner) -> Any { return Map<String, Any>{{"k", inner}, {"l", 2}}; }, "{'k': ", ", 'l': 2}",
                  false);
  });
}

TEST(Deep, a_deep_value_can_be_a_key) {
  run_on_small_stack([] {
    auto wrap = [](Any inner) -> Any { return Array<Any>{inner}; };
    Map<Any, int64_t> map{{nested(wrap), 7}};
    EXPECT_EQ(map.at(nested(wrap)), 7);
    EXPECT_FALSE(map.contains(nested(wrap, kDepth - 1)));
  });
}

}  // namespace
}  // namespace byname
