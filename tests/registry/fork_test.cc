// Children that are forked while other threads are at work.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "../sanitized.h"
#include "byname/listener.h"
#include "module_support.h"

namespace byname {
namespace {

[[maybe_unused]] constexpr int kNumForks = kIsSanitized ? 20 : 100;

// How a child ended: "exited with N" or "killed by N".
std::string end_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return "there was none";
  return WIFEXITED(status) ? "exited with " + std::to_string(WEXITSTATUS(status))
                           : "killed by " + std::to_string(WTERMSIG(status));
}

// Ends a child, with what `what` says; if it hangs, it is killed.
template <class What>
[[noreturn]] void end_child(What&& what) {
  alarm(60);
  int code = 99;
  try {
    code = what();
  } catch (...) {
  }
  _exit(code);
}

// How a child ended that did `what`.
std::string in_child(const std::function<int()>& what) {
  pid_t child = fork();
  if (child == 0) end_child(what);
  return end_of(child);
}

#ifndef __SANITIZE_ADDRESS__  // whose allocator a child may find locked by a thread that is not there
// All that a child may do; 0 if all of it worked.
int use_everything() {
  if (get("test.fork.f")(1).to<int64_t>() != 2) return 1;
  Registration registration = register_function("test.fork.child", [](double x) { return x; });
  if (get<double(double)>("test.fork.child")(1.5) != 1.5) return 2;
  int num_heard = 0;
  Listener listener([&](std::string_view name, bool) { num_heard += name == "test.fork.heard" ? 1 : 0; });
  register_function("test.fork.heard", [] {}).keep();
  remove("test.fork.heard");
  if (num_heard != 2) return 3;
  if (error_of([] { get("test.fork.f")("x"); }).substr(0, 9) != "TypeError") return 4;
  if (error_of([] { get("test.fork.missing"); }).substr(0, 8) != "NotFound") return 5;
  if (error_of([] { Function([] { throw std::out_of_range("far"); })(); }) != "IndexError: far") return 6;
  collect();
  return 0;
}

// Fault: a fork while threads are at work
TEST(Fork, a_child_calls_registers_listens_and_fails_as_its_parent_does) {
  Registration f = register_function("test.fork.f", [](int64_t a) { return a + 1; });
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&ends, name = "test.fork.busy" + std::to_string(i)] {
      while (!ends) {
        Registration registration = register_function(std::string_view(name), [](std::string_view) {});
        error_of([&] { get(name)(1); });
        get("test.fork.f")(1);
        std::thread([] { get("test.fork.f")(1); }).join();
      }
    });
  }
  for (int i = 0; i < kNumForks; ++i) {
    ASSERT_EQ(in_child(use_everything), "exited with 0") << "at fork " << i;
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
}

#endif

// Fault: a fork while threads are at work
TEST(Fork, a_call_that_another_thread_is_inside_of_holds_nothing_in_the_child) {
  auto alive = std::make_shared<int>(1);
  std::weak_ptr<int> watch = alive;
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  Registration registration = register_function("test.fork.parked", [alive = std::move(alive), &is_inside, &may_leave] {
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
  });
  std::thread caller([] { get("test.fork.parked")(); });
  while (!is_inside) std::this_thread::yield();
  EXPECT_EQ(in_child([&] {
              registration.remove();
              collect();
              return watch.expired() ? 0 : 1;
            }),
            "exited with 0");
  may_leave = true;
  caller.join();
}

#ifndef __SANITIZE_ADDRESS__  // as above
// What one thread does all the time while another one forks, and the child once.
struct Activity {
  const char* name;
  void (*once)();
};

std::string new_name(std::string_view base) {
  static std::atomic<int> count{0};
  return std::string(base) + std::to_string(count++ % 4096);
}

const Activity kActivities[] = {
    {"collect", [] { collect(); }},
    {"register_and_remove",
     [] { register_function(std::string_view("test.fork.f" + std::to_string(getpid())), [] {}).remove(); }},
    {"fail", [] { error_of([] { get(new_name("test.fork.missing")); }); }},
    {"list_names", [] { names("test.fork."); }},
    {"listen", [] { Listener listener([](std::string_view, bool) {}); }},
    {"warn", [] { byname_warn({"UserWarning", 11}, {"x", 1}); }},
    {"register_error_kinds",
     [] { detail::check(byname_error_kind_register(detail::to_c(new_name("test.Fork")), {"ValueError", 10})); }},
    {"throw_exceptions", [] { error_of([] { Function([] { throw std::out_of_range("far"); })(); }); }},
    {"register_types",
     [] {
       std::string key = new_name("test.fork.Type");
       byname_type_decl decl = {sizeof decl, BYNAME_OBJECT, detail::to_c(key), 0, nullptr};
       int32_t index = 0;
       detail::check(byname_type_register(&decl, &index));
     }},
    {"register_boxes",
     [] {
       struct Boxed {};
       std::string_view key = "test.fork.Box";
       byname_box_decl decl = {sizeof decl, detail::to_c(key), &typeid(Boxed), nullptr,
                               0,           &detail::this_dso, sizeof(Boxed),  alignof(Boxed)};
       int32_t index = 0;
       detail::check(byname_box_register(&decl, &index));
     }},
    {"list_modules",
     [] {
       Any modules;
       detail::check(byname_modules(modules.out()));
     }},
#ifndef __SANITIZE_THREAD__  // whose own lock in dlopen a child may find locked
    {"load_and_unload", [] { load(plugin("core_math")).unload(); }},
    {"reload",
     [] {
       Module module = load(plugin("core_math2"));
       module.reload();
       if (get("core.math2.subtract")(3, 1).to<int64_t>() != 2) throw std::runtime_error("another module");
     }},
    {"reload_and_unload",
     [] {
       Module module = load(plugin("core_math"));
       module.reload();
       module.unload();
     }},
#endif
    {"attach", [] {
       Block block("test.fork.attached", [](Library&) {});
       error_of([] { get("test.fork.missing"); });
     }}};

class ForkDuring : public testing::TestWithParam<Activity> {};
INSTANTIATE_TEST_SUITE_P(Activities, ForkDuring, testing::ValuesIn(kActivities),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(ForkDuring, an_activity_of_another_thread_leaves_the_child_able_to_do_the_same) {
  // Not Warnings, whose mutex a child could find locked.
  byname_warning_handler old;
  byname_warning_handler_set({[](void*, byname_str, byname_str) {}, nullptr}, &old);
  Module module = load(plugin("core_on_unload"));
  std::atomic<bool> ends{false};
  std::thread busy([&] {
    while (!ends) GetParam().once();
  });
  auto once = [] {
    GetParam().once();
    return 0;
  };
  for (int i = 0; i < kNumForks && !HasFailure(); ++i) EXPECT_EQ(in_child(once), "exited with 0") << "at fork " << i;
  ends = true;
  busy.join();
  module.unload();
  load(plugin("core_math2")).unload();
  byname_warning_handler_set(old, nullptr);
}

#endif

TEST(Fork, inside_a_block_leaves_the_child_to_load_and_to_end_the_block) {
  static pid_t child;
  Block block("test.fork.block", [](Library& lib) {
    child = fork();
    if (child == 0) {
      alarm(60);
      load(plugin("core_math"));
    }
    lib.def("f", [] { return int64_t{1}; });
  });
  auto result = get("test.fork.block.f")().to<int64_t>();
  if (child == 0) {
    end_child([&] {
      load(plugin("core_math")).unload();
      load(plugin("core_on_unload"));
      return result == 1 && get("core.on_unload.f")().to<int64_t>() == 1 ? 0 : 1;
    });
  }
  EXPECT_EQ(result, 1);
  EXPECT_EQ(end_of(child), "exited with 0");
  remove("test.fork.block.f");
}

// Forks while another thread, which does `outer`, is inside a function of that name.
void expect_of_child(const char* name, const std::function<void()>& outer, const std::function<int()>& what) {
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  Registration registration = register_function(name, [&, parent = getpid()](const Any&) {
    is_inside = true;
    while (!may_leave && getpid() == parent) std::this_thread::yield();
  });
  std::thread thread(outer);
  while (!is_inside) std::this_thread::yield();
  EXPECT_EQ(in_child(what), "exited with 0");
  may_leave = true;
  thread.join();
}

TEST(Fork, while_another_thread_attaches_leaves_the_child_to_do_it) {
  Block block("test.fork.waiting", [](Library& lib) {
    get("test.fork.park")(true);
    lib.def("f", [] { return int64_t{1}; });
  });
  auto call = [] { return get("test.fork.waiting.f")().to<int64_t>() == 1 ? 0 : 1; };
  expect_of_child("test.fork.park", call, call);
  remove("test.fork.waiting.f");
}

TEST(Fork, while_another_thread_loads_leaves_the_child_to_do_it) {
  std::string path = plugin("core_block");
  auto use = [&] {
    Module module = load(path);
    int code = get("core.block.f")().to<int64_t>() == 1 ? 0 : 1;
    module.unload();
    return names("core.block.").empty() ? code : 2;
  };
  expect_of_child("test.block.run", use, use);
}

TEST(Fork, while_another_thread_unloads_leaves_the_child_to_load_it_again) {
  Warnings warnings;
  Module module = load(plugin("core_on_unload"));
  expect_of_child(
      "test.on_unload.hear", [&] { module.unload(); },
      [&] {
        if (module.is_loaded() || !names("core.on_unload.").empty()) return 1;
        load(plugin("core_on_unload"));
        return get("core.on_unload.f")().to<int64_t>() == 1 ? 0 : 2;
      });
}

// All that a child may do with a module that its parent loaded, or not; 0 if all of it worked.
int use_module(const std::string& path) {
  auto call = [] { return get("core.math.add")(1, 2).to<int64_t>(); };
  if (find("core.math.add").has_value() && call() != 3) return 1;
  Module module = load(path);
  if (call() != 3) return 2;
  module.reload();
  if (call() != 3) return 3;
  if (load(path).raw() != module.raw()) return 4;
  if (module.unload() != Texts{} || find("core.math.add").has_value()) return 5;
  collect();
  if (is_mapped("libcore_math.so")) return 6;
  load(path);
  return call() == 3 ? 0 : 7;
}

TEST(Fork, before_and_after_a_load_a_reload_and_an_unload_leaves_the_child_to_do_the_same) {
  for (const char* compiler : {"gcc", "clang"}) {
    const std::string path = plugin("core_math", compiler);
    auto use = [&] { return use_module(path); };
    EXPECT_EQ(in_child(use), "exited with 0");
    Module module = load(path);
    EXPECT_EQ(in_child(use), "exited with 0");
    EXPECT_EQ(module.reload(), Texts{});
    EXPECT_EQ(in_child(use), "exited with 0");
    Function add = get("core.math.add").pin();
    EXPECT_EQ(module.unload().size(), 1u);
    EXPECT_EQ(in_child([&] {
                if (add(1, 2).to<int64_t>() != 3) return 8;
                add = Function([] {});
                return use();
              }),
              "exited with 0");
    add = Function([] {});
    collect();
    EXPECT_EQ(in_child(use), "exited with 0");
  }
}

TEST(Fork, while_another_thread_reloads_leaves_the_old_code_to_the_child) {
  Module module = load(plugin("core_block"));
  auto call = [] { return get("core.block.f")().to<int64_t>(); };
  expect_of_child(
      "test.block.run", [&] { module.reload(); },
      [&] {
        if (!module.is_loaded() || call() != 1) return 1;
        module.reload();
        if (!module.is_loaded() || call() != 1) return 2;
        module.unload();
        if (find("core.block.f").has_value()) return 3;
        load(plugin("core_block"));
        return call() == 1 ? 0 : 4;
      });
  EXPECT_EQ(call(), 1);
  EXPECT_EQ(module.unload(), Texts{});
}

TEST(Fork, while_another_thread_ends_a_reload_leaves_the_new_code_to_the_child) {
  Warnings warnings;
  Module module = load(plugin("core_on_unload"));
  auto call = [] { return get("core.on_unload.f")().to<int64_t>(); };
  expect_of_child(
      "test.on_unload.hear", [&] { module.reload(); },
      [&] {
        if (!module.is_loaded() || call() != 1) return 1;
        module.reload();
        if (call() != 1) return 2;
        if (module.unload() != Texts{} || find("core.on_unload.f").has_value()) return 3;
        load(plugin("core_on_unload"));
        return call() == 1 ? 0 : 4;
      });
  EXPECT_EQ(call(), 1);
  EXPECT_EQ(module.unload(), Texts{});
}

}  // namespace
}  // namespace byname
