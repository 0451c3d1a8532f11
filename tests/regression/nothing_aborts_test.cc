// What a user can do wrong ends in an error, and the process goes on.
#include <gtest/gtest.h>

#include <string>

#include "byname/byname.h"

namespace byname {
namespace {

// The kind of the error that a callable throws.
template <class F>
std::string kind_of(F&& callable) {
  try {
    callable();
  } catch (const Error& error) {
    return std::string(error.kind());
  }
  return "none";
}

std::string plugin(const char* name) { return std::string(BYNAME_TEST_PLUGIN_DIR "/gcc/lib") + name + ".so"; }

struct UnknownClass {};
struct OtherNode : Derive<OtherNode, Object, "test.aborts.Other"> {};

TEST(NothingAborts, a_duplicate_name) {
  Registration first = register_function("test.aborts.f", [] {});
  EXPECT_EQ(kind_of([] { register_function("test.aborts.f", [] {}).keep(); }), "ValueError");
}

TEST(NothingAborts, a_bad_schema_or_default) {
  EXPECT_EQ(kind_of([] { register_function("test.aborts.f(int a, -> int", [](int64_t) {}).keep(); }), "ValueError");
  EXPECT_EQ(kind_of([] { register_function("test.aborts.f(int a=\"x\") -> ()", [](int64_t) {}).keep(); }),
            "ValueError");
}

TEST(NothingAborts, a_throw_in_a_block) {
  setenv("BYNAME_TEST_THROW", "struct", 1);
  EXPECT_EQ(kind_of([] { load(plugin("core_throw")); }), "RuntimeError");
  unsetenv("BYNAME_TEST_THROW");
}

TEST(NothingAborts, a_throw_in_a_callback) {
  EXPECT_EQ(kind_of([] { Function([](const Function& callback) { callback(); })([] { throw 42; }); }), "RuntimeError");
}

TEST(NothingAborts, unloading_inside_ones_own_call) {
  load(plugin("core_objects"));
  EXPECT_EQ(kind_of([] { get("core.objects.unload_self")(plugin("core_objects")); }), "none");
  EXPECT_EQ(collect(), 1u);
}

TEST(NothingAborts, an_unknown_type) {
  EXPECT_EQ(kind_of([] { register_function("test.aborts.f", [](const UnknownClass&) {}).keep(); }), "TypeError");
  EXPECT_EQ(kind_of([] { Function([] { return UnknownClass(); })(); }), "TypeError");
  EXPECT_EQ(kind_of([] { Function([](const UnknownClass&) {})(make<OtherNode>()); }), "TypeError");
}

TEST(NothingAborts, a_name_that_is_not_there_or_not_any_more) {
  EXPECT_EQ(kind_of([] { get("test.aborts.nothing"); }), "NotFound");
  EXPECT_EQ(kind_of([] { remove("test.aborts.nothing"); }), "NotFound");
  Registration registration = register_function("test.aborts.gone", [] {});
  Handle handle = get("test.aborts.gone");
  registration.remove();
  EXPECT_EQ(kind_of([&] { handle(); }), "NotFound");
  EXPECT_EQ(kind_of([&] { handle.pin(); }), "NotFound");
}

TEST(NothingAborts, a_library_that_is_none) {
  EXPECT_EQ(kind_of([] { load("/nowhere.so"); }), "FileNotFoundError");
}

TEST(NothingAborts, a_recursion_that_ends_in_an_error) {
  Registration registration = register_function("test.aborts.deep", [](int64_t depth) -> int64_t {
    if (depth == 0) throw Error("RecursionError", "too deep");
    return get("test.aborts.deep")(depth - 1).to<int64_t>();
  });
  EXPECT_EQ(kind_of([] { get("test.aborts.deep")(1000); }), "RecursionError");
}

}  // namespace
}  // namespace byname
