// C++ classes that are registered as they are.
#include <byname/byname.h>
#include <gtest/gtest.h>

namespace {

using namespace byname::literals;

class Counter {
 public:
  int64_t count() const noexcept { return count_; }
  int64_t add(int64_t step) { return count_ += step; }

 protected:
  int64_t count_ = 0;
};

// Can be neither copied nor moved.
class Fixed : public Counter {
 public:
  explicit Fixed(int64_t start) { count_ = start; }
  Fixed(const Fixed&) = delete;
};

BYNAME_LIBRARY("class_test", lib) {
  lib.type<Fixed>("Fixed", "A counter that stays where it is.")
      .init<int64_t>({"start"_a = 5})
      .method("add", &Fixed::add, {"step"_a})
      .method("count", &Fixed::count);
}

TEST(Class, a_class_that_cannot_be_moved_is_made_where_it_stays) {
  byname::Any fixed = byname::get("class_test.Fixed")(7);
  EXPECT_EQ(fixed.type_name(), "class_test.Fixed");
  EXPECT_EQ(byname::get("class_test.Fixed.count")(fixed).to<int64_t>(), 7);
}

TEST(Class, an_inherited_member_is_a_method_of_the_class_that_registers_it) {
  byname::Any fixed = byname::get("class_test.Fixed")();
  byname::Handle add = byname::get("class_test.Fixed.add");
  EXPECT_EQ(add.schema(), "class_test.Fixed.add(class_test.Fixed self, int step) -> int");
  EXPECT_EQ(add(fixed, 2).to<int64_t>(), 7);
}

}  // namespace
