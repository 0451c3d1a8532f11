// A plugin brings the shared runtime along; this program has one of its own, linked from the layers' objects.
#include <gtest/gtest.h>

#include <filesystem>

#include "module_support.h"
#include "registry/image.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
using NoLeaks = __lsan::ScopedDisabler;
#else
struct NoLeaks {
  NoLeaks() {}
};
#endif

namespace byname {
namespace {

TEST(SingleRuntime, one_is_no_error) { core::check_single_runtime(); }

TEST(SingleRuntime, a_plugin_that_brings_a_second_one_is_refused_with_both_files) {
  const std::string path = plugin("core_math");
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  NoLeaks no_leaks;  // the other runtime keeps what it has to the end of the process, and so is unmapped with it
  const std::string error = error_of([&] { load(path); });
  const std::string begin = "ImportError: several copies of Byname's runtime are in this process: '" + self + "' and '";
  EXPECT_EQ(error.substr(0, begin.size()), begin);
  EXPECT_NE(error.find("libbyname.so.0' (link everything with one shared libbyname)"), std::string::npos) << error;
  EXPECT_FALSE(is_mapped(path));
  core::check_single_runtime();
}

}  // namespace
}  // namespace byname
