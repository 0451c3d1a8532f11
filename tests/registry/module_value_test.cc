// A module as a value.
#include <gtest/gtest.h>

#include <algorithm>

#include "module_support.h"

namespace byname {
namespace {

TEST(ModuleValue, a_module_is_one_value_as_long_as_somebody_has_it) {
  Module first = load(plugin("core_math"));
  Module second = load(plugin("core_math"));
  EXPECT_EQ(first.raw(), second.raw());
  EXPECT_EQ(std::ranges::count(modules(), first.raw(), &Module::raw), 1);
}

TEST(ModuleValue, all_modules_are_those_that_are_loaded_and_those_whose_code_is_held) {
  Module module = load(plugin("core_math"));
  Any kept = get("core.math.add").pin();
  EXPECT_EQ(module.unload(), Texts{"function 'core.math.add', referenced or running"});
  EXPECT_EQ(std::ranges::count(modules(), module.raw(), &Module::raw), 1);
  kept = Any();
  collect();
  EXPECT_EQ(std::ranges::count(modules(), module.raw(), &Module::raw), 0);
}

TEST(ModuleValue, a_module_gives_handles_of_its_own_names_and_tells_near_ones) {
  Module module = load(plugin("core_math"));
  load(plugin("core_objects"));
  std::string own = module.names().at(0);
  EXPECT_EQ(module.get(own), get(own));
  std::string foreign = load(plugin("core_objects")).names().at(0);
  EXPECT_EQ(error_of([&] { module.get(foreign); }),
            "NotFound: module '" + module.path() + "' registered nothing under the name '" + foreign + "'");
}

}  // namespace
}  // namespace byname
