// Chains through everything of Byname's that can hold something.
#include <gtest/gtest.h>
#include <pthread.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "../sanitized.h"
#include "byname/byname.h"

namespace {

using byname::Any;
using byname::Array;
using byname::Function;
using byname::Map;
using byname::Tuple;

constexpr int kLength = byname::kIsSanitized ? 100'000 : 1'000'000;

int num_holders = 0;

struct Holder : byname::Derive<Holder, byname::Object, "test.chain.Holder"> {
  explicit Holder(Any next) : value(std::move(next)) { ++num_holders; }
  ~Holder() { --num_holders; }
  std::variant<int, Any> either;
  std::optional<Any> maybe;
  Any value;
};

constexpr int kWays = 7;

// A value that holds `next`, in one way or another.
Any hold(Any next, int way) {
  switch (way) {
    case 0:
      return Array<Any>({std::move(next)});
    case 1:
      return Map<std::string, Any>({{"next", std::move(next)}});
    case 2:
      return Tuple<int, Any>(7, std::move(next));
    case 3:
      return Function([next = std::move(next)]() -> Any { return next; });
    case 4: {
      auto holder = byname::make<Holder>(Any());
      holder->either = std::move(next);
      return holder;
    }
    case 5: {
      auto holder = byname::make<Holder>(Any());
      holder->maybe = std::move(next);
      return holder;
    }
    default:
      return byname::make<Holder>(std::move(next));
  }
}

// The first link is of `way`, and each next one `step` further.
Any chain(int way, int step) {
  Any head = 1;
  for (int i = 0; i < kLength; ++i) head = hold(std::move(head), (way + i * step) % kWays);
  return head;
}

void run_on_small_stack(void (*function)()) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread;
  auto call = [](void* context) -> void* {
    reinterpret_cast<void (*)()>(context)();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, reinterpret_cast<void*>(function)), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

TEST(Chain, a_million_links_of_all_kinds_in_turn_are_dropped_on_a_small_stack) {
  run_on_small_stack([] {
    Any head = chain(0, 1);
    EXPECT_GE(num_holders, kLength / kWays * 3);
  });
  EXPECT_EQ(num_holders, 0);
}

class ChainOfOneKind : public testing::TestWithParam<int> {};

TEST_P(ChainOfOneKind, of_a_million_links_is_dropped_on_a_small_stack) {
  static int way;
  way = GetParam();
  run_on_small_stack([] { chain(way, 0); });
  EXPECT_EQ(num_holders, 0);
}

INSTANTIATE_TEST_SUITE_P(All, ChainOfOneKind, testing::Range(0, kWays));

}  // namespace
