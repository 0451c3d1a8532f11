#include "base/thread.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace byname::core {
namespace {

std::vector<byname_thread*> known_threads() {
  std::vector<byname_thread*> threads;
  for_each_thread(
      [](void* context, Local* local) { static_cast<std::vector<byname_thread*>*>(context)->push_back(local->thread); },
      &threads);
  return threads;
}

bool is_known(byname_thread* thread) {
  for (byname_thread* known : known_threads()) {
    if (known == thread) return true;
  }
  return false;
}

TEST(Thread, is_known_from_its_first_call_to_its_end) {
  byname_thread* record = nullptr;
  std::thread([&record] {
    record = &byname_this_thread;
    EXPECT_FALSE(is_known(record));
    EXPECT_EQ(record->limit, nullptr);
    Local* local = this_local();
    ASSERT_NE(local, nullptr);
    EXPECT_TRUE(is_known(record));
    EXPECT_EQ(local->thread, record);
    EXPECT_EQ(record->limit, record->hazards + BYNAME_NUM_HAZARDS - 1) << "one slot is spare";
    EXPECT_EQ(this_local(), local);
    EXPECT_EQ(enter_thread(), local);
  }).join();
  EXPECT_FALSE(is_known(record));
}

std::vector<int> given;

TEST(Thread, what_it_keeps_is_given_to_the_hook_when_it_ends) {
  given.clear();
  set_exit_hook(LocalSlot::kFunctions, [](void* slot) { given.push_back(*static_cast<int*>(slot)); });
  int kept = 7;
  std::thread([&kept] { this_local()->slots[static_cast<size_t>(LocalSlot::kFunctions)] = &kept; }).join();
  EXPECT_EQ(given, std::vector<int>{7});
  std::thread([] { this_local(); }).join();
  EXPECT_EQ(given.size(), 1u) << "an empty slot is nobody's";
  set_exit_hook(LocalSlot::kFunctions, nullptr);
}

TEST(Thread, a_hook_that_fills_the_slot_again_is_called_again) {
  given.clear();
  static int second = 8;
  set_exit_hook(LocalSlot::kFunctions, [](void* slot) {
    given.push_back(*static_cast<int*>(slot));
    if (given.size() == 1) this_local()->slots[static_cast<size_t>(LocalSlot::kFunctions)] = &second;
  });
  int first = 7;
  std::thread([&first] { this_local()->slots[static_cast<size_t>(LocalSlot::kFunctions)] = &first; }).join();
  EXPECT_EQ(given, (std::vector<int>{7, 8}));
  set_exit_hook(LocalSlot::kFunctions, nullptr);
}

TEST(Thread, many_may_begin_and_end_while_they_are_visited) {
  std::atomic<bool> ends{false};
  std::thread visiting([&ends] {
    while (!ends) known_threads();
  });
  for (int i = 0; i < 100; ++i) {
    std::thread threads[4];
    for (std::thread& thread : threads) thread = std::thread([] { this_local(); });
    for (std::thread& thread : threads) thread.join();
  }
  ends = true;
  visiting.join();
}

TEST(Thread, a_forked_child_knows_itself_alone) {
  this_local();
  std::atomic<bool> ends{false};
  std::thread other([&ends] {
    this_local();
    while (!ends) std::this_thread::yield();
  });
  while (known_threads().size() < 2) std::this_thread::yield();
  pid_t child = fork();
  if (child == 0) _exit(known_threads() == std::vector<byname_thread*>{&byname_this_thread} ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ends = true;
  other.join();
}

}  // namespace
}  // namespace byname::core
