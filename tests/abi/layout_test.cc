// The layouts as C++ sees them.
#include "layout.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "byname/ref.h"

namespace {

static_assert(sizeof(byname::Object) == sizeof(byname_object));
static_assert(std::is_standard_layout_v<byname::Object>);
static_assert(sizeof(byname::Ref<byname::Object>) == sizeof(void*));
static_assert(sizeof(byname::ObjectPtr<byname::Object>) == sizeof(void*));
static_assert(sizeof(byname::WeakRef<byname::Object>) == sizeof(void*));

struct Pair : byname::Derive<Pair, byname::Object, "test.abi.Pair"> {
  int64_t first = 1;
  int32_t second = 2;
};

TEST(Layout, fields_of_an_object_type_follow_the_header) {
  auto pair = byname::make<Pair>();
  const char* start = reinterpret_cast<const char*>(pair->raw());
  EXPECT_EQ(static_cast<const void*>(pair.get()), start);
  EXPECT_EQ(reinterpret_cast<const char*>(&pair->first) - start, 24);
  EXPECT_EQ(reinterpret_cast<const char*>(&pair->second) - start, 32);
}

TEST(Layout, an_object_carries_its_prefix_and_the_one_deleter) {
  auto pair = byname::make<Pair>();
  const byname_prefix* prefix = byname_object_prefix(pair->raw());
  EXPECT_EQ(reinterpret_cast<const char*>(pair->raw()) - reinterpret_cast<const char*>(prefix), 16);
  EXPECT_NE(prefix->owner, nullptr);
  EXPECT_EQ(prefix->twin, nullptr);
  EXPECT_EQ(pair->raw()->deleter, &byname_object_delete);
}

}  // namespace
