// Registration blocks that come by themselves: of this executable, and at run time.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support.h"

namespace byname {
namespace {

using namespace literals;
using Texts = std::vector<std::string>;

int num_runs = 0;

BYNAME_LIBRARY("test.block", lib) {
  ++num_runs;
  lib.def("add", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a = 1}, "Add two integers.");
  lib.def("choose.int", [](int64_t) { return std::string("int"); });
  lib.def("choose.str", [](std::string_view) { return std::string("str"); });
  lib.def("prefix", [prefix = std::string(lib.prefix())] { return prefix; });
}
BYNAME_LIBRARY("test.block", lib) {
  lib.def("more", [] { return int64_t{2}; }, blocking);
}
BYNAME_LIBRARY("", lib) {
  lib.def("test_block_bare", [] { return int64_t{3}; });
}

TEST(Block, of_the_executable_runs_once_when_something_is_looked_up) {
  EXPECT_EQ(get("test.block.add")(1, 2).to<int64_t>(), 3);
  EXPECT_EQ(get("test.block.add").schema(), "test.block.add(int a, int b=1) -> int");
  EXPECT_EQ(get("test.block.prefix")().to<std::string>(), "test.block");
  EXPECT_EQ(get("test.block.choose")("x").to<std::string>(), "str");
  EXPECT_EQ(get("test.block::choose.int")(1).to<std::string>(), "int");
  EXPECT_EQ(get("test.block.more")().to<int64_t>(), 2);
  EXPECT_EQ(num_runs, 1);
}

TEST(Block, without_a_namespace_registers_names_without_dots) {
  EXPECT_EQ(get("test_block_bare")().to<int64_t>(), 3);
  Block block("", [](Library& lib) {
    lib.def("test_block_choice.int", [](int64_t) { return std::string("int"); });
    lib.def("test_block_choice.str", [](std::string_view) { return std::string("str"); });
  });
  EXPECT_EQ(get("test_block_choice")("x").to<std::string>(), "str");
  remove("test_block_choice");
  EXPECT_TRUE(names("test_block_choice").empty());
  EXPECT_TRUE(names("::test_block_choice").empty());
}

TEST(Block, a_function_says_where_it_was_registered) {
  Any described;
  detail::check(byname_function_describe(get("test.block.more").pin().raw(), described.out()));
  std::string text = described.print();
  EXPECT_NE(text.find("'file': '" __FILE__ "'"), std::string::npos) << text;
  EXPECT_NE(text.find("'flags': ['blocking']"), std::string::npos) << text;
}

TEST(Block, that_comes_later_is_attached_by_the_next_look_up) {
  Block block("test.block.late", [](Library& lib) { lib.def("f", [] { return int64_t{1}; }); });
  EXPECT_EQ(get("test.block.late.f")().to<int64_t>(), 1);
  remove("test.block.late.f");
}

TEST(Block, with_more_overloads_is_attached_by_a_look_up_that_hits_and_by_a_call_that_none_fits) {
  auto of_int = register_function("test.block::more_and_more.int", [](int64_t) { return std::string("int"); });
  Handle handle = get("test.block.more_and_more");
  Block text("test.block",
             [](Library& lib) { lib.def("more_and_more.str", [](std::string_view) { return std::string("str"); }); });
  EXPECT_EQ(handle(1).to<std::string>(), "int") << "a call that fits looks for nothing";
  EXPECT_EQ(handle("x").to<std::string>(), "str");
  Block real("test.block", [](Library& lib) {
    lib.def("more_and_more.list", [](const std::vector<int64_t>&) { return std::string("list"); });
  });
  EXPECT_EQ(handle(std::vector<int64_t>{1}).to<std::string>(), "list");
  Block none("test.block",
             [](Library& lib) { lib.def("more_and_more.none", [](std::nullptr_t) { return std::string("none"); }); });
  get("test.block.more_and_more");
  EXPECT_NE(byname_find_attached({"test.block::more_and_more.none", 30}), nullptr);
}

TEST(Block, that_another_thread_attaches_is_not_waited_for_by_a_call_that_no_overload_fits) {
  static std::atomic<bool> has_begun;
  static std::atomic<bool> may_end;
  auto of_int = register_function("test.block::busy.int", [](int64_t) {});
  Handle handle = get("test.block.busy");
  Block slow("test.block.slow", [](Library&) {
    has_begun = true;
    while (!may_end) std::this_thread::yield();
  });
  std::thread attaching([] { names("test.block.slow."); });
  while (!has_begun) std::this_thread::yield();
  EXPECT_EQ(error_of([&] { handle("x"); }).substr(0, 53), "TypeError: test.block.busy(): no overload takes (str)");
  EXPECT_EQ(get("test.block.busy").schema(), handle.schema()) << "nor by a look-up that hits";
  may_end = true;
  attaching.join();
}

TEST(Block, is_attached_by_a_listing_and_on_demand) {
  Block listed("test.block.listed", [](Library& lib) { lib.def("f", [] {}); });
  EXPECT_EQ(names("test.block.listed."), Texts{"test.block.listed.f"});
  Block attached("test.block.attached", [](Library& lib) { lib.def("f", [] {}); });
  EXPECT_EQ(byname_attach(), 0);
  EXPECT_NE(byname_find({"test.block.attached.f", 21}), nullptr);
  remove("test.block.listed.f");
  remove("test.block.attached.f");
}

TEST(Block, that_goes_before_it_was_attached_never_runs) {
  static bool ran = false;
  {
    Block block("test.block.gone", [](Library&) { ran = true; });
  }
  EXPECT_FALSE(find("test.block.gone.f").has_value());
  EXPECT_FALSE(ran);
}

void throwing_block(Library& lib, int position) {
  if (position == 0) throw std::runtime_error("at the beginning");
  lib.def("a", [] {});
  if (position == 1) throw Error("KeyError", "in the middle");
  lib.def("b", [] {});
  if (position == 2) throw 42;
}

// Fault: an exception inside of a registration block
TEST(Block, that_throws_leaves_nothing_is_warned_about_and_told_to_whoever_looks_its_names_up) {
  Warnings warnings;
  Block first("test.block.first", [](Library& lib) { throwing_block(lib, 0); });
  Block unrelated("test.block.unrelated", [](Library& lib) { lib.def("f", [] { return int64_t{1}; }); });
  EXPECT_EQ(get("test.block.add")(1).to<int64_t>(), 2) << "others' look-ups go on";
  EXPECT_EQ(
      error_of([] { get("test.block.first.a"); }),
      "NotFound: nothing is registered under the name 'test.block.first.a'; registering 'test.block.first' failed: "
      "block 'test.block.first' (block.cc:1): at the beginning (nothing is registered under 'test.block.first.'; is "
      "its library loaded, and linked whole?)");
  EXPECT_EQ(
      warnings.texts(),
      Texts{"RuntimeWarning: registering 'test.block.first' failed: block 'test.block.first' (block.cc:1): at the "
            "beginning"});
  EXPECT_FALSE(find("test.block.unrelated.f").has_value()) << "one shared object's blocks are one batch";
}

// Fault: an exception inside of a registration block
TEST(Block, that_throws_in_the_middle_or_at_the_end_leaves_nothing_either) {
  Warnings warnings;
  Block middle("test.block.middle", [](Library& lib) { throwing_block(lib, 1); });
  EXPECT_TRUE(names("test.block.middle").empty());
  Block last("test.block.last", [](Library& lib) { throwing_block(lib, 2); });
  EXPECT_TRUE(names("test.block.last").empty());
  EXPECT_EQ(warnings.texts(), (Texts{"RuntimeWarning: registering 'test.block.middle' failed: in the middle",
                                     "RuntimeWarning: registering 'test.block.last' failed: block 'test.block.last' "
                                     "(block.cc:1): unknown C++ exception of type 'int'"}));
}

TEST(Block, that_failed_and_comes_again_without_failing_is_forgiven) {
  Warnings warnings;
  static bool fails;
  fails = true;
  constexpr auto run = [](Library& lib) {
    if (std::exchange(fails, false)) throw std::runtime_error("not yet");
    lib.def("f", [] {});
  };
  {
    Block block("test.block.again", run);
    EXPECT_NE(
        error_of([] { get("test.block.again.g"); }).find("failed: block 'test.block.again' (block.cc:1): not yet"),
        std::string::npos);
  }
  Block block("test.block.again", run);
  EXPECT_TRUE(find("test.block.again.f").has_value());
  EXPECT_EQ(error_of([] { get("test.block.again.g"); }),
            "NotFound: nothing is registered under the name 'test.block.again.g'");
  remove("test.block.again.f");
}

TEST(Block, a_bad_schema_names_its_function_and_place) {
  Warnings warnings;
  Block block("test.block.bad",
              [](Library& lib) { lib.def({"f(int a, -> int", "bad.cc", 7}, [](int64_t a) { return a; }); });
  EXPECT_FALSE(find("test.block.bad.f").has_value());
  EXPECT_EQ(warnings.texts(),
            Texts{"RuntimeWarning: registering 'test.block.bad' failed: cannot register 'test.block.bad.f' "
                  "(bad.cc:7): 1:10: expected a type, got '->'\nf(int a, -> int\n         ^"});
}

TEST(Block, a_name_of_another_namespace_is_refused) {
  Warnings warnings;
  Block block("test.block.space",
              [](Library& lib) { lib.def({"test.other::f(int a) -> int", "bad.cc", 7}, [](int64_t a) { return a; }); });
  byname_attach();
  EXPECT_EQ(warnings.texts(),
            Texts{"RuntimeWarning: registering 'test.block.space' failed: cannot register "
                  "'test.block.space.test.other::f' (bad.cc:7): the name is in the namespace 'test.other', "
                  "its block in 'test.block.space'"});
}

// Fault: the same definition twice
TEST(Block, duplicates_within_a_block_and_with_what_is_there_name_both_places) {
  Warnings warnings;
  Registration there = register_function({"test.block.dup.f", "there.cc", 1}, [] {});
  Block within("test.block.dup", [](Library& lib) {
    lib.def({"g", "block.cc", 2}, [] {});
    lib.def({"g", "block.cc", 3}, [] {});
  });
  byname_attach();
  Block with("test.block.dup", [](Library& lib) {
    lib.def({"h", "block.cc", 4}, [] {});
    lib.def({"f", "block.cc", 5}, [] {});
  });
  byname_attach();
  EXPECT_EQ(warnings.texts(),
            (Texts{"RuntimeWarning: registering 'test.block.dup' failed: 'test.block.dup.g' is registered twice: at "
                   "block.cc:2 and at block.cc:3",
                   "RuntimeWarning: registering 'test.block.dup' failed: 'test.block.dup.f' is registered twice: at "
                   "there.cc:1 and at block.cc:5"}));
  EXPECT_EQ(names("test.block.dup."), Texts{"test.block.dup.f"});
}

TEST(Block, overloads_of_the_same_parameters_are_refused_whichever_comes_first) {
  Warnings warnings;
  Block plain_first("test.block.same1", [](Library& lib) {
    lib.def({"f", "block.cc", 1}, [](int64_t) {});
    lib.def({"f.o", "block.cc", 2}, [](int64_t) {});
  });
  byname_attach();
  Block plain_last("test.block.same2", [](Library& lib) {
    lib.def({"f.o", "block.cc", 1}, [](int64_t) {});
    lib.def({"f", "block.cc", 2}, [](int64_t) {});
  });
  byname_attach();
  Texts texts = warnings.texts();
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0],
            "RuntimeWarning: registering 'test.block.same1' failed: overloads take the same parameters: "
            "test.block.same1.f(int _0) -> () at block.cc:1 and test.block.same1::f.o(int _0) -> () at block.cc:2");
  EXPECT_TRUE(texts[1].find("overloads take the same parameters") != std::string::npos);
}

TEST(Block, a_namespace_that_is_none_is_refused) {
  Warnings warnings;
  constexpr auto run = [](Library& lib) { lib.def("f", [] {}); };
  for (const char* prefix : {"a..b", ".a", "a.", "a::b"}) {
    Block block(prefix, run);
    byname_attach();
  }
  Texts expected;
  for (const char* prefix : {"a..b", ".a", "a.", "a::b"}) {
    expected.push_back(std::string("RuntimeWarning: registering '") + prefix +
                       "' failed: expected a namespace like 'a.b' for the block at block.cc:1, got '" + prefix + "'");
  }
  EXPECT_EQ(warnings.texts(), expected);
}

TEST(Block, may_look_up_register_and_call_while_it_runs) {
  Block block("test.block.busy", [](Library& lib) {
    EXPECT_FALSE(find("test.block.busy.f").has_value()) << "its batch is its own until it is complete";
    EXPECT_EQ(get("test.block.add")(1).to<int64_t>(), 2);
    register_function("test.block.busy.g", [] {}).keep();
    lib.def("f", [] {});
  });
  EXPECT_TRUE(find("test.block.busy.f").has_value());
  EXPECT_TRUE(find("test.block.busy.g").has_value());
  remove("test.block.busy.f");
  remove("test.block.busy.g");
}

TEST(Block, whoever_looks_up_while_another_thread_attaches_waits_for_it) {
  static std::atomic<bool> is_running{false};
  Block block("test.block.slow", [](Library& lib) {
    is_running = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    lib.def("f", [] { return int64_t{1}; });
  });
  std::thread first([] { EXPECT_EQ(get("test.block.slow.f")().to<int64_t>(), 1); });
  while (!is_running) std::this_thread::yield();
  EXPECT_EQ(get("test.block.add")(1).to<int64_t>(), 2) << "hits do not wait";
  EXPECT_EQ(get("test.block.slow.f")().to<int64_t>(), 1);
  first.join();
  remove("test.block.slow.f");
}

}  // namespace
}  // namespace byname
