// A thread that is stopped while it holds the registry's mutex delays nobody who only looks up and calls.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <new>
#include <string>
#include <thread>

#include "allocation.h"
#include "byname/byname.h"
#include "registry/registry.h"

namespace {

// The table of names grows under the mutex, and asks for that much memory at once.
constexpr size_t kGrowth = 16 * 1024;

thread_local bool stops_here = false;
std::atomic<bool> is_stopped{false};
std::atomic<bool> may_go_on{false};

void before_allocation(size_t size) {
  if (stops_here && size >= kGrowth) {
    stops_here = false;
    is_stopped = true;
    while (!may_go_on) std::this_thread::yield();
  }
}

}  // namespace

#include "allocation_operators.h"

namespace byname {
namespace {

TEST(StoppedThread, that_holds_the_mutex_delays_no_look_up_and_no_call) {
  Registration registration = register_function("test.stopped.f", [](int64_t a) { return a + 1; });
  std::thread stopped([] {
    stops_here = true;
    for (int i = 0; stops_here; ++i) core::Registry::instance().entry("test.stopped.more" + std::to_string(i));
  });
  while (!is_stopped) std::this_thread::yield();
  // It does hold the mutex: whoever registers waits.
  std::future<void> other = std::async(std::launch::async, [] { register_function("test.stopped.g", [] {}).keep(); });
  EXPECT_EQ(other.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  std::future<void> reader = std::async(std::launch::async, [] {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(get("test.stopped.f")(i).to<int64_t>(), i + 1);
      EXPECT_EQ((get<int64_t(int64_t)>("test.stopped.f")(i)), i + 1);
      EXPECT_FALSE(find("test.stopped.nothing").has_value());
    }
    EXPECT_THROW(get("test.stopped.nothing"), Error);
    EXPECT_EQ(names("test.stopped.f").size(), 1u);
    EXPECT_EQ(get("test.stopped.f").pin()(1).to<int64_t>(), 2);
  });
  ASSERT_EQ(reader.wait_for(std::chrono::seconds(30)), std::future_status::ready) << "a look-up waits for the mutex";
  reader.get();
  EXPECT_EQ(other.wait_for(std::chrono::seconds(0)), std::future_status::timeout) << "it was held all the time";
  may_go_on = true;
  stopped.join();
  other.get();
  EXPECT_TRUE(find("test.stopped.g").has_value());
}

}  // namespace
}  // namespace byname
