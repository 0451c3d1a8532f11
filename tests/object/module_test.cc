// The classes of a module, which the registry counts and forgets.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "byname/ref.h"
#include "families.h"
#include "object/class.h"
#include "object/pool.h"

namespace byname::core {
namespace {

byname_module* module_at(uintptr_t number) { return reinterpret_cast<byname_module*>(number); }  // never looked into

byname_class* new_class(byname_dso* dso, int32_t type_index, uint32_t size = 24, void (*destroy)(void*) = nullptr) {
  return register_class({sizeof(byname_class_decl), type_index, size, 8, destroy, dso});
}

byname_object* new_object(byname_class* owner) {
  auto* object = static_cast<byname_object*>(allocate(owner));
  byname_object_init(object, owner->type_index);
  return object;
}

TEST(ModuleClasses, are_listed_with_their_types_and_living_objects) {
  byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, module_at(0x1000)};
  byname_class* first = new_class(&dso, new_type("test.module.First"));
  byname_class* second = new_class(&dso, new_type("test.module.Second"));
  byname_object* objects[] = {new_object(first), new_object(second), new_object(second)};
  std::vector<ClassUse> uses = class_uses(module_at(0x1000));
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].owner, first);
  EXPECT_EQ(uses[0].key, "test.module.First");
  EXPECT_EQ(uses[0].live, 1u);
  EXPECT_EQ(uses[1].owner, second);
  EXPECT_EQ(uses[1].key, "test.module.Second");
  EXPECT_EQ(uses[1].live, 2u);
  for (byname_object* object : objects) byname_object_release(object);
  for (const ClassUse& use : class_uses(module_at(0x1000))) EXPECT_EQ(use.live, 0u) << use.key;
  EXPECT_TRUE(class_uses(module_at(0x2000)).empty());
  retire_classes(module_at(0x1000));
}

TEST(ModuleClasses, the_cores_own_belong_to_no_module) {
  static constinit CoreClass owner(BYNAME_SHAPE, sizeof(byname_shape), 8, nullptr);
  byname_object* object = new_object(&owner);
  std::vector<ClassUse> uses = class_uses(nullptr);
  auto use = std::find_if(uses.begin(), uses.end(), [](const ClassUse& each) { return each.owner == &owner; });
  ASSERT_NE(use, uses.end());
  EXPECT_EQ(use->key, "byname.Shape");
  EXPECT_EQ(use->live, 1u);
  byname_object_release(object);
}

int num_asked = 0;

TEST(ModuleClasses, a_shared_object_without_a_module_is_asked_for_one) {
  set_dso_hook([](byname_dso* dso) {
    ++num_asked;
    dso->module = module_at(0x3000);
  });
  byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, nullptr};
  byname_class* owner = new_class(&dso, new_type("test.module.Late"));
  EXPECT_EQ(owner->module, module_at(0x3000));
  new_class(&dso, new_type("test.module.Later"));
  EXPECT_EQ(num_asked, 1);
  EXPECT_EQ(class_uses(module_at(0x3000)).size(), 2u);
  set_dso_hook(nullptr);
  retire_classes(module_at(0x3000));
}

int num_destroyed = 0;

TEST(ModuleClasses, retired_ones_are_gone_and_their_records_serve_others) {
  byname_dso old_dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, module_at(0x4000)};
  int32_t type = new_type("test.module.Reloaded");
  byname_class* before = new_class(&old_dso, type, 24, [](void*) { ++num_destroyed; });
  uint32_t id = before->id;
  auto* with_extra = static_cast<byname_object*>(allocate(before, 100));
  byname_object_init(with_extra, type);
  byname_object_release(with_extra);
  EXPECT_EQ(num_destroyed, 1);
  retire_classes(module_at(0x4000));
  EXPECT_TRUE(class_uses(module_at(0x4000)).empty());

  byname_dso new_dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, module_at(0x5000)};
  byname_class* after = new_class(&new_dso, type, 600, [](void*) { num_destroyed += 10; });
  EXPECT_EQ(after, before);
  EXPECT_EQ(after->id, id);
  EXPECT_EQ(live_objects(after), 0u);
  byname_object* object = new_object(after);
  EXPECT_EQ(class_uses(module_at(0x5000))[0].live, 1u);
  byname_object_release(object);
  EXPECT_EQ(num_destroyed, 11);
  with_extra = static_cast<byname_object*>(allocate(after, 100));
  byname_object_init(with_extra, type);
  EXPECT_EQ(live_objects(after), 1u);
  byname_object_release(with_extra);
  EXPECT_EQ(num_destroyed, 21);
  retire_classes(module_at(0x5000));
}

TEST(ModuleClasses, weak_references_outlive_the_class) {
  byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, module_at(0x6000)};
  byname_class* owner = new_class(&dso, new_type("test.module.Weak"), 48, [](void*) {});
  byname_object* weak = new_object(owner);
  byname_object* weak_of_big = static_cast<byname_object*>(allocate(owner, 2000));
  byname_object_init(weak_of_big, owner->type_index);
  for (byname_object* object : {weak, weak_of_big}) {
    byname_object_retain_weak(object);
    byname_object_release(object);
  }
  EXPECT_EQ(class_uses(module_at(0x6000))[0].live, 0u);
  retire_classes(module_at(0x6000));
  dso.module = module_at(0x7000);
  byname_class* other = new_class(&dso, new_type("test.module.Other"), 24);
  EXPECT_EQ(other, owner);
  for (byname_object* object : {weak, weak_of_big}) {
    EXPECT_EQ(byname_object_promote(object), 0);
    byname_object_release_weak(object);
  }
  EXPECT_EQ(live_objects(other), 0u);
  retire_classes(module_at(0x7000));
}

}  // namespace
}  // namespace byname::core
