// C++ classes that are registered as they are.
#include <byname/byname.h>
#include <gtest/gtest.h>

#include "support.h"

namespace {

using namespace byname::literals;

class Counter {
 public:
  int64_t count() const noexcept { return count_; }
  int64_t add(int64_t step) { return count_ += step; }

 protected:
  int64_t count_ = 0;
};

// Held by value and by unique_ptr in boxes of one size.
struct Owned {
  Owned() { ++num_alive; }
  Owned(const Owned&) { ++num_alive; }
  ~Owned() { --num_alive; }
  int64_t word = 1;
  static inline int num_alive = 0;
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
      .method("count", &Fixed::count)
      .method("count_less", [](const Fixed& fixed, int64_t less) { return fixed.count() - less; });
  lib.type<Owned>("Owned", "Is held in several ways.");
  lib.def("owned_value", [] { return Owned(); });
  lib.def("owned_unique", [] { return std::make_unique<Owned>(); });
  lib.def("owned_shared", [] { return std::make_shared<Owned>(); });
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

TEST(Class, each_way_of_holding_an_object_drops_it_in_its_own_way) {
  for (const char* first : {"value", "unique", "shared"}) {
    for (const char* second : {"value", "unique", "shared"}) {
      byname::Any a = byname::get(std::string("class_test.owned_") + first)();
      byname::Any b = byname::get(std::string("class_test.owned_") + second)();
      EXPECT_EQ(Owned::num_alive, 2);
    }
    EXPECT_EQ(Owned::num_alive, 0);
  }
}

TEST(Class, the_object_of_a_method_is_called_self) {
  EXPECT_EQ(byname::get("class_test.Fixed.count").schema(), "class_test.Fixed.count(class_test.Fixed self) -> int");
  EXPECT_EQ(byname::get("class_test.Fixed.count_less").schema(),
            "class_test.Fixed.count_less(class_test.Fixed self, int _1) -> int");
}

struct Unregistered {};

TEST(Class, that_nobody_registered_is_no_value) {
  EXPECT_EQ(byname::error_of([] { byname::Any value{Unregistered()}; }),
            "TypeError: the C++ class '(anonymous namespace)::Unregistered' is not registered (lib.type<T>(\"name\", "
            "\"documentation\") before what uses it, or load the module that does)");
}

struct Twice {};

TEST(Class, has_one_key) {
  byname::Warnings warnings;
  byname::Block block("class_test.twice", [](byname::Library& lib) {
    lib.type<Twice>("First", "A class.");
    lib.type<Twice>("Second", "The same class.");
  });
  byname_attach();
  EXPECT_EQ(warnings.texts(),
            std::vector<std::string>{"RuntimeWarning: registering 'class_test.twice' failed: the C++ class '(anonymous "
                                     "namespace)::Twice' is registered already: expected the key "
                                     "'class_test.twice.First', got 'class_test.twice.Second'"});
}

}  // namespace
