// Ends of the process in every order of loading and use: each is a process of its own that ends by exit().
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "../registry/module_support.h"
#include "byname/byname.h"

namespace byname {
namespace {

// How a child that does this and then exits, with all its static destructors, has ended; 0 is well.
int status_of(const std::function<void()>& body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    try {
      body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(98);
    }
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// For a child, which ends there if it does not hold.
void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error("it does not hold that " + what);
}

// Dropped by a static destructor, after main.
std::optional<Any> kept;
std::optional<Module> kept_module;

// Fault: exit in every order
TEST(Exit, with_a_module_loaded) {
  EXPECT_EQ(status_of([] { load(plugin("core_math")); }), 0);
  EXPECT_EQ(status_of([] { kept_module = load(plugin("core_math")); }), 0);
}

// Fault: exit in every order
TEST(Exit, after_a_module_was_used_and_unloaded) {
  EXPECT_EQ(status_of([] {
              Module module = load(plugin("core_objects"));
              get("core.objects.Counter")();
              module.unload();
            }),
            0);
}

// Fault: exit in every order
TEST(Exit, with_an_object_or_function_of_a_module_alive) {
  for (const char* name : {"core.objects.Counter", "core.objects.Square"}) {
    EXPECT_EQ(status_of([name] {
                load(plugin("core_objects"));
                kept = get(name)();
              }),
              0);
  }
  EXPECT_EQ(status_of([] {
              Module module = load(plugin("core_objects"));
              kept = get("core.objects.make_adder")(2);
              module.unload();
            }),
            0);
}

// Values of a module's. Whatever is left of them is dropped by a static destructor.
struct Held {
  std::optional<Module> module;
  Any object;
  Function function = Function([] {});
  std::optional<Error> error;
  std::optional<Tensor> tensor;
  Any callback;
  void drop(int which) {
    switch (which) {
      case 0:
        return module.reset();
      case 1:
        object = Any();
        return;
      case 2:
        function = Function([] {});
        return;
      case 3:
        return error.reset();
      case 4:
        return tensor.reset();
      default:
        callback = Any();
    }
  }
};
constexpr int kNumHeld = 6;
const std::set<int> kHoldCode = {1, 2, 4};  // the others have nothing of the module's code
std::optional<Held> held;

void hold(const std::string& path) {
  held.emplace();
  held->module = load(path);
  held->object = get("core.objects.Square")();
  held->function = get("core.objects.make_adder")(2).to<Function>();
  held->tensor = get("core.objects.managed")().to<Tensor>();
  held->callback = Function([] { return int64_t{5}; });
  get("core.objects.keep")(held->callback);
  try {
    get("core.objects.fail")("for the error");
  } catch (const Error& error) {
    held->error = error;
  }
}

// Fault: exit in every order
TEST(Exit, whatever_goes_first_then_unloaded_or_not) {
  for (const char* compiler : {"gcc", "clang"}) {
    const std::string path = std::string(BYNAME_TEST_PLUGIN_DIR "/") + compiler + "/libcore_objects.so";
    for (int scope : {RTLD_LOCAL, RTLD_GLOBAL}) {
      for (int first = 0; first < kNumHeld; ++first) {
        for (bool unloads : {false, true}) {
          int status = status_of([&] {
            void* handle = dlopen(path.c_str(), RTLD_NOW | scope);
            hold(path);
            dlclose(handle);
            std::set<int> holders = kHoldCode;
            auto drop = [&](int which) {
              held->drop(which);
              holders.erase(which);
            };
            drop(first);
            if (!unloads) return;
            require(load(path).unload().size() == holders.size(), "the unload tells what holds the code");
            require(is_mapped(path), "the code is mapped");
            for (int next = 1; next < kNumHeld; ++next) {
              drop((first + next) % kNumHeld);
              collect();
              require(is_mapped(path) == !holders.empty(), "the code is mapped while something holds it, no longer");
            }
          });
          EXPECT_EQ(status, 0) << compiler << ", scope " << scope << ", first " << first << ", unloads " << unloads;
        }
      }
    }
  }
}

// Fault: exit in every order
TEST(Exit, with_a_library_that_others_opened_and_closed_or_left_open) {
  EXPECT_EQ(status_of([] {
              void* handle = dlopen(plugin("core_objects").c_str(), RTLD_NOW);
              kept = get("core.objects.Counter")();
              dlclose(handle);
            }),
            0);
  EXPECT_EQ(status_of([] { dlopen(plugin("core_objects").c_str(), RTLD_NOW); }), 0);
}

// Fault: exit in every order
TEST(Exit, while_a_thread_is_inside_a_call) {
  EXPECT_EQ(status_of([] {
              static std::atomic<bool> is_inside{false};
              load(plugin("core_objects"));
              std::thread([] {
                get("core.objects.call")([] {
                  is_inside = true;
                  for (;;) pause();
                });
              }).detach();
              while (!is_inside) std::this_thread::yield();
            }),
            0);
}

// Fault: exit in every order
TEST(Exit, while_a_thread_calls_and_registers) {
  EXPECT_EQ(status_of([] {
              static std::atomic<int> num_rounds{0};
              load(plugin("core_math"));
              std::thread([] {
                for (;; ++num_rounds) {
                  Registration registration = register_function("test.exit.f", [] { return int64_t{1}; });
                  get("test.exit.f")();
                  get("core.math.add")(1, 2);
                }
              }).detach();
              while (num_rounds < 100) std::this_thread::yield();
            }),
            0);
}

}  // namespace
}  // namespace byname
