// Reloading: the file as it is now takes the place of what is loaded, in one step or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "module_support.h"

namespace byname {
namespace {

class Reload : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    hear = register_function("test.reload.hear", [this](int64_t version) { ended.push_back(version); });
  }
  void TearDown() override { collect(); }
  void install(int version) { installed.install(version); }
  static int64_t call(const Handle& handle) { return handle().to<int64_t>(); }

  Installed installed{GetParam()};
  const std::string& path = installed.path;
  std::vector<int64_t> ended;
  Registration hear;
};
INSTANTIATE_TEST_SUITE_P(Compilers, Reload, testing::Values("gcc", "clang"));

TEST_P(Reload, gives_the_same_handles_the_new_code) {
  install(1);
  Module module = load(path);
  Handle version = get("core.reload.version");
  auto typed = get<int64_t()>("core.reload.version");
  EXPECT_EQ(call(version), 1);
  install(2);
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(call(version), 2);
  EXPECT_EQ(typed(), 2);
  EXPECT_EQ(ended, std::vector<int64_t>{1});
  EXPECT_TRUE(module.is_loaded());
  EXPECT_EQ(module.path(), path);
  EXPECT_EQ(module.get("core.reload.own")().to<int64_t>(), 20);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(ended, (std::vector<int64_t>{1, 2}));
  EXPECT_FALSE(is_mapped("libreload.so"));
}

// So it finds what lies beside it, and a debugger finds the code.
TEST_P(Reload, maps_a_file_that_was_replaced_from_its_place) {
  Environment no_directory("TMPDIR", "/nowhere");
  const size_t others = modules().size();
  install(1);
  Module module = load(path);
  Function old[4] = {get("core.reload.version").pin(), Function([] {}), Function([] {}), Function([] {})};
  for (size_t i = 1; i < 4; ++i) {
    install(1 + static_cast<int>(i % 2));
    module.reload();
    old[i] = get("core.reload.version").pin();
    EXPECT_EQ(mapped_files(path).size(), 1u + i);
    EXPECT_EQ(mapped_files("libreload.so").size(), 1u + i) << "and nowhere else";
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(old[i]().to<int64_t>(), 1 + i % 2);
  EXPECT_EQ(modules().size(), others + 4) << "each in memory at once";
  module.unload();
  install(2);
  Module again = load(path);
  EXPECT_EQ(mapped_files("libreload.so").size(), 5u);
  EXPECT_EQ(call(get("core.reload.version")), 2);
  EXPECT_EQ(again.unload(), Texts{});
  for (Function& function : old) function = Function([] {});
  EXPECT_EQ(collect(), 4u);
  EXPECT_FALSE(is_mapped("libreload.so"));
}

TEST_P(Reload, registers_what_is_new_and_removes_what_is_gone) {
  install(1);
  Module module = load(path);
  EXPECT_EQ(get("core.reload.shape")(4).to<int64_t>(), 4);
  EXPECT_EQ(get("core.reload.flat")("four").to<int64_t>(), 4);
  install(2);
  module.reload();
  EXPECT_FALSE(find("core.reload.only_1").has_value());
  EXPECT_TRUE(find("core.reload.only_2").has_value());
  EXPECT_EQ(get("core.reload.shape")(4).to<int64_t>(), 8);
  EXPECT_EQ(get("core.reload.shape")("four").to<int64_t>(), 4);
  EXPECT_EQ(get("core.reload.flat")(4).to<int64_t>(), 8);
  EXPECT_EQ(error_of([] { get("core.reload.flat")("four"); }),
            "TypeError: core.reload.flat(): argument '_0' (position 1) expects int, got str");
  install(1);
  module.reload();
  EXPECT_EQ(get("core.reload.shape")(4).to<int64_t>(), 4);
  EXPECT_EQ(error_of([] { get("core.reload.shape")("four"); }),
            "TypeError: core.reload.shape(): argument '_0' (position 1) expects int, got str");
  EXPECT_EQ(get("core.reload.flat")("four").to<int64_t>(), 4);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_TRUE(names("core.reload").empty());
}

TEST_P(Reload, old_objects_functions_and_calls_go_on_in_the_old_code) {
  install(1);
  Module module = load(path);
  Any thing = get("core.reload.Thing")();
  Function version = get("core.reload.version").pin();
  Any inside = get("core.reload.run")([&](int64_t running) {
    install(2);
    EXPECT_EQ(module.reload(),
              (Texts{"1 object of type 'core.reload.Thing'", "function 'core.reload.run', referenced or running",
                     "function 'core.reload.version', referenced or running"}));
    return 100 * running + get("core.reload.version")().to<int64_t>();
  });
  EXPECT_EQ(inside.to<int64_t>(), 102);
  EXPECT_EQ(version().to<int64_t>(), 1);
  EXPECT_EQ(get("core.reload.Thing.version")(thing).to<int64_t>(), 1) << "the new code with the old object";
  EXPECT_EQ(get("core.reload.Thing.version")(get("core.reload.Thing")()).to<int64_t>(), 2);
  EXPECT_EQ(collect(), 0u);
  thing = Any();
  version = Function([] {});
  EXPECT_EQ(collect(), 1u);
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, begins_with_fresh_variables_even_if_the_file_is_the_same) {
  install(1);
  Module module = load(path);
  EXPECT_EQ(get("core.reload.num_calls")().to<int64_t>(), 1);
  EXPECT_EQ(get("core.reload.num_calls")().to<int64_t>(), 2);
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(get("core.reload.num_calls")().to<int64_t>(), 1);
  Module again = load(path);
  EXPECT_EQ(get("core.reload.num_calls")().to<int64_t>(), 2) << "what is loaded is not loaded once more";
  EXPECT_EQ(again.raw(), module.raw());
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, leaves_names_to_be_searched_where_they_were) {
  install(1);
  Module module = load(path);
  module.reload();
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(installed.directory);
  EXPECT_EQ(error_of([] { load("libreload.so"); }).substr(0, 46), "FileNotFoundError: cannot load 'libreload.so':");
  std::filesystem::current_path(before);
  Environment search("BYNAME_PATH", installed.directory);
  EXPECT_EQ(load("reload").raw(), module.raw());
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, of_another_layout_is_refused_while_objects_live) {
  install(1);
  Module module = load(path);
  Any thing = get("core.reload.Thing")();
  install(3);
  EXPECT_EQ(error_of([&] { module.reload(); }),
            "TypeError: type 'core.reload.Thing' is laid out otherwise than 1 object that lives: expected 32 bytes "
            "aligned to 8, got 64 bytes aligned to 8 (drop them, or rebuild)");
  EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 1) << "the old code stays";
  EXPECT_TRUE(find("core.reload.only_1").has_value());
  EXPECT_EQ(ended, std::vector<int64_t>{});
  thing = get("core.reload.Boxed")();
  EXPECT_EQ(error_of([&] { module.reload(); }),
            "TypeError: type 'core.reload.Boxed' is laid out otherwise than 1 object that lives: expected 8 bytes "
            "aligned to 8, got 40 bytes aligned to 8 (drop them, or rebuild)");
  thing = Any();
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 3);
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, and_load_of_a_file_that_is_replaced_meanwhile_miss_nothing) {
  const std::string next = installed.directory + "/next";
  auto put_next = [&](int version) {
    std::filesystem::copy_file(plugin("core_reload" + std::to_string(version), GetParam()), next);
  };
  Environment replace("BYNAME_TEST_REPLACE", next);
  Environment replaced("BYNAME_TEST_REPLACED", path);
  install(1);
  put_next(2);
  Module module = load(path);
  EXPECT_EQ(call(get("core.reload.version")), 2) << "what was opened first was no more what the path names";
  put_next(1);
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(call(get("core.reload.version")), 2) << "it was copied before";
  EXPECT_EQ(module.unload(), Texts{});
  module = load(path);
  EXPECT_EQ(call(get("core.reload.version")), 1);
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, of_a_file_that_was_written_over_in_place_is_refused) {
  install(1);
  Module module = load(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  char first = static_cast<char>(file.get());
  file.seekp(0);
  file.put(first);  // what is loaded stays as it was; only the time tells
  file.close();
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(error_of([&] { module.reload(); }),
            "RuntimeError: cannot reload '" + path +
                "': its file was written to since it was loaded, and so may be the code that is loaded (write another "
                "file and rename it over this)");
  EXPECT_EQ(call(get("core.reload.version")), 1);
  install(2);
  module.reload();
  EXPECT_EQ(call(get("core.reload.version")), 2);
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(9));
  EXPECT_NE(error_of([&] { module.reload(); }).find("its file was written to since it was loaded"), std::string::npos);
  install(1);
  module.reload();
  module.reload();  // of the same file: what is loaded is a copy, which nobody writes over
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(12));
  module.reload();
  EXPECT_EQ(module.unload(), Texts{});
}

// In a child, whose code is gone with the file.
TEST_P(Reload, of_a_file_that_another_one_was_written_into_is_refused) {
  for (size_t size : {size_t{10}, size_t{1} << 20}) {
    install(1);
    EXPECT_EXIT(
        {
          Module module = load(path);
          std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(size, 'x');
          std::string error = error_of([&] { module.reload(); });
          bool is_refused = error.find("its file was written to since it was loaded") != std::string::npos;
          _exit(is_refused && module.holders().empty() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
  }
}

TEST_P(Reload, whose_copy_cannot_be_written_leaves_no_part_of_it) {
  const std::string directory = testing::TempDir() + "byname_test_full_" + std::to_string(getpid());
  std::filesystem::create_directory(directory);
  install(1);
  const rlimit limit{1000, 1000};
  EXPECT_EXIT(
      {
        Environment temporary("TMPDIR", directory);
        Module module = load(path);
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        _exit(error_of([&] { module.reload(); }).starts_with("OSError: cannot copy '") ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  std::filesystem::remove_all(directory);
}

TEST_P(Reload, lets_no_block_unload_the_module_that_it_replaces) {
  const std::string file = plugin("core_begun", GetParam());
  Module module = load(file);
  std::string error;
  Registration during = register_function("test.begun.during", [&] { error = error_of([&] { module.unload(); }); });
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(error, "RuntimeError: cannot unload '" + file + "': it is being reloaded");
  EXPECT_EQ(get("core.begun.f")().to<int64_t>(), 1);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped("libcore_begun.so"));
}

TEST_P(Reload, that_fails_leaves_everything_as_it_was) {
  install(1);
  Module module = load(path);
  Handle version = get("core.reload.version");
  {
    Environment no_directory("TMPDIR", path);
    EXPECT_EQ(error_of([&] { module.reload(); }),
              "OSError: cannot copy '" + path + "' to the directory for temporary files: Not a directory");
  }
  install(4);
  EXPECT_EQ(error_of([&] { module.reload(); }).substr(0, 34), "RuntimeError: block 'core.reload' ");
  std::filesystem::copy_file(plugin("core_missing", GetParam()), path,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(error_of([&] { module.reload(); }), "OSError: cannot load '" + path + "': " + path +
                                                    ": undefined symbol: function_that_is_nowhere (link "
                                                    "the module with the library that defines it)");
  std::filesystem::remove(path);
  EXPECT_EQ(error_of([&] { module.reload(); }),
            "FileNotFoundError: cannot load '" + path + "': the file is not there any more");
  EXPECT_EQ(call(version), 1);
  EXPECT_EQ(names("core.reload.only_1"), Texts{"core.reload.only_1"});
  EXPECT_EQ(module.get("core.reload.own")().to<int64_t>(), 10);
  EXPECT_EQ(ended, std::vector<int64_t>{});
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(error_of([&] { module.reload(); }), "RuntimeError: cannot reload '" + path + "': it is not loaded");
}

TEST_P(Reload, is_no_moment_in_which_a_name_is_not_there) {
  install(1);
  Module module = load(path);
  Handle version = get("core.reload.version");
  std::atomic<bool> done{false};
  std::atomic<int64_t> num_calls{0};
  std::thread caller([&] {
    for (; !done; ++num_calls) {
      int64_t now = call(version);
      EXPECT_TRUE(now == 1 || now == 2) << now;
    }
  });
  for (int i = 0; i < 20; ++i) {
    install(i % 2 == 0 ? 2 : 1);
    module.reload();
  }
  done = true;
  caller.join();
  EXPECT_GT(num_calls, 0);
  collect();
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(Reload, hundred_times_ends_where_it_began) {
  install(1);
  Module module = load(path);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(call(get("core.reload.version")), 1);
  EXPECT_EQ(std::ranges::count(modules(), path, &Module::path), 1);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped("libreload.so"));
}

TEST_P(Reload, a_load_finds_the_file_as_it_is_now_while_old_code_is_held) {
  install(1);
  Module module = load(path);
  Any thing = get("core.reload.Thing")();
  EXPECT_EQ(module.unload(), Texts{"1 object of type 'core.reload.Thing'"});
  install(2);
  Module again = load(path);
  EXPECT_EQ(get("core.reload.version")().to<int64_t>(), 2) << "the loader alone gives the old image";
  EXPECT_EQ(get("core.reload.Thing.version")(thing).to<int64_t>(), 1);
  EXPECT_FALSE(module.is_loaded());
  EXPECT_EQ(again.unload(), Texts{});
  thing = Any();
  EXPECT_EQ(collect(), 1u);
}

TEST_P(Reload, names_of_the_module_alone_are_its_own) {
  install(1);
  Module module = load(path);
  EXPECT_FALSE(find("core.reload.own").has_value());
  Texts global = names("core.reload.");
  EXPECT_EQ(std::count(global.begin(), global.end(), "core.reload.both"), 1);
  Texts all = module.names();
  EXPECT_EQ(std::count(all.begin(), all.end(), "core.reload.own"), 1);
  Handle own = module.get("core.reload.own");
  EXPECT_EQ(call(own), 10);
  EXPECT_EQ(call(get("core.reload.both")), 1);
  EXPECT_EQ(call(module.get("core.reload.both")), 10);
  EXPECT_EQ(module.get("core.reload.pick")(1).to<int64_t>(), 2);
  EXPECT_EQ(module.get("core.reload.pick")("x").to<std::string>(), "x1");
  EXPECT_EQ(error_of([&] { module.get("core.reload.pick")(1.5); }).substr(0, 30), "TypeError: core.reload.pick():");
  EXPECT_EQ(error_of([&] { module.get("core.reload.owm"); }),
            "NotFound: module '" + path +
                "' registered nothing under the name 'core.reload.owm' (did you mean "
                "'core.reload.own'?)");
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(error_of([&] { own(); }),
            "NotFound: 'core.reload.own' is not registered any more (it was removed, or its module unloaded)");
  EXPECT_TRUE(module.names().empty());
  Module again = load(path);
  EXPECT_EQ(call(own), 10) << "a handle follows";
  EXPECT_EQ(again.unload(), Texts{});
}

TEST(BlockOfAReload, may_not_reload_the_module_and_fails_the_reload_if_it_tries) {
  const std::string path = plugin("core_block");
  Module module = load(path);
  const std::string error = "RuntimeError: cannot reload '" + path + "': it is being reloaded";
  {
    Registration run = register_function("test.block.run", [&](bool) { module.reload(); });
    EXPECT_EQ(error_of([&] { module.reload(); }), error);
    EXPECT_EQ(error_of([&] { module.reload(); }), error) << "each time";
  }
  EXPECT_EQ(get("core.block.f")().to<int64_t>(), 1) << "the old code stays";
  EXPECT_EQ(module.reload(), Texts{});
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped("/libcore_block.so"));
}

TEST(Own, names_are_those_of_modules) {
  EXPECT_EQ(error_of([] { register_function({"test.own.f", "own.cc", 1}, [] {}, {}, nullptr, local).keep(); }),
            "ValueError: cannot register 'test.own.f' (own.cc:1): only names that a block defines can be local");
}

TEST(NoDelete, a_module_that_is_linked_so_stays_in_memory_and_says_so) {
  const std::string why = "the loader, because it was linked with -z nodelete";
  for (const char* compiler : {"gcc", "clang"}) {
    const std::string path = plugin("core_nodelete", compiler);
    Module module = load(path);
    EXPECT_EQ(module.holders(), Texts{why});
    EXPECT_EQ(error_of([&] { module.reload(); }), "RuntimeError: cannot reload '" + path + "': it is kept by " + why);
    EXPECT_EQ(module.unload(), Texts{why});
    EXPECT_FALSE(find("core.nodelete.f").has_value());
    EXPECT_TRUE(is_mapped(path));
    Module again = load(path);
    EXPECT_EQ(get("core.nodelete.f")().to<int64_t>(), 1);
    EXPECT_EQ(again.unload(), Texts{why});
  }
}

TEST(Unique, symbols_of_the_loaders_keep_a_module_and_it_says_so) {
  for (const char* compiler : {"gcc", "clang"}) {
    Module module = load(plugin("core_unique", compiler));
    EXPECT_EQ(get("core.unique.count")().to<int64_t>() > 0, true);
    const std::string why = "the loader, because of the unique symbol 'core::unique' (build it with -fno-gnu-unique)";
    EXPECT_EQ(error_of([&] { module.reload(); }),
              "RuntimeError: cannot reload '" + plugin("core_unique", compiler) + "': it is kept by " + why);
    EXPECT_EQ(module.unload(), Texts{why});
    EXPECT_FALSE(find("core.unique.count").has_value());
    EXPECT_TRUE(is_mapped(plugin("core_unique", compiler)));
    Module again = load(plugin("core_unique", compiler));
    EXPECT_TRUE(find("core.unique.count").has_value());
    again.unload();
  }
}

}  // namespace
}  // namespace byname
