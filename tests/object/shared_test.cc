// Objects that go from one shared object to another, built by gcc and by clang.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "../error_of.h"
#include "byname/ref.h"

namespace {

using byname::error_of;

struct Root : byname::Derive<Root, byname::Object, "test.shared.Root"> {};
struct Left : byname::Derive<Left, Root, "test.shared.Left"> {};
struct Right : byname::Derive<Right, Root, "test.shared.Right"> {};
struct LeftLeaf : byname::Derive<LeftLeaf, Left, "test.shared.LeftLeaf"> {
  int64_t value = 0;
};

class Plugin {
 public:
  explicit Plugin(const std::string& compiler) {
    std::string path = std::string(BYNAME_TEST_PLUGIN_DIR) + "/" + compiler + "/libobject_family.so";
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
  }
  template <class F>
  F* function(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }
  byname::ObjectRef make(const char* name) const {
    byname_object* made = function<byname_object*()>(name)();
    return byname::ObjectRef(reinterpret_cast<byname::Object*>(made), byname::Adopt());
  }

 private:
  void* library_;  // stays: its objects' code is in it
};

class SharedObjects : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  Plugin maker_{GetParam().first};
  Plugin user_{GetParam().second};
};

TEST_P(SharedObjects, an_object_is_an_instance_of_the_types_of_every_other) {
  byname::ObjectRef leaf = maker_.make("family_make_left_leaf");
  EXPECT_EQ(leaf->type_key(), "test.shared.LeftLeaf");
  EXPECT_TRUE(leaf.is_instance<LeftLeaf>());
  EXPECT_TRUE(leaf.is_instance<Left>());
  EXPECT_TRUE(leaf.is_instance<Root>());
  EXPECT_FALSE(leaf.is_instance<Right>());
  EXPECT_EQ(leaf.to<LeftLeaf>()->value, 42);
  EXPECT_EQ(user_.function<int(byname_object*)>("family_is_left")(leaf->raw()), 1);
  EXPECT_EQ(user_.function<int64_t(byname_object*)>("family_value")(leaf->raw()), 42);
}

TEST_P(SharedObjects, a_siblings_kin_is_no_instance_there_either) {
  byname::ObjectRef right = maker_.make("family_make_right");
  EXPECT_FALSE(right.is_instance<Left>());
  EXPECT_EQ(user_.function<int(byname_object*)>("family_is_left")(right->raw()), 0);
  EXPECT_EQ(user_.function<int64_t(byname_object*)>("family_value")(right->raw()), -1);
  EXPECT_EQ(error_of([&] { right.to<Left>(); }),
            "TypeError: expected an object of type 'test.shared.Left', got 'test.shared.Right'");
}

TEST_P(SharedObjects, each_makes_objects_of_its_own_class_of_one_type) {
  byname::ObjectRef theirs = maker_.make("family_make_left_leaf");
  byname::Ref<LeftLeaf> ours = byname::make<LeftLeaf>();
  EXPECT_EQ(ours->type_index(), theirs->type_index());
  EXPECT_NE(byname_object_prefix(ours->raw())->owner, byname_object_prefix(theirs->raw())->owner);
}

INSTANTIATE_TEST_SUITE_P(Compilers, SharedObjects,
                         testing::Values(std::pair("gcc", "gcc"), std::pair("gcc", "clang"), std::pair("clang", "gcc"),
                                         std::pair("clang", "clang")),
                         [](const auto& info) {
                           return std::string(info.param.first) + "_makes_and_" + info.param.second + "_uses";
                         });

}  // namespace
