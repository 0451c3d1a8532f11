// Objects and several threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "byname/ref.h"

namespace {

using byname::Derive;
using byname::make;
using byname::Object;
using byname::ObjectPtr;
using byname::Ref;
using byname::WeakRef;

#ifdef BYNAME_TSAN
constexpr int kRounds = 500;
#else
constexpr int kRounds = 5'000;
#endif

constexpr int64_t kAlive = 0x5ca1ab1e;
std::atomic<int> num_dropped = 0;

struct Guarded : Derive<Guarded, Object, "test.race.Guarded"> {
  ~Guarded() {
    value = 0;
    ++num_dropped;
  }
  int64_t value = kAlive;
};

// Threads that wait for each other before each round.
class Together {
 public:
  explicit Together(int size) : size_(size) {}
  void wait() {
    int round = round_;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++round_;
    }
    while (round_ == round) std::this_thread::yield();
  }

 private:
  const int size_;
  std::atomic<int> waiting_ = 0;
  std::atomic<int> round_ = 0;
};

TEST(Race, a_weak_reference_gives_a_living_object_or_none_while_the_last_strong_one_goes) {
  num_dropped = 0;
  Together together(3);
  ObjectPtr<Guarded> object;
  WeakRef<Guarded> weak[2];
  auto lock = [&](WeakRef<Guarded>& mine) {
    for (int i = 0; i < kRounds; ++i) {
      together.wait();
      for (int j = 0; j < 3; ++j) {
        ObjectPtr<Guarded> locked = mine.lock();
        EXPECT_TRUE(locked == nullptr || locked->value == kAlive);
      }
      mine = WeakRef<Guarded>();
      together.wait();
    }
  };
  std::thread first([&] { lock(weak[0]); });
  std::thread second([&] { lock(weak[1]); });
  for (int i = 0; i < kRounds; ++i) {
    object = make<Guarded>();
    weak[0] = object;
    weak[1] = object;
    together.wait();
    object = nullptr;
    together.wait();
    EXPECT_EQ(num_dropped, i + 1);
  }
  first.join();
  second.join();
}

TEST(Race, many_threads_share_and_drop_one_object) {
  num_dropped = 0;
  constexpr int kThreads = 4;
  Together together(kThreads + 1);
  ObjectPtr<Guarded> object = make<Guarded>();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, mine = object]() mutable {
      together.wait();
      for (int j = 0; j < kRounds; ++j) {
        ObjectPtr<Guarded> copy = mine;
        WeakRef<Guarded> weak = copy;
        copy = nullptr;
        EXPECT_EQ(weak.lock()->value, kAlive);
      }
      mine = nullptr;
    });
  }
  object = nullptr;
  together.wait();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_dropped, 1);
}

struct LazyBase : Derive<LazyBase, Object, "test.race.LazyBase"> {};
struct LazyChild : Derive<LazyChild, LazyBase, "test.race.LazyChild"> {};

TEST(Race, threads_that_use_a_type_for_the_first_time_at_once_agree_on_it) {
  constexpr int kThreads = 4;
  Together together(kThreads);
  std::vector<std::thread> threads;
  std::vector<ObjectPtr<Object>> made(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      together.wait();
      Ref<LazyChild> child = make<LazyChild>();
      EXPECT_TRUE(byname::is_instance<LazyBase>(child.get()));
      EXPECT_FALSE(byname::is_instance<Guarded>(child.get()));
      made[i] = std::move(child);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ObjectPtr<Object>& object : made) {
    EXPECT_EQ(object->type_index(), made[0]->type_index());
    EXPECT_EQ(byname_object_prefix(object->raw())->owner, byname_object_prefix(made[0]->raw())->owner);
  }
}

}  // namespace
