// Counting objects by class and by module.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "byname/ref.h"
#include "families.h"
#include "object/class.h"
#include "object/pool.h"

namespace byname::core {
namespace {

struct Plain : Derive<Plain, Object, "test.count.Plain"> {
  int64_t value = 1;
};

uint64_t live(const byname_class* owner) { return live_objects(owner); }
template <class T>
uint64_t live() {
  return live_objects(byname::detail::class_of<T>());
}

TEST(Count, objects_count_from_their_making_to_their_end) {
  EXPECT_EQ(live<Plain>(), 0u);
  ObjectPtr<Plain> first = make<Plain>();
  ObjectPtr<Plain> second = make<Plain>();
  EXPECT_EQ(live<Plain>(), 2u);
  first = nullptr;
  EXPECT_EQ(live<Plain>(), 1u);
  second = nullptr;
  EXPECT_EQ(live<Plain>(), 0u);
}

struct Picky : Derive<Picky, Object, "test.count.Picky"> {
  explicit Picky(int value) {
    if (value < 0) throw std::out_of_range("picky");
  }
};

TEST(Count, an_object_whose_constructor_throws_counts_no_more) {
  EXPECT_THROW(make<Picky>(-1), std::out_of_range);
  EXPECT_EQ(live<Picky>(), 0u);
  Ref<Picky> made = make<Picky>(1);
  EXPECT_EQ(live<Picky>(), 1u);
}

#ifndef __SANITIZE_ADDRESS__
TEST(Count, the_memory_of_an_object_whose_constructor_throws_is_used_again) {
  byname_object* first = make<Picky>(1)->raw();
  EXPECT_THROW(make<Picky>(-1), std::out_of_range);
  EXPECT_EQ(make<Picky>(1)->raw(), first);
}
#endif

struct Dying : Derive<Dying, Object, "test.count.Dying"> {
  ~Dying() { *seen = live_objects(byname::detail::class_of<Dying>()); }
  explicit Dying(uint64_t* seen) : seen(seen) {}
  uint64_t* seen;
};

TEST(Count, an_object_counts_while_its_destructor_runs) {
  uint64_t seen = 0;
  make<Dying>(&seen);
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(live<Dying>(), 0u);
}

TEST(Count, what_only_weak_references_hold_does_not_count) {
  uint64_t seen = 0;
  WeakRef<Dying> weak_of_dying = make<Dying>(&seen);
  WeakRef<Plain> weak_of_plain = make<Plain>();
  EXPECT_TRUE(weak_of_dying.expired());
  EXPECT_EQ(live<Dying>(), 0u);
  EXPECT_EQ(live<Plain>(), 0u);
  weak_of_dying = WeakRef<Dying>();
  weak_of_plain = WeakRef<Plain>();
  EXPECT_EQ(live<Dying>(), 0u);
  EXPECT_EQ(live<Plain>(), 0u);
}

TEST(Count, objects_with_extra_bytes_count_for_the_same_class) {
  static constinit CoreClass owner(BYNAME_OBJECT, 24, 8, nullptr);
  std::vector<byname_object*> made;
  for (size_t extra : {0, 1, 100, 1000}) {
    auto* object = static_cast<byname_object*>(allocate(&owner, extra));
    byname_object_init(object, BYNAME_OBJECT);
    made.push_back(object);
  }
  EXPECT_EQ(live(&owner), 4u);
  for (byname_object* object : made) byname_object_release(object);
  EXPECT_EQ(live(&owner), 0u);
}

TEST(Count, objects_may_be_dropped_in_another_thread_and_either_may_end) {
  std::vector<ObjectPtr<Plain>> objects;
  std::thread([&] {
    for (int i = 0; i < 1000; ++i) objects.push_back(make<Plain>());
  }).join();
  EXPECT_EQ(live<Plain>(), 1000u);
  std::thread([&] { objects.resize(300); }).join();
  EXPECT_EQ(live<Plain>(), 300u);
  objects.clear();
  EXPECT_EQ(live<Plain>(), 0u);
}

TEST(Count, a_sum_never_misses_a_living_object) {
  // One object is alive at every moment, made in one thread and dropped in another.
  std::atomic<Plain*> handed = make<Plain>().leak();
  std::atomic<bool> done = false;
  std::thread dropper([&] {
    while (!done) {
      Plain* next = make<Plain>().leak();
      Ref<Plain>(handed.exchange(next), Adopt());
    }
  });
  std::thread other([&] {
    while (!done) Ref<Plain>(handed.exchange(make<Plain>().leak()), Adopt());
  });
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    uint64_t now = live<Plain>();
    least = std::min(least, now);
    most = std::max(most, now);
  }
  done = true;
  dropper.join();
  other.join();
  Ref<Plain>(handed.load(), Adopt());
  EXPECT_GE(least, 1u);
  EXPECT_LT(most, UINT64_MAX / 2) << "a sum went below zero";
  EXPECT_EQ(live<Plain>(), 0u);
}

#ifdef BYNAME_TSAN
constexpr int kEndRounds = 2;  // ThreadSanitizer's own part of a thread does not live through all of them
#else
constexpr int kEndRounds = 4;  // as often as pthread asks: until the thread can have no record any more
#endif

struct End {
  pthread_key_t key;
  int rounds = 0;
};
End thread_end;

void make_and_drop_at_the_end(void* held) {
  Ref<Plain>(static_cast<Plain*>(held), Adopt());
  make<Plain>();
  if (++thread_end.rounds < kEndRounds) pthread_setspecific(thread_end.key, make<Plain>().leak());
}

TEST(Count, a_thread_counts_to_its_very_end) {
  ASSERT_EQ(pthread_key_create(&thread_end.key, make_and_drop_at_the_end), 0);
  std::thread([] { pthread_setspecific(thread_end.key, make<Plain>().leak()); }).join();
  EXPECT_EQ(thread_end.rounds, kEndRounds);
  EXPECT_EQ(live<Plain>(), 0u);
  pthread_key_delete(thread_end.key);
}

}  // namespace
}  // namespace byname::core
