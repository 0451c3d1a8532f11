// Threads that call, reload, unload and load one module at the same time.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "module_support.h"

namespace byname {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kNumRounds = 5;
#else
constexpr int kNumRounds = 20;
#endif

// Threads that do one thing again and again until this goes.
class Busy {
 public:
  Busy() = default;
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  void begin(std::function<void()> once) {
    threads_.emplace_back([this, once = std::move(once)] {
      while (!ends_) once();
    });
  }

 private:
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

class ModuleThreads : public testing::TestWithParam<const char*> {
 protected:
  // What a call of the version gave: a version of the code, or 0 if nothing was registered.
  template <class Call>
  static int64_t version_by(const Call& call) {
    try {
      return call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), "NotFound") << error.message();
      return 0;
    }
  }

  // Threads that call by handle, by a typed handle, by name and through an overload that both versions have.
  void begin_calls(Busy& busy, const std::function<void(int64_t version)>& check) {
    busy.begin(
        [=, version = get("core.reload.version")] { check(version_by([&] { return version().to<int64_t>(); })); });
    busy.begin([=, typed = get<int64_t()>("core.reload.version")] { check(version_by(typed)); });
    busy.begin([=] {
      check(version_by([] { return get("core.reload.version")().to<int64_t>(); }));
      check(version_by([] { return get("core.reload.shape")(1).to<int64_t>(); }));
    });
  }

  // Frees and closes until the files that are mapped are as many.
  void expect_mapped(size_t count) {
    for (int i = 0; i < 100000 && mapped_files("/libreload.so").size() > count; ++i) collect();
    EXPECT_EQ(mapped_files("/libreload.so").size(), count);
  }

  Installed installed{GetParam()};
  Registration hear = register_function("test.reload.hear", [](int64_t) {});
};
INSTANTIATE_TEST_SUITE_P(Compilers, ModuleThreads, testing::Values("gcc", "clang"));

// A thread inside of the module's function, which returns its version.
class Inside {
 public:
  Inside() {
    thread_ = std::thread([this] {
      result_ = get("core.reload.run")([this](int64_t running) {
                  version_ = running;
                  while (!may_leave_) std::this_thread::yield();
                  return running;
                }).to<int64_t>();
    });
    while (version_ == 0) std::this_thread::yield();
  }
  int64_t version() const { return version_; }
  int64_t leave() {
    may_leave_ = true;
    thread_.join();
    return result_;
  }

 private:
  std::atomic<int64_t> version_{0};
  std::atomic<bool> may_leave_{false};
  int64_t result_ = 0;
  std::thread thread_;
};

bool contains(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}
const std::string kRunning = "function 'core.reload.run', referenced or running";

#ifndef __SANITIZE_THREAD__  // which takes what the loader frees in one thread and has made in another for a race
TEST_P(ModuleThreads, others_open_and_close_what_is_loaded_and_unloaded) {
  const std::string path = plugin("core_objects", GetParam());
  {
    Busy busy;
    busy.begin([&] {
      void* handle = dlopen(path.c_str(), RTLD_NOW);
      ASSERT_NE(handle, nullptr) << dlerror();
      dlclose(handle);
    });
    busy.begin([] { find("core.objects.make"); });
    for (int i = 0; i < 10 * kNumRounds; ++i) load(path).unload();
  }
  load(path).unload();
  EXPECT_TRUE(names("core.objects.").empty());
  EXPECT_FALSE(is_mapped(path));
}
#endif

// Fault: registering, looking up and removing while calls are in flight
TEST_P(ModuleThreads, each_call_is_of_the_old_or_the_new_code_and_the_old_goes_with_its_last_call) {
  installed.install(1);
  Module module = load(installed.path);
  {
    Busy busy;
    begin_calls(busy, [](int64_t version) { EXPECT_TRUE(version == 1 || version == 2) << version; });
    for (int i = 0; i < kNumRounds; ++i) {
      Inside first;
      Inside second;
      EXPECT_EQ(first.version(), 1 + i % 2);
      installed.install(2 - i % 2);
      EXPECT_TRUE(contains(module.reload(), kRunning));
      EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 2 - i % 2);
      EXPECT_EQ(first.leave(), 1 + i % 2);
      collect();
      EXPECT_EQ(mapped_files("/libreload.so").size(), 2u) << "one call is left inside";
      EXPECT_EQ(second.leave(), 1 + i % 2);
      expect_mapped(1);
    }
  }
  EXPECT_EQ(module.unload(), Texts{});
  expect_mapped(0);
}

// Fault: registering, looking up and removing while calls are in flight
TEST_P(ModuleThreads, calls_of_what_is_unloaded_find_nothing_and_those_inside_return) {
  installed.install(1);
  Module module = load(installed.path);
  Busy busy;
  begin_calls(busy, [](int64_t version) { EXPECT_TRUE(version >= 0 && version <= 2) << version; });
  for (int i = 0; i < kNumRounds; ++i) {
    Inside inside;
    EXPECT_TRUE(contains(module.unload(), kRunning));
    EXPECT_FALSE(find("core.reload.version").has_value());
    collect();
    EXPECT_EQ(mapped_files("/libreload.so").size(), 1u);
    installed.install(2 - i % 2);
    module = load(installed.path);
    EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 2 - i % 2);
    EXPECT_EQ(mapped_files("/libreload.so").size(), 2u);
    EXPECT_EQ(inside.leave(), 1 + i % 2);
    expect_mapped(1);
  }
  module.unload();
  expect_mapped(0);
}

TEST_P(ModuleThreads, reloads_at_once_take_turns_and_all_of_them_reload) {
  installed.install(1);
  Module module = load(installed.path);
  std::atomic<int> num_ended{0};
  hear.remove();
  hear = register_function("test.reload.hear", [&](int64_t) { ++num_ended; });
  {
    Busy busy;
    begin_calls(busy, [](int64_t version) { EXPECT_EQ(version, 1); });
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([module]() mutable {
        for (int i = 0; i < kNumRounds; ++i) EXPECT_EQ(error_of([&] { module.reload(); }), "no error");
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(num_ended, 3 * kNumRounds);
  EXPECT_TRUE(module.is_loaded());
  expect_mapped(1);
  EXPECT_EQ(load(installed.path).raw(), module.raw());
  EXPECT_EQ(module.unload(), Texts{});
  expect_mapped(0);
}

TEST_P(ModuleThreads, loads_reloads_and_unloads_at_once_leave_what_was_done_last) {
  installed.install(1);
  Module module = load(installed.path);
  const std::string not_loaded = "RuntimeError: cannot reload '" + installed.path + "': it is not loaded";
  {
    Busy busy;
    begin_calls(busy, [](int64_t version) { EXPECT_TRUE(version == 0 || version == 1) << version; });
    std::vector<std::thread> threads;
    auto begin = [&](std::function<void(Module&)> once) {
      threads.emplace_back([module, once = std::move(once)]() mutable {
        for (int i = 0; i < 2 * kNumRounds; ++i) once(module);
      });
    };
    begin([&](Module& mine) { mine = load(installed.path); });
    begin([&](Module& mine) {
      std::string error = error_of([&] { mine.reload(); });
      EXPECT_TRUE(error == "no error" || error == not_loaded) << error;
    });
    begin([](Module& mine) { mine.unload(); });
    begin([](Module& mine) {
      mine.holders();
      Any modules;
      detail::check(byname_modules(modules.out()));
    });
    for (std::thread& thread : threads) thread.join();
  }
  module = load(installed.path);
  EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 1);
  module.reload();
  module.unload();
  EXPECT_EQ(error_of([&] { module.reload(); }), not_loaded);
  EXPECT_TRUE(names("core.reload.").empty());
  expect_mapped(0);
}

// What another thread does with the module while the old code's on_unload runs: it has the new code.
TEST_P(ModuleThreads, what_others_do_while_a_reload_ends_is_done_to_the_new_code) {
  const std::pair<const char*, std::function<void(Module&)>> kCases[] = {
      {"reload", [](Module& module) { module.reload(); }},
      {"unload", [](Module& module) { EXPECT_EQ(module.unload(), Texts{}); }},
      {"load", [&](Module& module) { EXPECT_EQ(load(installed.path).raw(), module.raw()); }}};
  for (const auto& [what, other] : kCases) {
    installed.install(1);
    Module module = load(installed.path);
    installed.install(2);
    bool is_first = true;
    hear.remove();
    hear = register_function("test.reload.hear", [&, &other = other](int64_t) {
      if (!std::exchange(is_first, false)) return;
      std::thread([&] { EXPECT_EQ(error_of([&] { other(module); }), "no error") << what; }).join();
    });
    EXPECT_EQ(module.reload(), Texts{}) << what;
    bool is_loaded = std::string_view(what) != "unload";
    EXPECT_EQ(module.is_loaded(), is_loaded);
    EXPECT_EQ(find("core.reload.only_2").has_value(), is_loaded);
    module.unload();
    expect_mapped(0);
  }
}

}  // namespace
}  // namespace byname
