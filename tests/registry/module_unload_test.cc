// Unloading: what still holds the code is told, and the code goes when nothing does.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "module_support.h"

namespace byname {
namespace {

using namespace literals;

class Unload : public testing::TestWithParam<const char*> {
 protected:
  const std::string path = plugin("core_objects", GetParam());
};
INSTANTIATE_TEST_SUITE_P(Compilers, Unload, testing::Values("gcc", "clang"));

TEST_P(Unload, an_object_keeps_the_code_and_works_until_it_is_dropped) {
  Module module = load(path);
  Any counter = get("core.objects.Counter")();
  Function increase = get("core.objects.Counter.increase").pin();
  EXPECT_EQ(module.unload(), (Texts{"1 object of type 'core.objects.Counter'",
                                    "function 'core.objects.Counter.increase', referenced or running"}));
  EXPECT_TRUE(names("core.objects.").empty());
  EXPECT_EQ(increase(counter).to<int64_t>(), 1);
  increase = Function([] {});
  EXPECT_EQ(collect(), 0u);
  EXPECT_TRUE(is_mapped(path));
  counter = Any();
  EXPECT_TRUE(is_mapped(path)) << "never from inside its own last release";
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

TEST(Unloading, waits_for_threads_with_thread_local_objects_of_the_module) {
  const std::string file = plugin("core_thread_local");
  Module module = load(file);
  std::atomic<bool> has_called{false};
  std::atomic<bool> may_end{false};
  std::thread thread([&] {
    get("core.thread_local.count")();
    has_called = true;
    while (!may_end) std::this_thread::yield();
  });
  while (!has_called) std::this_thread::yield();
  EXPECT_EQ(module.holders(), Texts{});
  EXPECT_EQ(module.unload(), Texts{kept_by_others});
  EXPECT_EQ(collect(), 0u);
  EXPECT_EQ(module.holders(), Texts{kept_by_others});
  EXPECT_TRUE(is_mapped(file));
  may_end = true;
  thread.join();
  EXPECT_EQ(collect(), 1u);
  EXPECT_EQ(module.holders(), Texts{});
  EXPECT_FALSE(is_mapped(file));
}

TEST_P(Unload, boxed_objects_and_their_classes_are_kept_and_forgotten) {
  Module module = load(path);
  Any squares[] = {get("core.objects.Square")(), get("core.objects.Square")()};
  Function describe = get("core.objects.Shape.describe").pin();
  Function size = get("core.objects.Sized.size").pin();
  EXPECT_EQ(module.unload().front(), "2 objects of type 'core.objects.Square'");
  EXPECT_EQ(describe(squares[0]).to<std::string>(), "square of 4");
  EXPECT_EQ(size(squares[1]).to<int64_t>(), 4);
  describe = size = Function([] {});
  for (Any& square : squares) square = Any();
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
  // Whoever looks a class up now must not look into memory that is gone.
  struct Other {};
  EXPECT_EQ(byname_box_find(&typeid(Other)), 0);
  Module again = load(path);
  EXPECT_EQ(get("core.objects.Shape.describe")(get("core.objects.Square")()).to<std::string>(), "square of 4");
  EXPECT_EQ(again.unload(), Texts{});
}

TEST_P(Unload, function_values_are_counted_and_keep_the_code) {
  Module module = load(path);
  Function plus_two = get("core.objects.make_adder")(2).to<Function>();
  Function plus_three = get("core.objects.make_adder")(3).to<Function>();
  EXPECT_EQ(module.unload(), Texts{"2 function values"});
  EXPECT_EQ(plus_two(1).to<int64_t>(), 3);
  plus_two = plus_three;
  EXPECT_EQ(module.unload(), Texts{"1 function value"});
  plus_two = plus_three = Function([] {});
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, a_running_call_keeps_the_code) {
  Module module = load(path);
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  std::thread caller([&] {
    Any result = get("core.objects.call")([&] {
      is_inside = true;
      while (!may_leave) std::this_thread::yield();
      return int64_t{7};
    });
    EXPECT_EQ(result.to<int64_t>(), 7);
  });
  while (!is_inside) std::this_thread::yield();
  EXPECT_EQ(module.unload(), Texts{"function 'core.objects.call', referenced or running"});
  EXPECT_EQ(collect(), 0u);
  EXPECT_TRUE(is_mapped(path));
  may_leave = true;
  caller.join();
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, a_call_that_runs_beyond_the_hazard_slots_keeps_the_code) {
  Module module = load(path);
  Texts holders;
  Registration registration = register_function("test.unload.deeper", [&](int64_t depth) -> Any {
    if (depth > 0) return get("test.unload.deeper")(depth - 1);
    return get("core.objects.call")([&] {
      holders = module.unload();
      return collect();
    });
  });
  EXPECT_EQ(get("test.unload.deeper")(2 * BYNAME_NUM_HAZARDS).to<size_t>(), 0u);
  EXPECT_EQ(holders, Texts{"function 'core.objects.call', referenced or running"});
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, what_would_hold_the_code_is_told_before) {
  Module module = load(path);
  EXPECT_EQ(module.holders(), Texts{});
  Any counter = get("core.objects.Counter")();
  Function increase = get("core.objects.Counter.increase").pin();
  Function adder = get("core.objects.make_adder")(2).to<Function>();
  Texts holders;
  get("core.objects.call")([&] { holders = module.holders(); });
  const Texts outside = {"1 function value", "1 object of type 'core.objects.Counter'",
                         "function 'core.objects.Counter.increase', referenced or running"};
  Texts inside = outside;
  inside.emplace_back("function 'core.objects.call', referenced or running");
  EXPECT_EQ(holders, inside);
  EXPECT_EQ(module.holders(), outside);
  EXPECT_EQ(module.unload(), outside);
  EXPECT_EQ(module.holders(), outside) << "and afterwards";
  increase = adder = Function([] {});
  counter = Any();
  EXPECT_EQ(module.holders(), Texts{});
  EXPECT_EQ(collect(), 1u);
  EXPECT_EQ(module.holders(), Texts{}) << "of a module that is closed";
}

TEST_P(Unload, overloads_hold_the_code_each_and_together) {
  Registration hear = register_function("test.reload.hear", [](int64_t) {});
  Module module = load(plugin("core_reload1", GetParam()));
  EXPECT_EQ(module.holders(), Texts{});
  const Texts both = {"function 'core.reload::flat.int', referenced or running",
                      "function 'core.reload::flat.str', referenced or running"};
  Function one = get("core.reload::flat.str").pin();
  EXPECT_EQ(module.holders(), Texts{both[1]});
  one = get("core.reload.flat").pin();
  EXPECT_EQ(module.holders(), both);
  Function own = module.get("core.reload::pick.int").pin();
  Texts all = both;
  all.emplace_back("function 'core.reload::pick.int', referenced or running");
  EXPECT_EQ(module.holders(), all);
  EXPECT_EQ(module.unload(), all);
  one = own = Function([] {});
  EXPECT_EQ(collect(), 1u);
}

TEST_P(Unload, from_inside_its_own_function_waits_for_that_to_return) {
  load(path);
  EXPECT_EQ(get("core.objects.unload_self")(path).to<std::string>(),
            "function 'core.objects.unload_self', referenced or running; ");
  EXPECT_TRUE(is_mapped(path));
  EXPECT_TRUE(names("core.objects.").empty());
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, from_inside_its_own_destructor_waits_for_that_to_return) {
  load(path);
  get("core.objects.Unloader")(path);  // dropped at once
  EXPECT_TRUE(names("core.objects.").empty());
  collect();
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, from_inside_its_own_listener_waits_for_that_to_return) {
  load(path);
  get("core.objects.unload_when_heard")("test.unload.signal", path);
  Registration signal = register_function("test.unload.signal", [] {});
  EXPECT_TRUE(names("core.objects.").empty());
  collect();
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(Unload, what_is_left_is_closed_by_the_next_load_as_well) {
  Module module = load(path);
  Any counter = get("core.objects.Counter")();
  EXPECT_EQ(module.unload(), Texts{"1 object of type 'core.objects.Counter'"});
  counter = Any();
  EXPECT_TRUE(is_mapped(path));
  Module other = load(plugin("core_math"));
  EXPECT_FALSE(is_mapped(path));
  other.unload();
}

TEST_P(Unload, twice_is_harmless_and_a_load_in_between_makes_it_whole_again) {
  Module module = load(path);
  Any counter = get("core.objects.Counter")();
  EXPECT_EQ(module.unload().size(), 1u);
  EXPECT_EQ(module.unload().size(), 1u);
  Module again = load(path);
  EXPECT_TRUE(module.is_loaded()) << "its code was there all the time";
  EXPECT_EQ(get("core.objects.Counter.increase")(counter).to<int64_t>(), 1);
  counter = Any();
  EXPECT_EQ(again.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

// Fault: a worker that called into a module ends after its unload
TEST_P(Unload, a_worker_that_called_into_it_may_end_later) {
  Module module = load(path);
  std::atomic<int> step{0};
  std::thread worker([&] {
    get("core.objects.Counter")();
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
  step = 2;
  worker.join();
}

// Fault: a returned array outlives its module
TEST_P(Unload, a_tensor_keeps_the_code_that_gives_its_memory_back) {
  Module module = load(path);
  auto tensor = get("core.objects.managed")().to<Tensor>();
  EXPECT_EQ(module.unload(), Texts{"1 object of type 'byname.Tensor'"});
  EXPECT_EQ(*tensor.data<const float>(), 42);
  tensor = Tensor::empty({1}, DType::of<float>());
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

// Fault: a returned array outlives its module
TEST_P(Unload, values_of_the_cores_types_do_not_hold_the_code) {
  Module module = load(path);
  Any text = get("core.objects.Shape.describe")(get("core.objects.Square")());
  Any array = get("core.objects.sizes")();
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
  EXPECT_EQ(text.to<std::string>(), "square of 4");
  EXPECT_EQ(array.print(), "[1, 'a text of more than seven bytes', 2.5]");
}

TEST(OnUnload, runs_after_the_names_are_gone_may_collect_and_what_it_throws_is_warned_about) {
  Warnings warnings;
  Texts heard;
  Registration registration =
      register_function("test.on_unload.hear", [&](bool found) { heard.push_back(found ? "found" : "gone"); });
  Module module = load(plugin("core_on_unload"));
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(heard, (Texts{"gone", "found"})) << "all of them run";
  EXPECT_EQ(warnings.texts(),
            Texts{"RuntimeWarning: what '" + plugin("core_on_unload") + "' does when it is unloaded failed: no rest"});
  EXPECT_FALSE(is_mapped(plugin("core_on_unload")));
}

TEST(Unloading, an_exception_class_of_the_module_is_forgotten_with_it) {
  Module module = load(plugin("core_error"));
  EXPECT_EQ(error_of([] { get("core.error.fail")("bad"); }), "core.Error: bad");
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(plugin("core_error")));
  struct Mine : std::exception {
    const char* what() const noexcept override { return "mine"; }
  };
  EXPECT_EQ(error_of([] { Function([] { throw Mine(); })(); }), "RuntimeError: mine");
  Module again = load(plugin("core_error", "clang"));
  EXPECT_EQ(error_of([] { get("core.error.fail")("bad"); }), "core.Error: bad");
  EXPECT_EQ(again.unload(), Texts{});
}

TEST(Unloading, names_that_others_registered_since_stay) {
  Module module = load(plugin("core_math"));
  remove("core.math.add");
  Registration mine = register_function("core.math.add", [] { return int64_t{100}; });
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(names("core.math."), Texts{"core.math.add"});
  EXPECT_EQ(get("core.math.add")().to<int64_t>(), 100);
}

TEST(Unloading, listeners_and_handlers_of_warnings_hold_the_code) {
  const std::string path = plugin("core_objects");
  Module module = load(path);
  get("core.objects.listen")(true);
  EXPECT_EQ(module.unload(), (Texts{"1 listener", "the handler of warnings"}));
  register_function("test.unloading.heard", [] {}).remove();
  byname_warn({"UserWarning", 11}, {"heard", 5});
  module = load(path);
  get("core.objects.listen")(false);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

}  // namespace
}  // namespace byname
