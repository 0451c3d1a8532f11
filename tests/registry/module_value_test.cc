// A module as a value.
#include <gtest/gtest.h>

#include "byname/byname.h"

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

}  // namespace
}  // namespace byname
