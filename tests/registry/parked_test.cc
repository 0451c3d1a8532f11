// One call that stays inside does not keep what others remove.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "../sanitized.h"
#include "support.h"

namespace byname {
namespace {

constexpr int kNumRounds = kIsSanitized ? 30'000 : 1'000'000;

size_t resident_bytes() {
  size_t size = 0;
  size_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

std::atomic<int> num_alive{0};

struct State {
  State() { ++num_alive; }
  State(const State&) = delete;
  State(State&&) noexcept { ++num_alive; }
  ~State() { --num_alive; }
  char bytes[200] = {};
};

// A thread that is inside a call until it is told to leave.
class Parked {
 public:
  explicit Parked(const std::string& name) {
    thread_ = std::thread([this, name] { get(name)(reinterpret_cast<int64_t>(this)); });
    while (!is_inside_) std::this_thread::yield();
  }
  ~Parked() {
    may_leave_ = true;
    thread_.join();
  }
  static void park(int64_t self) {
    auto* parked = reinterpret_cast<Parked*>(self);
    parked->is_inside_ = true;
    while (!parked->may_leave_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  std::atomic<bool> is_inside_{false};
  std::atomic<bool> may_leave_{false};
  std::thread thread_;
};

TEST(Parked, a_million_rounds_bring_their_memory_back_while_a_call_is_inside) {
  Registration first = register_function("test.parked.f", [state = State()](int64_t self) { Parked::park(self); });
  {
    Parked parked("test.parked.f");
    first.remove();
    [[maybe_unused]] size_t before = 0;
    int most_alive = 0;
    for (int i = 0; i < kNumRounds; ++i) {
      if (i == kNumRounds / 100) before = resident_bytes();
      Registration registration = register_function("test.parked.f", [state = State()] {});
      most_alive = std::max(most_alive, num_alive.load());
    }
    collect();
    EXPECT_EQ(num_alive, 1) << "the one that is inside";
    EXPECT_LT(most_alive, 100);
#ifndef __SANITIZE_ADDRESS__  // which keeps what was freed for a while
    EXPECT_LT(resident_bytes(), before + (4 << 20));
#endif
  }
  collect();
  EXPECT_EQ(num_alive, 0);
}

TEST(Parked, calls_that_replace_each_other_are_freed_as_each_returns) {
  std::optional<Parked> parked[5];
  Registration registration;
  for (auto& each : parked) {
    registration.remove();
    registration = register_function("test.parked.g", [state = State()](int64_t self) { Parked::park(self); });
    each.emplace("test.parked.g");
  }
  registration.remove();
  collect();
  EXPECT_EQ(num_alive, 5);
  for (int left = 4; left >= 0; --left) {
    parked[left].reset();
    collect();
    EXPECT_EQ(num_alive, left);
  }
}

}  // namespace
}  // namespace byname
