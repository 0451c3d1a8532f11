// Handles: they follow what is registered under their name.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support.h"

namespace byname {
namespace {

// Fault: a call through an old handle of what was removed
// Fault: what is registered after a removal
TEST(Handle, follows_removal_and_registration) {
  Registration first = register_function("test.handle.f", [] { return int64_t{1}; });
  Handle handle = get("test.handle.f");
  EXPECT_EQ(handle().to<int64_t>(), 1);
  EXPECT_TRUE(handle);
  first.remove();
  EXPECT_FALSE(handle);
  EXPECT_EQ(error_of([&] { handle(); }),
            "NotFound: 'test.handle.f' is not registered any more (it was removed, or its module unloaded)");
  EXPECT_EQ(error_of([&] { handle.pin(); }).substr(0, 9), "NotFound:");
  EXPECT_EQ(error_of([&] { handle("x"); }).substr(0, 9), "NotFound:");
  Registration second = register_function("test.handle.f", [](std::string_view text) { return std::string(text); });
  EXPECT_TRUE(handle);
  EXPECT_EQ(handle("new").to<std::string>(), "new");
  EXPECT_EQ(handle, get("test.handle.f"));
}

TEST(Handle, pins_nothing_and_what_it_pins_on_demand_stays) {
  auto alive = std::make_shared<int>(7);
  std::weak_ptr<int> watch = alive;
  Registration registration =
      register_function("test.handle.g", [alive = std::move(alive)] { return int64_t{*alive}; });
  Handle handle = get("test.handle.g");
  Function pinned = handle.pin();
  registration.remove();
  EXPECT_EQ(pinned().to<int64_t>(), 7);
  EXPECT_EQ(pinned.name(), "test.handle.g");
  EXPECT_FALSE(watch.expired());
  pinned = Function([] {});
  collect();
  EXPECT_TRUE(watch.expired());
}

TEST(Handle, a_function_that_removes_itself_runs_to_its_end) {
  auto alive = std::make_shared<int>(7);
  std::weak_ptr<int> watch = alive;
  register_function("test.handle.self", [alive = std::move(alive), &watch] {
    remove("test.handle.self");
    collect();
    EXPECT_FALSE(watch.expired());
    return int64_t{*alive};
  }).keep();
  EXPECT_EQ(get("test.handle.self")().to<int64_t>(), 7);
  collect();
  EXPECT_TRUE(watch.expired());
}

TEST(Handle, a_function_that_replaces_itself_runs_to_its_end) {
  Registration registration = register_function("test.handle.next", [] { return int64_t{1}; });
  registration.remove();
  registration = register_function("test.handle.next", [&registration, state = std::string("a state of its own")] {
    std::string before = state;
    registration.remove();
    registration = register_function("test.handle.next", [] { return std::string("the next"); });
    collect();
    return before + ", " + state;
  });
  Handle handle = get("test.handle.next");
  EXPECT_EQ(handle().to<std::string>(), "a state of its own, a state of its own");
  EXPECT_EQ(handle().to<std::string>(), "the next");
}

TEST(Handle, calls_nest_deeper_than_a_thread_has_hazard_slots) {
  constexpr int64_t kDepth = 200;
  static_assert(kDepth > 4 * BYNAME_NUM_HAZARDS);
  Registration registration = register_function("test.handle.deep", [](int64_t depth) -> int64_t {
    return depth == 0 ? 0 : 1 + get("test.handle.deep")(depth - 1).to<int64_t>();
  });
  EXPECT_EQ(get("test.handle.deep")(kDepth).to<int64_t>(), kDepth);
  auto typed = get<int64_t(int64_t)>("test.handle.deep");
  EXPECT_EQ(typed(kDepth), kDepth);
  EXPECT_EQ(byname_this_thread.top, byname_this_thread.hazards);
}

TEST(Handle, a_function_that_is_removed_beyond_the_hazard_slots_runs_to_its_end) {
  static Registration registration;
  static int num_alive = 0;
  struct State {
    State() { ++num_alive; }
    State(State&&) noexcept { ++num_alive; }
    ~State() { --num_alive; }
  };
  registration = register_function("test.handle.deepest", [state = State()](int64_t depth) -> int64_t {
    if (depth > 0) return get("test.handle.deepest")(depth - 1).to<int64_t>();
    registration.remove();
    collect();
    return num_alive;
  });
  EXPECT_EQ(get("test.handle.deepest")(2 * BYNAME_NUM_HAZARDS).to<int64_t>(), 1);
  collect();
  EXPECT_EQ(num_alive, 0);
  EXPECT_EQ(byname_this_thread.top, byname_this_thread.hazards);
}

TEST(Handle, exceptions_leave_no_hazard_behind) {
  Registration registration = register_function("test.handle.throws", [](int64_t depth) -> int64_t {
    if (depth == 0) throw std::runtime_error("deep");
    return get("test.handle.throws")(depth - 1).to<int64_t>();
  });
  for (int64_t depth : {0, 3, 2 * BYNAME_NUM_HAZARDS}) {
    EXPECT_EQ(error_of([&] { get("test.handle.throws")(depth); }), "RuntimeError: deep");
    EXPECT_EQ(byname_this_thread.top, byname_this_thread.hazards);
  }
}

}  // namespace
}  // namespace byname
