// The count protocol as C++'s references drive it, on an object of somebody else's making.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "byname/ref.h"

namespace {

struct Foreign {
  byname_object header = {BYNAME_COUNT_UNIQUE, BYNAME_OBJECT, 0,
                          [](void* self, int flags) { static_cast<Foreign*>(self)->flags.push_back(flags); }};
  std::vector<int> flags;

  byname::Object* object() { return reinterpret_cast<byname::Object*>(&header); }
};

TEST(Counts, strong_references_alone_end_in_one_call) {
  Foreign foreign;
  {
    byname::ObjectRef first(foreign.object(), byname::Adopt());
    EXPECT_EQ(foreign.header.counts, 0x100000001u);
    byname::ObjectRef second = first;
    EXPECT_EQ(foreign.header.counts, 0x100000002u);
    byname::ObjectPtr<byname::Object> third(std::move(second));
    EXPECT_EQ(foreign.header.counts, 0x100000002u);
    EXPECT_EQ(first->use_count(), 2u);
  }
  EXPECT_EQ(foreign.flags, std::vector({3}));
}

TEST(Counts, weak_references_that_outlive_the_strong_ones_end_in_two_calls) {
  Foreign foreign;
  {
    byname::WeakRef<byname::Object> weak;
    {
      byname::ObjectRef strong(foreign.object(), byname::Adopt());
      weak = strong;
      EXPECT_EQ(foreign.header.counts, 0x200000001u);
      EXPECT_EQ(weak.lock()->use_count(), 2u);
    }
    EXPECT_EQ(foreign.flags, std::vector({1}));
    EXPECT_EQ(foreign.header.counts, 0x100000000u);
    EXPECT_EQ(weak.lock(), nullptr);
  }
  EXPECT_EQ(foreign.flags, std::vector({1, 2}));
}

TEST(Counts, an_object_without_the_deleter_is_not_taken_for_an_own_one) {
  Foreign foreign;
  EXPECT_FALSE(byname_is_own(&foreign.header));
}

}  // namespace
