// What an object is an instance of.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../error_of.h"
#include "byname/ref.h"
#include "families.h"

namespace {

using byname::Derive;
using byname::error_of;
using byname::is_instance;
using byname::make;
using byname::Object;

struct Animal : Derive<Animal, Object, "test.instance.Animal"> {};
struct Bird : Derive<Bird, Animal, "test.instance.Bird"> {};
struct Duck : Derive<Duck, Bird, "test.instance.Duck"> {};
struct Mallard : Derive<Mallard, Duck, "test.instance.Mallard"> {};
struct Fish : Derive<Fish, Animal, "test.instance.Fish"> {};
struct Shark : Derive<Shark, Fish, "test.instance.Shark"> {};

TEST(Instance, an_object_is_one_of_its_type_and_of_every_ancestor) {
  auto mallard = make<Mallard>();
  EXPECT_TRUE(is_instance<Mallard>(mallard.get()));
  EXPECT_TRUE(is_instance<Duck>(mallard.get()));
  EXPECT_TRUE(is_instance<Bird>(mallard.get()));
  EXPECT_TRUE(is_instance<Animal>(mallard.get()));
  EXPECT_TRUE(is_instance<Object>(mallard.get()));
}

TEST(Instance, the_descendant_of_a_sibling_is_none) {
  auto shark = make<Shark>();
  auto mallard = make<Mallard>();
  EXPECT_FALSE(is_instance<Bird>(shark.get()));
  EXPECT_FALSE(is_instance<Duck>(shark.get()));
  EXPECT_FALSE(is_instance<Fish>(mallard.get()));
  EXPECT_FALSE(is_instance<Shark>(mallard.get()));
}

TEST(Instance, an_ancestor_is_none) {
  auto bird = make<Bird>();
  EXPECT_FALSE(is_instance<Duck>(bird.get()));
  EXPECT_FALSE(is_instance<Mallard>(bird.get()));
}

TEST(Instance, null_is_none) {
  EXPECT_FALSE(is_instance<Animal>(nullptr));
  EXPECT_FALSE(is_instance<Object>(nullptr));
}

struct Unseen : Derive<Unseen, Object, "test.instance.Unseen"> {};
struct BelowUnseen : Derive<BelowUnseen, Unseen, "test.instance.BelowUnseen"> {};

TEST(Instance, a_type_that_nobody_asked_for_yet_is_found_too) {
  auto mallard = make<Mallard>();
  EXPECT_FALSE(is_instance<Unseen>(mallard.get()));
  auto below = make<BelowUnseen>();
  EXPECT_TRUE(is_instance<Unseen>(below.get()));
}

struct Taken : Derive<Taken, Animal, "test.instance.Taken"> {};
struct BelowTaken : Derive<BelowTaken, Taken, "test.instance.BelowTaken"> {};

TEST(Instance, nothing_is_one_of_a_type_whose_key_is_anothers) {
  new_type("test.instance.Taken");  // a child of Object
  auto mallard = make<Mallard>();
  EXPECT_FALSE(is_instance<Taken>(mallard.get()));
  EXPECT_FALSE(is_instance<BelowTaken>(mallard.get()));
  EXPECT_EQ(byname_error_take(), nullptr);
  std::string expected =
      "TypeError: type 'test.instance.Taken' is registered already: expected parent 'Object', got parent "
      "'test.instance.Animal'";
  EXPECT_EQ(error_of([] { make<Taken>(); }), expected);
  EXPECT_EQ(error_of([] { make<BelowTaken>(); }), expected);
  EXPECT_EQ(error_of([] { byname::type_index<BelowTaken>(); }), expected);
}

struct Base : Derive<Base, Object, "test.instance.Base"> {};
struct Early : Derive<Early, Base, "test.instance.Early"> {};
struct Late : Derive<Late, Base, "test.instance.Late"> {};
struct Later : Derive<Later, Late, "test.instance.Later"> {};
struct Latest : Derive<Latest, Base, "test.instance.Latest"> {};

TEST(Instance, descendants_are_found_wherever_their_indices_lie) {
  const byname_type_info& base = info_of(byname::type_index<Base>());
  auto early = make<Early>();
  EXPECT_EQ(base.slots, 1u);
  EXPECT_EQ(base.scatter, 0u);
  new_type("test.instance.Between1");
  auto late = make<Late>();
  auto later = make<Later>();
  EXPECT_EQ(base.scatter, 1u);
  EXPECT_EQ(base.run_begin, static_cast<uint32_t>(late->type_index()));
  EXPECT_EQ(base.run_slots, 2u);
  EXPECT_FALSE(is_instance<Base>(make<Mallard>().get()));
  int32_t stranger = new_type("test.instance.Between2");
  auto latest = make<Latest>();
  EXPECT_EQ(base.scatter, 2u);
  for (const Object* object :
       {(Object*)early.get(), (Object*)late.get(), (Object*)later.get(), (Object*)latest.get()}) {
    EXPECT_TRUE(is_instance<Base>(object)) << object->type_key();
    EXPECT_FALSE(is_instance<Animal>(object)) << object->type_key();
  }
  EXPECT_FALSE(is_instance<Base>(make<Mallard>().get()));
  EXPECT_EQ(byname_type_is(stranger, base.type_index), 0);
}

struct Roomy : Derive<Roomy, Object, "test.instance.Roomy", 3> {};
struct InFirst : Derive<InFirst, Roomy, "test.instance.InFirst", 1> {};
struct InNested : Derive<InNested, InFirst, "test.instance.InNested"> {};
struct InThird : Derive<InThird, Roomy, "test.instance.InThird"> {};
struct Outside : Derive<Outside, Roomy, "test.instance.Outside"> {};
struct BelowOutside : Derive<BelowOutside, Outside, "test.instance.BelowOutside"> {};

TEST(Instance, reserved_slots_are_used_first_and_when_they_are_used_up_others_are) {
  int32_t roomy = byname::type_index<Roomy>();
  int32_t end = new_type("test.instance.BehindRoomy");
  EXPECT_EQ(end, roomy + 4);
  EXPECT_EQ(byname::type_index<InFirst>(), roomy + 1);
  EXPECT_EQ(byname::type_index<InThird>(), roomy + 3);
  EXPECT_EQ(byname::type_index<InNested>(), roomy + 2);
  EXPECT_GT(byname::type_index<Outside>(), end);
  EXPECT_TRUE(is_instance<Roomy>(make<InNested>().get()));
  EXPECT_TRUE(is_instance<InFirst>(make<InNested>().get()));
  EXPECT_FALSE(is_instance<InFirst>(make<InThird>().get()));
  EXPECT_TRUE(is_instance<Roomy>(make<Outside>().get()));
  EXPECT_TRUE(is_instance<Roomy>(make<BelowOutside>().get()));
  EXPECT_FALSE(is_instance<InFirst>(make<BelowOutside>().get()));
}

TEST(Instance, a_reservation_that_does_not_fit_its_parents_goes_to_the_end) {
  int32_t parent = new_type("test.instance.Narrow", BYNAME_OBJECT, 2);
  int32_t wide = new_type("test.instance.Wide", parent, 5);
  EXPECT_EQ(wide, parent + 3);
  EXPECT_EQ(info_of(parent).slots, 8u);
  EXPECT_EQ(new_type("test.instance.Fits", parent, 1), parent + 1);
  EXPECT_GT(new_type("test.instance.FitsNoMore", parent), wide + 5);
}

// What is_instance finds without the table; nothing if it has to look there.
std::optional<bool> found_by_range(int32_t type_index, const byname_type_info& ancestor) {
  auto index = static_cast<uint32_t>(type_index);
  if (index - static_cast<uint32_t>(ancestor.type_index) <= ancestor.slots) return true;
  if (ancestor.scatter == 0) return false;
  if (index - ancestor.run_begin < ancestor.run_slots) return true;
  if (ancestor.scatter == 1) return false;
  return std::nullopt;
}

TEST(Instance, ranges_and_table_agree_with_the_parents_in_any_family) {
  std::mt19937 random(7);
  struct Member {
    int32_t index;
    int parent;  // in the family; -1: Object
  };
  std::vector<Member> family;
  size_t decided = 0;
  size_t asked = 0;
  for (int i = 0; i < 400; ++i) {
    int parent = static_cast<int>(random() % (family.size() + 1)) - 1;
    if (random() % 4 != 0 && !family.empty())
      parent = static_cast<int>(family.size()) - 1 - static_cast<int>(random() % std::min<size_t>(family.size(), 5));
    int32_t slots = random() % 4 == 0 ? static_cast<int32_t>(random() % 6) : 0;
    int32_t parent_index = parent < 0 ? BYNAME_OBJECT : family[parent].index;
    family.push_back({new_type("test.family." + std::to_string(i), parent_index, slots), parent});
    ASSERT_GT(family.back().index, parent_index);
  }
  for (size_t i = 0; i < family.size(); ++i) {
    std::vector<bool> is_ancestor(family.size());
    for (int at = static_cast<int>(i); at >= 0; at = family[at].parent) is_ancestor[at] = true;
    for (size_t j = 0; j < family.size(); ++j) {
      EXPECT_EQ(byname_type_is(family[i].index, family[j].index) == 1, is_ancestor[j]) << i << " " << j;
      std::optional<bool> found = found_by_range(family[i].index, info_of(family[j].index));
      EXPECT_EQ(found.value_or(is_ancestor[j]), is_ancestor[j]) << i << " " << j;
      decided += found.has_value() ? 1 : 0;
      ++asked;
    }
  }
  EXPECT_GT(decided * 2, asked) << "ranges should decide most";
}

TEST(Instance, an_index_that_nobody_knows_is_an_object_of_no_type) {
  // A foreign runtime may number types itself.
  byname_object foreign = {BYNAME_COUNT_UNIQUE, 900'000, 0, [](void*, int) {}};
  const auto* object = reinterpret_cast<const Object*>(&foreign);
  EXPECT_EQ(object->type_key(), "Object");
  EXPECT_FALSE(is_instance<Base>(object));
  EXPECT_FALSE(is_instance<Mallard>(object));
  EXPECT_TRUE(is_instance<Object>(object));
  foreign.type_index = -5;
  EXPECT_FALSE(is_instance<Base>(object));
}

}  // namespace
