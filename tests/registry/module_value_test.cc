// A module as a value.
#include <gtest/gtest.h>

#include "support.h"

namespace byname {
namespace {

TEST(ModuleValue, a_module_is_one_value_as_long_as_somebody_has_it) {
  Module first = load(BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_math.so");
  Module second = load(BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_math.so");
  EXPECT_EQ(first.raw(), second.raw());
  Any modules;
  ASSERT_EQ(byname_modules(modules.out()), 0);
  int found = 0;
  for (const Any& module : modules.to<Array<Any>>()) found += module.raw().as_object == first.raw() ? 1 : 0;
  EXPECT_EQ(found, 1);
}

TEST(ModuleValue, a_module_gives_handles_of_its_own_names_and_tells_near_ones) {
  Module module = load(BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_math.so");
  load(BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_objects.so");
  std::string own = module.names().at(0);
  EXPECT_EQ(module.get(own), get(own));
  std::string foreign = load(BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_objects.so").names().at(0);
  EXPECT_EQ(error_of([&] { module.get(foreign); }),
            "NotFound: module '" + module.path() + "' registered nothing under the name '" + foreign + "'");
}

}  // namespace
}  // namespace byname
