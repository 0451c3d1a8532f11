// Loading and unloading without memory: all of it or nothing.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "module_support.h"

namespace {
void before_allocation(size_t) {}
}  // namespace

#include "allocation_operators.h"

namespace byname {
namespace {

// Does it again and again, with one allocation that fails, a later one each time, until it succeeds.
template <class Do, class Check>
void with_each_failure(Do what, Check check_nothing_changed) {
  for (int num_failures = 0;; ++num_failures) {
    ASSERT_LT(num_failures, 10'000);
    allocations_left = num_failures;
    try {
      what();
      allocations_left = -1;
      EXPECT_GT(num_failures, 5);
      return;
    } catch (const std::exception&) {
      allocations_left = -1;
    }
    check_nothing_changed(num_failures);
    if (testing::Test::HasFailure()) return;
  }
}

class ModuleMemory : public testing::Test {
 protected:
  void TearDown() override { collect(); }
  const std::string path = plugin("core_on_unload");
};

TEST_F(ModuleMemory, a_load_that_has_none_leaves_nothing) {
  load(path).unload();  // names stay known
  std::optional<Module> module;
  with_each_failure([&] { module = load(path); },
                    [&](int failure) {
                      collect();
                      EXPECT_EQ(names("core.on_unload"), Texts{}) << "failure " << failure;
                      EXPECT_FALSE(is_mapped(path)) << "failure " << failure;
                    });
  EXPECT_EQ(names("core.on_unload"), Texts{"core.on_unload.f"});
  EXPECT_EQ(module->unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

TEST_F(ModuleMemory, a_load_of_what_is_loaded_that_has_none_changes_nothing) {
  int heard = 0;
  Registration hear = register_function("test.on_unload.hear", [&](bool) { ++heard; });
  Module shapes = load(plugin("core_shapes"));  // there are factories
  Module module = load(path);
  with_each_failure([&] { load(path); },
                    [&](int failure) {
                      EXPECT_TRUE(module.is_loaded()) << "failure " << failure;
                      EXPECT_EQ(names("core.on_unload"), Texts{"core.on_unload.f"}) << "failure " << failure;
                    });
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(heard, 2) << "its on_unload is still known";
  EXPECT_EQ(names("core.on_unload"), Texts{});
  EXPECT_EQ(shapes.unload(), Texts{});
}

TEST_F(ModuleMemory, an_unload_that_has_none_is_done_or_not) {
  int heard = 0;
  Registration hear = register_function("test.on_unload.hear", [&](bool) { ++heard; });
  Module module = load(path);
  with_each_failure([&] { module.unload(); },
                    [&](int failure) {
                      if (module.is_loaded()) {
                        EXPECT_EQ(names("core.on_unload"), Texts{"core.on_unload.f"}) << "failure " << failure;
                        EXPECT_EQ(heard, 0) << "failure " << failure;
                      } else {
                        EXPECT_EQ(names("core.on_unload"), Texts{}) << "failure " << failure;
                      }
                    });
  EXPECT_EQ(names("core.on_unload"), Texts{});
  collect();
  EXPECT_FALSE(is_mapped(path));
}

}  // namespace
}  // namespace byname
