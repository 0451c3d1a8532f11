// Dropping objects: depth, order, destructors that do things.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "byname/ref.h"

namespace {

using byname::Derive;
using byname::make;
using byname::Object;
using byname::ObjectPtr;
using byname::ObjectRef;
using byname::Ref;
using byname::WeakRef;

#ifdef BYNAME_TSAN
constexpr int kLength = 100'000;
#else
constexpr int kLength = 1'000'000;
#endif

// Runs on a thread with a stack of 512 KiB.
void run_on_small_stack(const std::function<void()>& function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread;
  auto call = [](void* context) -> void* {
    (*static_cast<const std::function<void()>*>(context))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&function)), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

int num_links = 0;  // alive

struct Link : Derive<Link, Object, "test.drop.Link"> {
  Link() { ++num_links; }
  ~Link() { --num_links; }
  ObjectPtr<Object> field;
  std::vector<ObjectRef> list;
  std::optional<ObjectRef> maybe;
  std::variant<int, ObjectRef> either;
  std::function<Object*()> closure;
  std::shared_ptr<ObjectRef> shared;
};

// A new link that holds `next` in one way or another.
Ref<Link> link_before(ObjectRef next, int way) {
  Ref<Link> link = make<Link>();
  switch (way) {
    case 0:
      link->field = std::move(next);
      break;
    case 1:
      link->list.push_back(std::move(next));
      break;
    case 2:
      link->maybe = std::move(next);
      break;
    case 3:
      link->either = std::move(next);
      break;
    case 4:
      link->closure = [next = std::move(next)] { return next.get(); };
      break;
    default:
      link->shared = std::make_shared<ObjectRef>(std::move(next));
  }
  return link;
}

// Fault: a tree that is a million deep
TEST(Drop, a_chain_of_a_million_objects_through_all_kinds_of_holders_fits_a_small_stack) {
  run_on_small_stack([] {
    Ref<Link> head = make<Link>();
    for (int i = 1; i < kLength; ++i) head = link_before(std::move(head), i % 6);
    EXPECT_EQ(num_links, kLength);
  });
  EXPECT_EQ(num_links, 0);
}

TEST(Drop, a_chain_whose_links_are_weakly_held_too_fits_a_small_stack) {
  std::vector<WeakRef<Link>> weak;
  run_on_small_stack([&] {
    Ref<Link> head = make<Link>();
    for (int i = 1; i < kLength / 4; ++i) {
      if (i % 3 != 0) weak.emplace_back(head);
      head = link_before(std::move(head), 0);
    }
  });
  EXPECT_EQ(num_links, 0);
  EXPECT_TRUE(std::all_of(weak.begin(), weak.end(), [](const WeakRef<Link>& link) { return link.expired(); }));
  EXPECT_EQ(weak[1000].lock(), nullptr);
}

struct Tree : Derive<Tree, Object, "test.drop.Tree"> {
  Tree() { ++num_links; }
  ~Tree() { --num_links; }
  ObjectPtr<Tree> left, right;
};

TEST(Drop, a_wide_and_deep_tree_goes_whole) {
  run_on_small_stack([] {
    ObjectPtr<Tree> spine;
    for (int i = 0; i < 200'000; ++i) {
      ObjectPtr<Tree> next = make<Tree>();
      next->left = make<Tree>();
      next->left->right = make<Tree>();
      next->right = std::move(spine);
      spine = std::move(next);
    }
  });
  EXPECT_EQ(num_links, 0);
}

int depth = 0;
int max_depth = 0;

struct Deep : Derive<Deep, Object, "test.drop.Deep"> {
  ~Deep() {
    max_depth = std::max(max_depth, ++depth);
    next = nullptr;
    --depth;
  }
  ObjectPtr<Deep> next;
};

TEST(Drop, destruction_is_nested_64_deep_at_most) {
  max_depth = 0;
  ObjectPtr<Deep> head;
  for (int i = 0; i < 1000; ++i) {
    ObjectPtr<Deep> next = make<Deep>();
    next->next = std::move(head);
    head = std::move(next);
  }
  head = nullptr;
  EXPECT_EQ(max_depth, 64);
}

int num_dropped = 0;

struct Small : Derive<Small, Object, "test.drop.Small"> {
  ~Small() { ++num_dropped; }
  int64_t value = 0;
};

// Its destructor makes objects, keeps one in a place that is dropped later, and drops others.
struct Busy : Derive<Busy, Object, "test.drop.Busy"> {
  explicit Busy(std::vector<Ref<Small>>* kept) : kept(kept) {}
  ~Busy() {
    kept->push_back(make<Small>());
    for (int i = 0; i < 10; ++i) make<Small>();
    next = nullptr;
    make<Small>();
  }
  std::vector<Ref<Small>>* kept;
  ObjectPtr<Object> next;
};

TEST(Drop, destructors_make_and_drop_objects_at_any_depth) {
  num_dropped = 0;
  std::vector<Ref<Small>> kept;
  ObjectPtr<Object> head;
  for (int i = 0; i < 1000; ++i) {
    Ref<Busy> next = make<Busy>(&kept);
    next->next = std::move(head);
    head = std::move(next);
  }
  head = nullptr;
  EXPECT_EQ(kept.size(), 1000u);
  EXPECT_EQ(num_dropped, 11'000);
  kept.clear();
  EXPECT_EQ(num_dropped, 12'000);
}

// Registers itself weakly while it dies, as observers do.
struct Watched : Derive<Watched, Object, "test.drop.Watched"> {
  explicit Watched(std::vector<byname_object*>* graves) : graves(graves) {}
  ~Watched() {
    byname_object_retain_weak(raw());
    EXPECT_EQ(byname_object_promote(raw()), 0);
    graves->push_back(raw());
    next = nullptr;
  }
  std::vector<byname_object*>* graves;
  ObjectPtr<Object> next;
};

TEST(Drop, a_weak_reference_that_a_destructor_makes_finds_the_object_dead_and_may_outlive_it) {
  std::vector<byname_object*> graves;
  ObjectPtr<Object> head;
  for (int i = 0; i < 100; ++i) {  // some die in the queue
    Ref<Watched> next = make<Watched>(&graves);
    next->next = std::move(head);
    head = std::move(next);
  }
  head = nullptr;
  ASSERT_EQ(graves.size(), 100u);
  for (byname_object* grave : graves) {
    EXPECT_EQ(byname_object_promote(grave), 0);
    byname_object_release_weak(grave);
  }
}

TEST(Drop, everything_is_destroyed_when_the_outermost_drop_returns) {
  num_dropped = 0;
  ObjectPtr<Link> head = make<Link>();
  head->field = make<Small>();
  for (int i = 0; i < 500; ++i) head = link_before(Ref<Link>(std::move(head)), 0);
  head = nullptr;
  EXPECT_EQ(num_dropped, 1);
  EXPECT_EQ(num_links, 0);
}

}  // namespace
