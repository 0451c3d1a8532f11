// Loads, reloads and unloads without end leave nothing behind: no names, modules, types, mappings, memory.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../sanitized.h"
#include "module_support.h"

namespace byname {
namespace {

size_t num_of(int (*list)(byname_any* out)) {
  Any all;
  detail::check(list(all.out()));
  return static_cast<size_t>(reinterpret_cast<const byname_array*>(all.raw().as_object)->size);
}

// A sanitizer maps memory as it likes: then those of files alone.
size_t num_mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += !kIsSanitized || line.find('/') != std::string::npos ? 1 : 0;
  }
  return count;
}

// Names, modules, types, mappings.
std::vector<size_t> state() {
  collect();
  return {names().size(), num_of(byname_modules), num_of(byname_type_keys), num_mappings()};
}

// After some rounds, in which what is made once is made, a hundred more change nothing. malloc counts the few pieces of
// each size that it keeps for a thread as in use, and keeps one more now and then: what is leaked grows in every ten
// rounds. (A sanitizer's malloc counts nothing.)
void expect_nothing_left(const std::function<void(int i)>& cycle) {
  for (int i = 0; i < 10; ++i) cycle(i);
  const std::vector<size_t> before = state();
  std::vector<size_t> growth;
  growth.reserve(10);
  while (growth.size() < 10) {
    const size_t bytes = mallinfo2().uordblks;
    for (int i = 0; i < 10; ++i) cycle(i);
    EXPECT_EQ(state(), before);
    growth.push_back(std::max(mallinfo2().uordblks, bytes) - bytes);
  }
  EXPECT_EQ(std::ranges::min(growth), 0u) << testing::PrintToString(growth);
}

class Cycles : public testing::TestWithParam<const char*> {
 protected:
  const std::string path = plugin("core_objects", GetParam());
};
INSTANTIATE_TEST_SUITE_P(Compilers, Cycles, testing::Values("gcc", "clang"));

// Some of each kind that a module makes, and one of ours that it has.
struct Held {
  Held()
      : object(get("core.objects.Counter")()),
        box(get("core.objects.Square")()),
        function(get("core.objects.make_adder")(1)),
        tensor(get("core.objects.managed")()) {
    get("core.objects.keep")(Function([kept = std::make_shared<int>(1)] { return int64_t{*kept}; }));
    try {
      get("core.objects.fail")("so");
    } catch (const Error& caught) {
      error = caught;
    }
  }
  Any object;
  Any box;
  Any function;
  Any tensor;
  std::optional<Error> error;
};

// Fault: a hundred loads and unloads
TEST_P(Cycles, hundred_loads_end_where_they_began) {
  expect_nothing_left([&](int i) {
    Module module = load(path);
    {
      Held held;
      EXPECT_EQ(get("core.objects.Counter.increase")(held.object).to<int64_t>(), 1);
      EXPECT_EQ(held.function.to<Function>()(i).to<int64_t>(), i + 1);
    }
    EXPECT_EQ(module.unload(), Texts{});
  });
  EXPECT_FALSE(is_mapped(path));
}

// Fault: a hundred loads and unloads
TEST_P(Cycles, hundred_loads_end_where_they_began_when_all_is_dropped_after_the_unload) {
  expect_nothing_left([&](int i) {
    Module module = load(path);
    std::optional<Held> held(std::in_place);
    EXPECT_EQ(module.holders(),
              (Texts{"1 function value", "1 object of type 'byname.Tensor'", "1 object of type 'core.objects.Counter'",
                     "1 object of type 'core.objects.Square'"}));
    EXPECT_EQ(module.unload(), module.holders());
    EXPECT_EQ(held->function.to<Function>()(i).to<int64_t>(), i + 1);
    EXPECT_EQ(held->error->message(), "so");
    held.reset();
    EXPECT_EQ(module.holders(), Texts{});
    EXPECT_EQ(collect(), 1u);
  });
  EXPECT_FALSE(is_mapped(path));
}

// Fault: a hundred loads and unloads
// Each round unloads all in the end: of functions that run at exit, libc gives the memory of the last ones alone back,
// and new code has one there before the old code's go.
TEST_P(Cycles, hundred_reloads_end_where_they_began) {
  expect_nothing_left([&](int i) {
    Module module = load(path);
    for (int reload = 0; reload < 2; ++reload) {
      Held held;
      EXPECT_EQ(module.reload().size(), 4u);
      EXPECT_EQ(held.function.to<Function>()(i).to<int64_t>(), i + 1);
      EXPECT_EQ(get("core.objects.Counter.increase")(held.object).to<int64_t>(), 1) << "an object of the old code";
      collect();
      EXPECT_EQ(mapped_files("/libcore_objects.so").size(), 2u) << "the old code is held";
    }
    collect();
    EXPECT_EQ(mapped_files("/libcore_objects.so").size(), 1u);
    EXPECT_EQ(module.unload(), Texts{});
  });
  EXPECT_FALSE(is_mapped("/libcore_objects.so"));
}

}  // namespace
}  // namespace byname
