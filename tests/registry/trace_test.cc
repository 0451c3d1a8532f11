// BYNAME_TRACE: the events of what C++ and C call. A process that was started with the variable makes the calls.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "allocation.h"
#include "module_support.h"

namespace byname {
namespace {

using namespace literals;

class Trace : public testing::Test {
 protected:
  // Starts this program anew for what dies in the test.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override {
    GTEST_FLAG_SET(death_test_style, "fast");
    std::filesystem::remove(path);
  }

  // The calls, as "name library", with " failed" behind it; the library of this program is "".
  Texts events() const {
    load(BYNAME_TEST_PLUGIN_DIR "/../../plugins/json/libbyname_json.so");
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    Texts found;
    for (const Any& each : get("json.parse")(text.str()).to<Array<Any>>()) {
      auto event = each.to<Map<std::string, Any>>();
      if (event["ph"].to<std::string>() != "X") continue;
      auto arguments = event["args"].to<Map<std::string, Any>>();
      std::string library = std::filesystem::path(arguments["module"].to<std::string>()).filename();
      found.push_back(event["name"].to<std::string>() + " " + (library.ends_with(".so") ? library : ""));
      if (arguments.contains("failed")) found.back() += " failed";
    }
    return found;
  }

  const std::string path = testing::TempDir() + "byname_trace_" + std::to_string(getpid()) + ".json";
  Environment variable{"BYNAME_TRACE", path};
};

void call_from_c(byname_entry* entry) {
  const byname_any arguments[] = {Any(1).raw(), Any(2).raw()};
  Any results[3];
  Any pinned;
  ASSERT_EQ(byname_call(entry, arguments, 2, results[0].out()), 0);
  ASSERT_EQ(byname_call_named(entry, arguments, 2, nullptr, 0, results[1].out()), 0);
  ASSERT_EQ(byname_entry_pin(entry, pinned.out()), 0);
  ASSERT_EQ(byname_function_call(pinned.raw().as_object, arguments, 2, results[2].out()), 0);
}

TEST_F(Trace, has_every_way_to_call) {
  EXPECT_EXIT(
      {
        Module math = load(plugin("core_math"));
        Handle add = get("core.math.add");
        auto typed = get<int64_t(int64_t, int64_t)>("core.math.add");
        add(1, 2);
        add(1, "b"_a = 2);
        if (typed(1, 2) != 3 || add.pin()(1, 2).to<int64_t>() != 3) std::exit(1);
        call_from_c(add.raw());
        error_of([] { get("core.math.throw_out_of_range")(); });
        error_of([] { get<int64_t()>("core.math.throw_out_of_range")(); });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  Texts expected(7, "core.math.add libcore_math.so");
  expected.resize(9, "core.math.throw_out_of_range libcore_math.so failed");
  EXPECT_EQ(events(), expected);
}

TEST_F(Trace, tells_the_chosen_overload_and_an_alias_and_its_target) {
  EXPECT_EXIT(
      {
        Warnings warnings;
        Block block("test.trace", [](Library& lib) {
          lib.def("pick.int", [](int64_t x) { return x; });
          lib.def("pick.str", [](std::string_view x) { return x.size(); });
          lib.alias("old", "pick");
        });
        get("test.trace.pick")(1);
        get("test.trace.pick")("x");
        get("test.trace::pick.str")("x");
        get("test.trace.old")("x");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(events(), (Texts{"test.trace::pick.int ", "test.trace::pick.str ", "test.trace::pick.str ",
                             "test.trace::pick.str ", "test.trace.old "}));
}

TEST_F(Trace, goes_on_while_modules_are_reloaded_and_unloaded) {
  EXPECT_EXIT(
      {
        Installed installed("gcc");
        installed.install(1);
        Module module = load(installed.path);
        Handle version = get("core.reload.version");
        version();
        Function old = module.get("core.reload.own").pin();
        installed.install(2);
        module.reload();
        if (version().to<int64_t>() != 2 || old().to<int64_t>() != 10) std::exit(1);
        module.get("core.reload.own")();
        module.get("core.reload.pick")(1);
        get("core.reload.both")();
        module.get("core.reload.both")();
        module.unload();
        if (old().to<int64_t>() != 10) std::exit(1);
        old = Function([] {});
        collect();
        if (is_mapped(installed.path)) std::exit(1);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(events(), (Texts{
                          "core.reload.version libreload.so",
                          "core.reload.version libreload.so",
                          "core.reload.own libreload.so",
                          "core.reload.own libreload.so",
                          "core.reload::pick.int libreload.so",
                          "core.reload.both libreload.so",
                          "core.reload.both libreload.so",
                          "core.reload.own libreload.so",
                      }));
}

TEST_F(Trace, has_the_calls_of_all_threads_and_children) {
  constexpr int kNumCalls = 1000;
  EXPECT_EXIT(
      {
        Module math = load(plugin("core_math"));
        auto call = [] {
          for (int i = 0; i < kNumCalls; ++i) get("core.math.add")(1, 2);
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(call);
        for (int i = 0; i < 4; ++i) {
          if (fork() == 0) {
            call();
            _exit(0);
          }
        }
        for (std::thread& thread : threads) thread.join();
        int status = 0;
        while (wait(&status) > 0) {
          if (status != 0) _exit(1);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(events(), Texts(8 * kNumCalls, "core.math.add libcore_math.so"));
}

TEST_F(Trace, does_not_end_a_thread_that_is_cancelled) {
  EXPECT_EXIT(
      {
        Module math = load(plugin("core_math"));
        Handle add = get("core.math.add");
        std::thread([&] {
          pthread_cancel(pthread_self());
          for (int i = 0; i < 1000; ++i) add(1, 2);
          pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        }).join();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(events(), Texts(1000, "core.math.add libcore_math.so"));
}

TEST_F(Trace, ends_without_memory_and_the_program_goes_on) {
  EXPECT_EXIT(
      {
        Module math = load(plugin("core_math"));
        Handle add = get("core.math.add");
        add(1, 2);
        allocations_left = 0;
        for (int i = 0; i < 1000; ++i) {
          if (add(1, 2).to<int64_t>() != 3) std::exit(1);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^byname: RuntimeWarning: the trace '" + path + "' is incomplete: out of memory\n$");
  EXPECT_EQ(events().front(), "core.math.add libcore_math.so");
}

}  // namespace
}  // namespace byname
