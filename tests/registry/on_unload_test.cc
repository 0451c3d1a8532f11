// What runs while a module is unloaded, a block runs or a function is freed may wait for threads that collect; the
// former also for threads that load.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "module_support.h"

namespace byname {
namespace {

// Loads a library that calls `first` at the beginning of its on_unload, which throws later.
class DuringOnUnload : public testing::Test {
 protected:
  const std::string path = plugin("core_on_unload");
  std::function<void()> first = [] {};
  std::atomic<int> num_heard{0};  // two for each time that all of it ran

  bool is_loaded() const { return !names("core.on_unload.").empty(); }

 private:
  Warnings warnings_;
  Registration registration_ = register_function("test.on_unload.hear", [this](bool) {
    auto now = first;  // which it may set anew
    if (num_heard++ % 2 == 0) now();
  });
};

// Waits until a thread has done it.
void elsewhere(const std::function<void()>& what) { std::thread(what).join(); }

TEST_F(DuringOnUnload, the_module_may_wait_for_a_thread_that_collects_loads_unloads_and_looks_up) {
  std::string found;
  first = [&] {
    elsewhere([&] {
      collect();
      Module other = load(plugin("core_math"));
      EXPECT_EQ(other.unload(), Texts{});
      Block block("test.on_unload.block", [](Library& lib) { lib.def("f", [] { return std::string("found"); }); });
      found = get("test.on_unload.block.f")().to<std::string>();
      remove("test.on_unload.block.f");
    });
  };
  Module module = load(path);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(found, "found");
  EXPECT_EQ(num_heard, 2);
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(DuringOnUnload, a_thread_may_end_and_all_that_is_left_of_it_runs) {
  first = [] { pthread_exit(nullptr); };
  Module module = load(path);
  std::thread([&] { module.unload(); }).join();
  EXPECT_EQ(num_heard, 2);
  EXPECT_FALSE(module.is_loaded());
  collect();
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(DuringOnUnload, another_unload_runs_nothing_and_is_told_what_holds_the_code) {
  Texts holders;
  Module module = load(path);
  first = [&] {
    elsewhere([&] {
      holders = module.unload();
      EXPECT_EQ(collect(), 0u);
    });
    EXPECT_TRUE(is_mapped(path));
  };
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(holders, Texts{"its own registration or on_unload, which is running"});
  EXPECT_EQ(num_heard, 2);
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(DuringOnUnload, the_module_may_unload_itself_once_more) {
  Texts holders;
  Module module = load(path);
  first = [&] { holders = module.unload(); };
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(holders, Texts{"its own registration or on_unload, which is running"});
  EXPECT_EQ(num_heard, 2);
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(DuringOnUnload, a_load_makes_the_module_whole_again) {
  Module module = load(path);
  first = [&] {
    EXPECT_FALSE(is_loaded());
    elsewhere([&] { load(path); });
    EXPECT_TRUE(is_loaded());
  };
  EXPECT_EQ(module.unload(), Texts{"another load of it, which came meanwhile"});
  EXPECT_TRUE(module.is_loaded());
  EXPECT_EQ(get("core.on_unload.f")().to<int64_t>(), 1);
  EXPECT_EQ(num_heard, 2);
  first = [] {};
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(num_heard, 4) << "it runs for the second load, too";
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(DuringOnUnload, a_load_and_an_unload_run_it_for_both_loads) {
  Module module = load(path);
  first = [&] {
    first = [] {};
    elsewhere([&] {
      load(path);
      EXPECT_EQ(module.unload(), Texts{"its own registration or on_unload, which is running"});
    });
  };
  num_heard = 0;
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(num_heard, 4);
  EXPECT_FALSE(is_mapped(path));
}

TEST(Collecting, leaves_modules_to_a_thread_that_has_the_turn_which_closes_them_afterwards) {
  static const std::string path = plugin("core_objects");
  Module module = load(path);
  Any counter = get("core.objects.Counter")();
  EXPECT_EQ(module.unload(), Texts{"1 object of type 'core.objects.Counter'"});
  counter = Any();
  Block block("test.collecting", [](Library& lib) {
    elsewhere([] { EXPECT_EQ(collect(), 0u); });
    EXPECT_TRUE(is_mapped(path));
    lib.def("f", [] {});
  });
  get("test.collecting.f")();
  EXPECT_FALSE(is_mapped(path));
  remove("test.collecting.f");
}

// Waits for a thread that collects, when it ends.
struct Waiting {
  Waiting() = default;
  Waiting(const Waiting&) = delete;
  Waiting(Waiting&& from) noexcept : is_last(std::exchange(from.is_last, false)) {}
  ~Waiting() {
    if (!is_last) return;
    elsewhere([] { collect(); });
    ++num_ended;
  }
  bool is_last = true;
  static inline std::atomic<int> num_ended{0};
};

TEST(Collecting, is_what_the_state_of_a_freed_function_may_wait_for) {
  Waiting::num_ended = 0;
  register_function("test.collecting.g", [state = Waiting()] {}).keep();
  remove("test.collecting.g");
  collect();
  EXPECT_EQ(Waiting::num_ended, 1);
  register_function("test.collecting.g", [state = Waiting()] {}).keep();
  Module module = load(plugin("core_math"));
  remove("test.collecting.g");
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(Waiting::num_ended, 2);
}

}  // namespace
}  // namespace byname
