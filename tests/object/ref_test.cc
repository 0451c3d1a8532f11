// References: Ref, ObjectPtr, WeakRef.
#include "byname/ref.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "../error_of.h"

namespace {

using byname::Derive;
using byname::error_of;
using byname::make;
using byname::Object;
using byname::ObjectPtr;
using byname::ObjectRef;
using byname::Ref;
using byname::WeakRef;

struct Shape : Derive<Shape, Object, "test.ref.Shape"> {
  explicit Shape(int* num_dropped = nullptr) : num_dropped(num_dropped) {}
  ~Shape() {
    if (num_dropped != nullptr) ++*num_dropped;
  }
  int* num_dropped;
};
struct Circle : Derive<Circle, Shape, "test.ref.Circle"> {
  explicit Circle(int* num_dropped = nullptr, double radius = 1) : Derive(num_dropped), radius(radius) {}
  double radius;
};
struct Square : Derive<Square, Shape, "test.ref.Square"> {
  using Derive::Derive;
};

TEST(Ref, holds_its_object_and_drops_it_with_the_last_copy) {
  int num_dropped = 0;
  {
    Ref<Circle> first = make<Circle>(&num_dropped, 2.5);
    EXPECT_EQ(first->use_count(), 1u);
    EXPECT_EQ(first->radius, 2.5);
    Ref<Circle> second = first;
    EXPECT_EQ(first->use_count(), 2u);
    EXPECT_EQ(second.get(), first.get());
    EXPECT_TRUE(second == first);
    first = make<Circle>();
    EXPECT_EQ(num_dropped, 0);
    EXPECT_FALSE(second == first);
  }
  EXPECT_EQ(num_dropped, 1);
}

TEST(Ref, converts_to_a_reference_to_a_base) {
  Ref<Circle> circle = make<Circle>();
  Ref<Shape> shape = circle;
  ObjectRef object = shape;
  EXPECT_EQ(object->use_count(), 3u);
  EXPECT_TRUE(object == circle);
  EXPECT_EQ(object->type_key(), "test.ref.Circle");
  Ref<Shape> moved = std::move(circle);
  EXPECT_EQ(object->use_count(), 3u);
  static_assert(!std::is_convertible_v<Ref<Shape>, Ref<Circle>>);
  static_assert(!std::is_convertible_v<Ref<Square>, Ref<Circle>>);
}

TEST(Ref, after_a_move_may_be_assigned_and_destroyed) {
  int num_dropped = 0;
  Ref<Circle> from = make<Circle>(&num_dropped);
  Ref<Circle> to = std::move(from);
  EXPECT_EQ(from.get(), nullptr);  // NOLINT(bugprone-use-after-move): what a moved-from one is
  EXPECT_EQ(to->use_count(), 1u);
  from = to;
  EXPECT_EQ(to->use_count(), 2u);
  Ref<Circle> again = std::move(from);
  from = std::move(to);
  EXPECT_EQ(from->use_count(), 2u);
  EXPECT_EQ(num_dropped, 0);
}

TEST(Ref, assigns_itself) {
  int num_dropped = 0;
  Ref<Circle> circle = make<Circle>(&num_dropped);
  Ref<Circle>& same = circle;
  circle = same;
  EXPECT_EQ(circle->use_count(), 1u);
  circle = std::move(same);
  EXPECT_EQ(circle->use_count(), 1u);
  EXPECT_EQ(num_dropped, 0);
}

TEST(Ref, is_never_made_from_null) {
  EXPECT_EQ(error_of([] { Ref<Circle>(ObjectPtr<Circle>()); }),
            "TypeError: expected an object of type 'test.ref.Circle', got none");
  EXPECT_EQ(error_of([] { byname::get_ref<Circle>(nullptr); }),
            "TypeError: expected an object of type 'test.ref.Circle', got none");
}

TEST(Ref, as_gives_a_pointer_or_null) {
  Ref<Shape> shape = make<Circle>(nullptr, 3);
  ASSERT_NE(shape.as<Circle>(), nullptr);
  EXPECT_EQ(shape.as<Circle>()->radius, 3);
  EXPECT_EQ(shape.as<Square>(), nullptr);
  EXPECT_EQ(byname::as<Circle>(shape)->radius, 3);
  EXPECT_EQ(byname::as<Square>(shape), nullptr);
  EXPECT_EQ(byname::as<Circle>(ObjectPtr<Shape>(shape))->radius, 3);
  EXPECT_EQ(byname::as<Circle>(ObjectPtr<Shape>()), nullptr);
  EXPECT_EQ(shape->use_count(), 1u);
}

TEST(Ref, to_and_downcast_share_the_object) {
  Ref<Shape> shape = make<Circle>(nullptr, 3);
  Ref<Circle> circle = shape.to<Circle>();
  EXPECT_EQ(shape->use_count(), 2u);
  Ref<Circle> other = byname::downcast<Circle>(shape);
  EXPECT_EQ(other->radius, 3);
  EXPECT_EQ(byname::downcast<Circle>(ObjectPtr<Shape>(shape))->radius, 3);
}

TEST(Ref, a_wrong_downcast_tells_both_keys) {
  Ref<Shape> shape = make<Square>();
  std::string expected = "TypeError: expected an object of type 'test.ref.Circle', got 'test.ref.Square'";
  EXPECT_EQ(error_of([&] { byname::downcast<Circle>(shape); }), expected);
  EXPECT_EQ(error_of([&] { shape.to<Circle>(); }), expected);
  EXPECT_EQ(error_of([&] { byname::downcast<Circle>(ObjectPtr<Shape>(shape)); }), expected);
  EXPECT_EQ(error_of([&] { byname::downcast<Circle>(ObjectPtr<Shape>()); }),
            "TypeError: expected an object of type 'test.ref.Circle', got none");
}

TEST(Ref, get_ref_shares_an_object_that_somebody_holds) {
  Ref<Circle> circle = make<Circle>();
  Ref<Circle> again = byname::get_ref(circle.get());
  EXPECT_EQ(circle->use_count(), 2u);
}

TEST(Ref, leak_gives_the_reference_away) {
  int num_dropped = 0;
  Circle* leaked = make<Circle>(&num_dropped).leak();
  EXPECT_EQ(leaked->use_count(), 1u);
  Ref<Circle>(leaked, byname::Adopt());
  EXPECT_EQ(num_dropped, 1);
}

TEST(ObjectPtr, is_null_until_it_holds_something) {
  ObjectPtr<Circle> pointer;
  EXPECT_FALSE(pointer);
  EXPECT_TRUE(pointer == nullptr);
  EXPECT_EQ(pointer.get(), nullptr);
  pointer = make<Circle>(nullptr, 4);
  EXPECT_TRUE(pointer);
  EXPECT_EQ(pointer->radius, 4);
  EXPECT_EQ((*pointer).radius, 4);
  pointer = nullptr;
  EXPECT_FALSE(pointer);
}

TEST(ObjectPtr, copies_share_and_moves_take_over) {
  int num_dropped = 0;
  ObjectPtr<Circle> first = make<Circle>(&num_dropped);
  ObjectPtr<Circle> second = first;
  EXPECT_EQ(first->use_count(), 2u);
  ObjectPtr<Shape> base = std::move(first);
  EXPECT_EQ(first, nullptr);  // NOLINT(bugprone-use-after-move): what a moved-from one is
  EXPECT_EQ(base->use_count(), 2u);
  second = nullptr;
  base = nullptr;
  EXPECT_EQ(num_dropped, 1);
}

TEST(ObjectPtr, becomes_a_ref_of_the_same_reference) {
  ObjectPtr<Circle> pointer = make<Circle>();
  Ref<Circle> reference(std::move(pointer));
  EXPECT_EQ(reference->use_count(), 1u);
}

TEST(WeakRef, finds_its_object_while_somebody_holds_it) {
  int num_dropped = 0;
  WeakRef<Circle> weak;
  EXPECT_EQ(weak.lock(), nullptr);
  EXPECT_TRUE(weak.expired());
  {
    Ref<Circle> circle = make<Circle>(&num_dropped, 5);
    weak = circle;
    EXPECT_FALSE(weak.expired());
    EXPECT_EQ(circle->use_count(), 1u);
    ObjectPtr<Circle> locked = weak.lock();
    EXPECT_EQ(locked->radius, 5);
    EXPECT_EQ(circle->use_count(), 2u);
  }
  EXPECT_EQ(num_dropped, 1);
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(weak.lock(), nullptr);
}

TEST(WeakRef, what_it_locked_keeps_the_object) {
  int num_dropped = 0;
  ObjectPtr<Circle> locked;
  {
    Ref<Circle> circle = make<Circle>(&num_dropped);
    locked = WeakRef<Circle>(circle).lock();
  }
  EXPECT_EQ(num_dropped, 0);
  EXPECT_EQ(locked->use_count(), 1u);
  locked = nullptr;
  EXPECT_EQ(num_dropped, 1);
}

TEST(WeakRef, copies_moves_and_goes_in_any_order) {
  ObjectPtr<Circle> circle = make<Circle>();
  WeakRef<Circle> first = circle;
  WeakRef<Circle> second = first;
  WeakRef<Circle> third = std::move(first);
  EXPECT_TRUE(first.expired());  // NOLINT(bugprone-use-after-move): what a moved-from one is
  second = second.lock() == nullptr ? WeakRef<Circle>() : third;
  circle = nullptr;
  EXPECT_TRUE(second.expired());
  third = WeakRef<Circle>();
  EXPECT_EQ(second.lock(), nullptr);
}

TEST(WeakRef, converts_to_a_weak_reference_to_a_base) {
  Ref<Circle> circle = make<Circle>();
  WeakRef<Shape> from_ref = circle;
  WeakRef<Object> from_weak = WeakRef<Circle>(circle);
  EXPECT_EQ(from_ref.lock().get(), circle.get());
  EXPECT_EQ(from_weak.lock().get(), circle.get());
  EXPECT_EQ(circle->raw()->counts, BYNAME_COUNT_UNIQUE + 2 * BYNAME_COUNT_ONE_WEAK);
  static_assert(!std::is_convertible_v<WeakRef<Shape>, WeakRef<Circle>>);
}

TEST(Object, copies_of_the_value_are_objects_of_their_own) {
  Ref<Circle> circle = make<Circle>(nullptr, 6);
  Ref<Circle> other = circle;
  Ref<Circle> copy = make<Circle>(*circle);
  EXPECT_EQ(copy->radius, 6);
  EXPECT_EQ(copy->use_count(), 1u);
  copy->radius = 7;
  *circle = *copy;
  EXPECT_EQ(circle->radius, 7);
  EXPECT_EQ(circle->use_count(), 2u);
}

}  // namespace
