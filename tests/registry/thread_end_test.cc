// Threads that begin and end: what they may still do, and what they leave.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support.h"

namespace byname {
namespace {

std::atomic<int64_t> num_calls{0};

BYNAME_LIBRARY("test.thread_end", lib) {
  lib.def("count", [] { return ++num_calls; });
  lib.def("echo", [](std::string_view text) { return std::string(text); });
}

struct CallsAtTheEnd {
  ~CallsAtTheEnd() {
    get("test.thread_end.count")();
    EXPECT_EQ(get("test.thread_end.echo")("a text of more than seven bytes").to<std::string>().size(), 31u);
    EXPECT_EQ(error_of([] { get("test.thread_end.echo")(1); }).substr(0, 9), "TypeError");
    Registration registration = register_function("test.thread_end.late", [] { return int64_t{1}; });
    EXPECT_EQ(get("test.thread_end.late")().to<int64_t>(), 1);
  }
};

TEST(ThreadEnd, destructors_of_thread_local_objects_may_call_and_register) {
  num_calls = 0;
  std::thread([] {
    thread_local CallsAtTheEnd at_the_end;
    static_cast<void>(at_the_end);
  }).join();
  EXPECT_EQ(num_calls, 1);
  std::thread([] {
    thread_local CallsAtTheEnd at_the_end;
    static_cast<void>(at_the_end);
    get("test.thread_end.count")();
  }).join();
  EXPECT_EQ(num_calls, 3);
}

int num_destructors = 0;
std::string last_error;
pthread_key_t key;

// Asks to be called again, as long as pthread does.
void call_again(void* left) {
  ++num_destructors;
  last_error = error_of([] { get("test.thread_end.count")(); });
  auto times = reinterpret_cast<intptr_t>(left);
  if (times > 1) pthread_setspecific(key, reinterpret_cast<void*>(times - 1));
}

TEST(ThreadEnd, destructors_of_pthread_keys_may_call_and_at_the_very_end_get_an_error) {
  pthread_key_create(&key, call_again);
  for (intptr_t times : {1, 2}) {
    num_calls = 0;
    num_destructors = 0;
    std::thread([times] {
      pthread_setspecific(key, reinterpret_cast<void*>(times));
      get("test.thread_end.count")();
    }).join();
    EXPECT_EQ(num_destructors, times);
    EXPECT_EQ(num_calls, times + 1);
    EXPECT_EQ(last_error, "no error");
  }
#ifndef __SANITIZE_THREAD__  // whose own record of the thread is gone by then
  std::thread([] { pthread_setspecific(key, reinterpret_cast<void*>(intptr_t{100})); }).join();
  EXPECT_EQ(num_destructors, 2 + PTHREAD_DESTRUCTOR_ITERATIONS);
  EXPECT_TRUE(last_error == "no error" || last_error.starts_with("NotFound: ")) << last_error;
#endif
  pthread_key_delete(key);
}

TEST(ThreadEnd, threads_leave_nothing_that_removals_would_look_at) {
  for (int i = 0; i < 300; ++i) {
    std::thread([] { get("test.thread_end.count")(); }).join();
  }
  Registration registration = register_function("test.thread_end.after", [state = std::make_shared<int>(1)] {});
  registration.remove();
  EXPECT_EQ(collect(), 0u);
}

TEST(ThreadEnd, an_error_that_nobody_took_ends_with_its_thread) {
  std::thread([] { byname_error_raise({"ValueError", 10}, {"left behind", 11}); }).join();
  EXPECT_EQ(byname_error_take(), nullptr);
}

TEST(ThreadEnd, a_thread_that_is_cancelled_inside_a_call_leaves_no_hazard) {
  static std::atomic<bool> is_inside;
  auto alive = std::make_shared<int>(7);
  std::weak_ptr<int> watch = alive;
  Registration registration = register_function("test.thread_end.hang", [alive = std::move(alive)](int64_t depth) {
    if (depth > 0) get("test.thread_end.hang")(depth - 1);
    is_inside = true;
    for (;;) pause();
  });
  for (int64_t depth : {0, 5, 2 * BYNAME_NUM_HAZARDS}) {
    is_inside = false;
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void* depth) -> void* {
          get("test.thread_end.hang")(reinterpret_cast<int64_t>(depth));
          return nullptr;
        },
        reinterpret_cast<void*>(depth));
    while (!is_inside) std::this_thread::yield();
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }
  registration.remove();
  collect();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace byname
