// What comes into memory with a module: libraries that it is linked with or opens.
#include <gtest/gtest.h>

#include <string>

#include "module_support.h"

namespace byname {
namespace {

class Brought : public testing::TestWithParam<const char*> {
 protected:
  const std::string opener = plugin("core_opener", GetParam());
};
INSTANTIATE_TEST_SUITE_P(Compilers, Brought, testing::Values("gcc", "clang"));

TEST_P(Brought, blocks_run_before_those_of_the_module) {
  const std::string other = plugin("core_math2");
  Environment wanted("BYNAME_TEST_OPEN", other);
  Module module = load(opener);
  EXPECT_EQ(get("core.opener.f")().to<int64_t>(), 2);
  EXPECT_EQ(module.names(), Texts{"core.opener.f"});
  EXPECT_EQ(load(other).unload(), Texts{"function 'core.math2.subtract', referenced or running"});
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(collect(), 1u) << "the other one";
  EXPECT_FALSE(is_mapped(opener));
  EXPECT_FALSE(is_mapped(other));
}

TEST_P(Brought, libraries_stay_when_the_module_goes) {
  Environment wanted("BYNAME_TEST_OPEN", plugin("core_math2"));
  EXPECT_EQ(load(opener).unload(), Texts{});
  EXPECT_FALSE(is_mapped(opener));
  EXPECT_EQ(get("core.math2.subtract")(3, 1).to<int64_t>(), 2);
  EXPECT_EQ(load(plugin("core_math2")).unload(), Texts{});
  EXPECT_FALSE(is_mapped(plugin("core_math2")));
}

TEST_P(Brought, blocks_that_fail_are_warned_about_beside_the_error_of_the_module) {
  const std::string other = plugin("core_throw", GetParam());
  Environment wanted("BYNAME_TEST_OPEN", other);
  Environment how("BYNAME_TEST_THROW", "last");
  Warnings warnings;
  EXPECT_EQ(error_of([&] { load(opener); }),
            "NotFound: nothing is registered under the name 'core.math2.subtract' (nothing is registered under "
            "'core.math2.'; is its library loaded, and linked whole?)");
  EXPECT_EQ(warnings.texts(),
            Texts{"RuntimeWarning: registering 'core.throw' failed: block 'core.throw' (" BYNAME_SOURCE_DIR
                  "/tests/plugins/core_throw.cc:20): at the end"});
  EXPECT_FALSE(is_mapped(opener));
  collect();
  EXPECT_FALSE(is_mapped(other)) << "nobody else has it open";
}

}  // namespace
}  // namespace byname
