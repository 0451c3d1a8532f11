// A library with blocks that this program is linked with: it is there before main and cannot go.
#include <gtest/gtest.h>

#include <string>

#include "../registry/module_support.h"
#include "plugin.h"

namespace byname {
namespace {

const std::string& path() {
  static const std::string path = plugin("linked_plugin");
  return path;
}

TEST(Linked, its_names_are_there_without_a_load_and_its_module_is_listed) {
  EXPECT_EQ(get("linked.twice")(21).to<int64_t>(), 42);
  ASSERT_EQ(modules().size(), 1u);
  EXPECT_EQ(modules().front().path(), path());
  EXPECT_EQ(modules().front().names(), Texts{"linked.twice"});
}

TEST(Linked, unloading_removes_its_names_and_leaves_its_code) {
  Handle handle = get("linked.twice");
  Module module = modules().at(0);
  for (int i = 0; i < 2; ++i) {  // as it came, then as it was loaded
    EXPECT_EQ(module.unload(), Texts{kept_by_others});
    EXPECT_TRUE(names("linked.").empty());
    EXPECT_EQ(collect(), 0u);
    EXPECT_TRUE(is_mapped(path()));
    EXPECT_EQ(twice(21), 42) << "the program's own calls go on";
    module = load(path());
    EXPECT_EQ(handle(21).to<int64_t>(), 42) << "its block ran again";
  }
}

}  // namespace
}  // namespace byname
