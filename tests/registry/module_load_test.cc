// Loading libraries: by path and by name, once and again, from either compiler.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "module_support.h"

namespace byname {
namespace {

using namespace literals;

class ModuleOfCompiler : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Compilers, ModuleOfCompiler, testing::Values("gcc", "clang"));

TEST_P(ModuleOfCompiler, is_loaded_called_listed_and_unmapped) {
  const std::string path = plugin("core_math", GetParam());
  Module module = load(path);
  EXPECT_TRUE(module.is_loaded());
  EXPECT_EQ(module.path(), path);
  EXPECT_EQ(module.names(), (Texts{"core.math.add", "core.math.call", "core.math.length", "core.math.scale",
                                   "core.math.throw_out_of_range"}));
  EXPECT_EQ(get("core.math.add")(1, "b"_a = 2).to<int64_t>(), 3);
  EXPECT_EQ(get("core.math.scale")(2).to<double>(), 4.0);
  EXPECT_EQ(get("core.math.length")("a text of more than seven bytes").to<int64_t>(), 31);
  EXPECT_EQ(error_of([] { get("core.math.throw_out_of_range")(); }), "IndexError: far");
  EXPECT_EQ(error_of([] { get("core.math.add")("x"); }),
            "TypeError: core.math.add(): argument 'a' (position 1) expects int, got str");
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(module.is_loaded());
  EXPECT_TRUE(module.names().empty());
  EXPECT_FALSE(find("core.math.add").has_value());
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(ModuleOfCompiler, typed_calls_are_direct_across_modules_and_compilers) {
  Module module = load(plugin("core_math", GetParam()));
  Module other = load(plugin("core_math2", GetParam() == std::string("gcc") ? "clang" : "gcc"));
  auto id_of = [](const char* name) {
    return reinterpret_cast<const byname_function*>(get(name).pin().raw())->signature_id;
  };
  const void* id = byname_signature_id(&detail::Signature<int64_t, int64_t, int64_t>::record);
  EXPECT_EQ(id_of("core.math.add"), id);
  EXPECT_EQ(id_of("core.math2.subtract"), id);
  EXPECT_NE(id_of("core.math2.narrow"), id);
  EXPECT_EQ(id_of("core.math.length"), id_of("core.math2.length"));
  EXPECT_EQ((get<int64_t(int64_t, int64_t)>("core.math2.subtract")(5, 3)), 2);
  EXPECT_EQ((get<int64_t(int64_t, int64_t)>("core.math2.narrow")(5, 3)), 2);
  EXPECT_EQ((get<int64_t(std::string_view)>("core.math2.length")("four")), 104);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(other.unload(), Texts{});
}

// Fault: a call through an old handle of what was removed
// Fault: what is registered after a removal
TEST(Module, a_handle_follows_it_from_one_load_to_the_next) {
  Module module = load(plugin("core_math"));
  Handle add = get("core.math.add");
  auto typed = get<int64_t(int64_t, int64_t)>("core.math.add");
  module.unload();
  EXPECT_EQ(error_of([&] { add(1, 2); }),
            "NotFound: 'core.math.add' is not registered any more (it was removed, or its module unloaded)");
  EXPECT_EQ(error_of([&] { typed(1, 2); }).substr(0, 9), "NotFound:");
  Module again = load(plugin("core_math"));
  EXPECT_EQ(add(1, 2).to<int64_t>(), 3);
  EXPECT_EQ(typed(1, 2), 3);
  EXPECT_FALSE(module.is_loaded()) << "a module that went is not the one that came";
  EXPECT_EQ(again.unload(), Texts{});
}

// Fault: importing and loading again
TEST(Module, loading_what_is_loaded_gives_the_same) {
  Module first = load(plugin("core_math"));
  Module second = load(plugin("core_math"));
  EXPECT_EQ(first.path(), second.path());
  EXPECT_EQ(names("core.math.").size(), 5u);
  EXPECT_EQ(second.unload(), Texts{}) << "and it is unloaded once";
  EXPECT_FALSE(first.is_loaded());
  EXPECT_FALSE(is_mapped(plugin("core_math")));
}

TEST(Module, is_found_by_name_on_byname_path) {
  Environment path("BYNAME_PATH", "/nowhere::" BYNAME_TEST_PLUGIN_DIR "/gcc:/elsewhere");
  for (const char* name : {"core_math", "libcore_math.so"}) {
    Module module = load(name);
    EXPECT_EQ(module.path(), plugin("core_math"));
    module.unload();
  }
}

TEST(Module, is_found_by_name_in_the_directories_that_the_call_names_first) {
  Environment path("BYNAME_PATH", BYNAME_TEST_PLUGIN_DIR "/gcc");
  Module module = load("core_math", "/nowhere:" BYNAME_TEST_PLUGIN_DIR "/clang");
  EXPECT_EQ(module.path(), plugin("core_math", "clang"));
  module.unload();
  module = load("core_math", "/nowhere");
  EXPECT_EQ(module.path(), plugin("core_math"));
  module.unload();
}

TEST(Module, a_library_in_c_is_one_and_its_callbacks_keep_it) {
  const std::string path = plugin("core_plain");
  Module module = load(path);
  EXPECT_EQ(get("core.plain.twice")(21).to<int64_t>(), 42);
  EXPECT_EQ(error_of([] { get("core.plain.twice")("x"); }),
            "TypeError: core.plain.twice(): argument 'a' (position 1) expects int, got str");
  Function value = get("core.plain.give_function")().to<Function>();
  EXPECT_EQ(module.unload(), Texts{"1 function value"});
  EXPECT_EQ(value(4).to<int64_t>(), 8);
  EXPECT_TRUE(is_mapped(path));
  value = Function([] {});
  EXPECT_EQ(collect(), 1u);
  EXPECT_FALSE(is_mapped(path));
}

TEST(Module, that_somebody_else_opened_is_attached_by_a_look_up_and_pinned) {
  const std::string path = plugin("core_math2");
  void* handle = dlopen(path.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(get("core.math2.subtract")(3, 1).to<int64_t>(), 2);
  dlclose(handle);
  EXPECT_EQ(get("core.math2.subtract")(3, 1).to<int64_t>(), 2) << "it is pinned";
  Module module = load(path);
  EXPECT_EQ(module.names().size(), 3u);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

TEST(Module, that_somebody_else_has_open_stays_in_memory_but_its_names_go) {
  const std::string path = plugin("core_math2");
  Module module = load(path);
  void* handle = dlopen(path.c_str(), RTLD_NOW);
  EXPECT_EQ(module.unload(), Texts{kept_by_others});
  EXPECT_TRUE(names("core.math2.").empty());
  EXPECT_TRUE(is_mapped(path));
  Module again = load(path);
  EXPECT_EQ(again.names().size(), 3u) << "its blocks run again";
  dlclose(handle);
  EXPECT_EQ(again.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

TEST(Module, may_be_loaded_by_a_path_that_leads_through_a_link) {
  namespace fs = std::filesystem;
  const fs::path top = testing::TempDir() + "byname_links_" + std::to_string(getpid());
  fs::create_directories(top / "deep" / "inside");
  fs::create_directory_symlink(top / "deep" / "inside", top / "link");
  fs::copy_file(plugin("core_math2"), top / "deep" / "libx.so");
  Module module = load((top / "link" / ".." / "libx.so").native());
  EXPECT_EQ(module.path(), fs::canonical(top / "deep" / "libx.so"));
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(load((top / "deep" / "." / "libx.so").native()).raw(), module.raw());
  EXPECT_EQ(module.unload(), Texts{});
  fs::remove_all(top);
}

TEST(Module, a_block_may_load_what_it_needs_before_it_registers_anything) {
  Environment wanted("BYNAME_TEST_LOAD", plugin("core_math"));
  Module module = load(plugin("core_loader"));
  EXPECT_EQ(get("core.loader.f")().to<int64_t>(), 3);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_TRUE(find("core.math.add").has_value());
  EXPECT_EQ(load(plugin("core_math")).unload(), Texts{});
}

TEST(Module, threads_that_load_and_unload_take_turns) {
  std::thread threads[2];
  for (std::thread& thread : threads) {
    thread = std::thread([path = plugin(&thread == &threads[0] ? "core_math" : "core_math2")] {
      for (int i = 0; i < 25; ++i) load(path).unload();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(names("core.math").empty());
}

// A copy of a library while it lives. Its path's length is one at which ThreadSanitizer, which knows nothing of the
// loader's lock, takes a look at the end of the loader's copy of it for a race.
class Copied {
 public:
  explicit Copied(const std::string& file) {
    path.resize((path.size() + 7) / 8 * 8, '_');
    std::filesystem::copy_file(file, path);
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  ~Copied() { std::filesystem::remove(path); }

  std::string path = testing::TempDir() + "byname_copied_" + std::to_string(getpid());
};

// A thread inside dlopen holds the loader's lock while constructors run, which link blocks.
TEST(Module, others_may_open_and_close_libraries_while_modules_are_loaded) {
  Copied copied(plugin("core_objects"));
  std::thread opening([&] {
    for (int i = 0; i < 50; ++i) {
      void* handle = dlopen(copied.path.c_str(), RTLD_NOW);
      if (handle != nullptr) dlclose(handle);
    }
  });
  for (int i = 0; i < 50; ++i) load(plugin("core_math")).unload();
  opening.join();
  EXPECT_TRUE(names("core.math.").empty());
  load(copied.path).unload();
  EXPECT_TRUE(names("core.objects.").empty());
}

// Which waits for the loader's lock in the one thread, with what the other, which has that lock, must not wait for.
TEST(Module, may_register_by_static_objects_while_another_thread_loads) {
  std::atomic<bool> begins{false};
  std::thread opening([&] {
    for (int i = 0; i < 5; ++i) {
      begins = true;
      void* handle = dlopen(plugin("core_static").c_str(), RTLD_NOW);
      EXPECT_EQ(get("core.static.one")().to<int64_t>(), 1);
      if (handle != nullptr) dlclose(handle);
    }
  });
  while (!begins) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) load(plugin("core_math")).unload();
  opening.join();
  EXPECT_EQ(load(plugin("core_static")).unload(), Texts{});
  EXPECT_FALSE(is_mapped(plugin("core_static")));
}

TEST(Module, may_be_opened_by_another_thread_a_moment_before) {
  Warnings warnings;  // it registers nothing
  Module libm = load("libm.so.6");
  libm.unload();
  Copied copied(libm.path());
  void* handle = nullptr;
  std::atomic<bool> is_open{false};
  std::thread opening([&] {
    handle = dlopen(copied.path.c_str(), RTLD_NOW);
    is_open.store(true, std::memory_order_relaxed);  // orders nothing else
  });
  while (!is_open.load(std::memory_order_relaxed)) std::this_thread::yield();
  Module module = load(copied.path);
  opening.join();
  dlclose(handle);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(copied.path));
}

TEST(Module, what_is_no_regular_file_is_refused) {
  const std::string pipe = testing::TempDir() + "byname_pipe_" + std::to_string(getpid()) + ".so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { load(pipe); }), "OSError: cannot load '" + pipe + "': " + pipe + ": not a regular file");
  unlink(pipe.c_str());
  EXPECT_EQ(error_of([] { load("/"); }), "OSError: cannot load '/': /: not a regular file");
  EXPECT_EQ(error_of([] { load("./"); }),
            "OSError: cannot load './': " + std::filesystem::current_path().native() + "/./: not a regular file");
  // A name is no path: what happens to be called so here does not matter.
  const std::string directory = "byname_test_directory_" + std::to_string(getpid());
  ASSERT_EQ(mkdir(directory.c_str(), 0700), 0);
  std::string error = error_of([&] { load(directory); });
  rmdir(directory.c_str());
  EXPECT_EQ(error,
            "FileNotFoundError: cannot load '" + directory + "': " + directory +
                ": cannot open shared object file: No such file or directory (a name is searched on BYNAME_PATH, "
                "beside Byname's library and on the loader's path; give a path)");
  EXPECT_EQ(error_of([] { load(""); }), "ValueError: expected a path or name of a module, got an empty text");
}

TEST(Module, that_registers_nothing_is_warned_about) {
  Warnings warnings;
  Module module = load("libm.so.6");
  EXPECT_EQ(warnings.texts(),
            Texts{"RuntimeWarning: '" + module.path() + "' registers nothing (it has no BYNAME_LIBRARY block)"});
}

// The loader itself takes the name for the library that it had under it before.
TEST(Module, of_a_relative_path_is_that_of_the_working_directory) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  const fs::path top = testing::TempDir() + "byname_test_relative_" + std::to_string(getpid());
  for (const char* name : {"core_math", "core_math2"}) {
    fs::create_directories(top / name);
    fs::copy_file(plugin(name), top / name / "libx.so");
  }
  fs::current_path(top / "core_math");
  Module math = load("./libx.so");
  fs::current_path(top / "core_math2");
  Module math2 = load("./libx.so");
  EXPECT_EQ(math2.names().at(0).substr(0, 11), "core.math2.");
  EXPECT_EQ(math2.unload(), Texts{});
  Module by_name = load("x", ".");
  EXPECT_EQ(by_name.path(), top / "core_math2" / "libx.so");
  EXPECT_EQ(by_name.unload(), Texts{});
  EXPECT_EQ(math.unload(), Texts{});
  fs::current_path(top / "core_math");
  void* handle = dlopen("./libx.so", RTLD_NOW);
  fs::current_path(top / "core_math2");
  EXPECT_TRUE(find("core.math.add").has_value());
  EXPECT_EQ(std::ranges::count(modules(), (top / "core_math" / "libx.so").native(), &Module::path), 1);
  fs::current_path(before);
  dlclose(handle);
  Module opened = load((top / "core_math" / "libx.so").native());
  opened.unload();
  fs::remove_all(top);
}

TEST(Module, has_an_absolute_path) {
  std::string directory = std::filesystem::current_path();
  const std::string path = plugin("core_math");
  std::filesystem::current_path(std::filesystem::path(path).parent_path());
  Module module = load("./libcore_math.so");
  std::filesystem::current_path(directory);
  EXPECT_EQ(module.path(), path);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(error_of([&] { module.get("core.math.add"); }), "NotFound: module '" + path + "' is not loaded any more");
}

}  // namespace
}  // namespace byname
