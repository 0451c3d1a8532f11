// Children that are forked while other threads are at work.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "byname/listener.h"
#include "support.h"

namespace byname {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kNumForks = 20;
#else
constexpr int kNumForks = 100;
#endif

// All that a child may do; 0 if all of it worked.
int use_everything() {
  if (get("test.fork.f")(1).to<int64_t>() != 2) return 1;
  Registration registration = register_function("test.fork.child", [](double x) { return x; });
  if (get<double(double)>("test.fork.child")(1.5) != 1.5) return 2;
  int num_heard = 0;
  Listener listener([&](std::string_view name, bool) { num_heard += name == "test.fork.heard" ? 1 : 0; });
  register_function("test.fork.heard", [] {}).keep();
  remove("test.fork.heard");
  if (num_heard != 2) return 3;
  if (error_of([] { get("test.fork.f")("x"); }).substr(0, 9) != "TypeError") return 4;
  if (error_of([] { get("test.fork.missing"); }).substr(0, 8) != "NotFound") return 5;
  if (error_of([] { Function([] { throw std::out_of_range("far"); })(); }) != "IndexError: far") return 6;
  collect();
  return 0;
}

// Fault: a fork while threads are at work
TEST(Fork, a_child_calls_registers_listens_and_fails_as_its_parent_does) {
  Registration f = register_function("test.fork.f", [](int64_t a) { return a + 1; });
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&ends, name = "test.fork.busy" + std::to_string(i)] {
      while (!ends) {
        Registration registration = register_function(std::string_view(name), [](std::string_view) {});
        error_of([&] { get(name)(1); });
        get("test.fork.f")(1);
        std::thread([] { get("test.fork.f")(1); }).join();
      }
    });
  }
  for (int i = 0; i < kNumForks; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);  // a child that hangs is killed, and fails
      int code = 99;
      try {
        code = use_everything();
      } catch (...) {
      }
      _exit(code);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status) << " at fork " << i;
    ASSERT_EQ(WEXITSTATUS(status), 0) << "at fork " << i;
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
}

// Fault: a fork while threads are at work
TEST(Fork, a_call_that_another_thread_is_inside_of_holds_nothing_in_the_child) {
  auto alive = std::make_shared<int>(1);
  std::weak_ptr<int> watch = alive;
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  Registration registration = register_function("test.fork.parked", [alive = std::move(alive), &is_inside, &may_leave] {
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
  });
  std::thread caller([] { get("test.fork.parked")(); });
  while (!is_inside) std::this_thread::yield();
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    registration.remove();
    collect();
    _exit(watch.expired() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  may_leave = true;
  caller.join();
}

}  // namespace
}  // namespace byname
