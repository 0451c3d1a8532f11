// Libraries that cannot be loaded: an error with the reason, and nothing left behind.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "module_support.h"

namespace byname {
namespace {

// What a block throws that is no Error is told with the block's place.
const std::string at = "block 'core.throw' (" BYNAME_SOURCE_DIR "/tests/plugins/core_throw.cc:20): ";

class FailedLoad : public testing::TestWithParam<const char*> {
 protected:
  std::string load_error(const std::string& name) {
    return error_of([&] { load(plugin(name, GetParam())); });
  }
};
INSTANTIATE_TEST_SUITE_P(Compilers, FailedLoad, testing::Values("gcc", "clang"));

// Fault: an exception inside of a registration block
TEST_P(FailedLoad, what_a_block_throws_is_the_error_and_nothing_is_left) {
  const std::string path = plugin("core_throw", GetParam());
  const std::pair<const char*, std::string> kCases[] = {
      {"first", "RuntimeError: " + at + "at the beginning"},
      {"middle", "KeyError: in the middle"},
      {"last", "IndexError: " + at + "at the end"},
      {"int", "RuntimeError: " + at + "unknown C++ exception of type 'int'"},
      {"struct", "RuntimeError: " + at + "unknown C++ exception of type '(anonymous namespace)::NoException'"},
      {"schema",
       "ValueError: cannot register 'core.throw.bad' (core_throw.cc:28): 1:12: expected a type, got '->'\n"
       "bad(int a, -> int\n           ^"},
      {"default",
       "ValueError: cannot register 'core.throw.bad' (core_throw.cc:29): 1:11: the default of 'a' expects int, got "
       "str\n"
       "bad(int a=\"x\") -> int\n          ^"}};
  for (const auto& [how, error] : kCases) {
    Environment wanted("BYNAME_TEST_THROW", how);
    EXPECT_EQ(load_error("core_throw"), error) << how;
    EXPECT_TRUE(names("core.throw").empty()) << how;
    EXPECT_FALSE(is_mapped(path)) << how;
  }
  Environment wanted("BYNAME_TEST_THROW", "function");
  EXPECT_EQ(load_error("core_throw").substr(0, 67),
            "NotFound: nothing is registered under the name 'core.throw.missing'");
  Environment duplicate("BYNAME_TEST_THROW", "duplicate");
  EXPECT_TRUE(load_error("core_throw").starts_with("ValueError: 'core.throw.a' is registered twice: at "));
  EXPECT_FALSE(is_mapped(path));
  EXPECT_NE(byname_type_find({"core.throw.Thing", 16}), nullptr) << "declared, which is no registration";
}

TEST_P(FailedLoad, ends_what_the_blocks_began) {
  const std::string path = plugin("core_begun", GetParam());
  Registration taken = register_function({"core.begun.f", "mine.cc", 1}, [] {});
  EXPECT_EQ(load_error("core_begun"),
            "ValueError: 'core.begun.f' is registered twice: at mine.cc:1 and at " BYNAME_SOURCE_DIR
            "/tests/plugins/core_begun.cc:29");
  EXPECT_FALSE(is_mapped(path));
  taken.remove();
  Module module = load(path);
  EXPECT_EQ(get("core.begun.f")().to<int64_t>(), 1);
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(FailedLoad, of_what_somebody_else_opened_ends_what_the_blocks_began) {
  Warnings warnings;
  Registration taken = register_function({"core.begun.f", "mine.cc", 1}, [] {});
  void* handle = dlopen(plugin("core_begun", GetParam()).c_str(), RTLD_NOW);
  EXPECT_EQ(names("core.begun."), Texts{"core.begun.f"});
  ASSERT_EQ(warnings.texts().size(), 1u);
  EXPECT_TRUE(warnings.texts()[0].starts_with(
      "RuntimeWarning: registering 'core.begun' failed: 'core.begun.f' is registered twice: at mine.cc:1 and at "));
  dlclose(handle);
}

TEST_P(FailedLoad, lets_nobody_load_the_library_until_what_it_began_has_ended) {
  const std::string path = plugin("core_begun", GetParam());
  Registration taken = register_function({"core.begun.f", "mine.cc", 1}, [] {});
  Texts errors;
  Registration hear = register_function("test.begun.end", [&] {
    std::thread([&] { errors.push_back(load_error("core_begun")); }).join();
    errors.push_back(load_error("core_begun"));
  });
  EXPECT_TRUE(load_error("core_begun").starts_with("ValueError: 'core.begun.f' is registered twice"));
  const std::string error =
      "RuntimeError: cannot load '" + path + "': it failed to load, and its on_unload is running still";
  EXPECT_EQ(errors, (Texts{error, error}));
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(FailedLoad, by_a_thread_that_ends_in_what_it_runs_then_leaves_nothing) {
  const std::string path = plugin("core_begun", GetParam());
  for (const char* moment : {"test.begun.end", "test.begun.during"}) {
    Registration taken = register_function({"core.begun.f", "mine.cc", 1}, [] {});
    Registration hear = register_function(std::string_view(moment), [] { pthread_exit(nullptr); });
    std::thread([&] { load(path); }).join();
    hear.remove();
    collect();
    EXPECT_FALSE(is_mapped(path)) << moment;
    EXPECT_NE(load_error("core_begun").find("is registered twice"), std::string::npos);
  }
}

TEST_P(FailedLoad, may_be_tried_again_and_then_succeed) {
  {
    Environment wanted("BYNAME_TEST_THROW", "last");
    EXPECT_EQ(load_error("core_throw"), "IndexError: " + at + "at the end");
  }
  Module module = load(plugin("core_throw", GetParam()));
  EXPECT_EQ(module.names(), (Texts{"core.throw.Thing", "core.throw.a", "core.throw.b"}));
  EXPECT_EQ(module.unload(), Texts{});
}

TEST_P(FailedLoad, a_name_of_another_library_is_a_duplicate_and_no_block_registers_anything) {
  Module math = load(plugin("core_math"));
  EXPECT_EQ(load_error("core_duplicate"),
            "ValueError: 'core.math.add' is registered twice: at core_math.cc:13 and at core_duplicate.cc:5");
  EXPECT_TRUE(names("core.duplicate").empty());
  EXPECT_FALSE(is_mapped(plugin("core_duplicate", GetParam())));
  EXPECT_EQ(math.unload(), Texts{});
}

TEST_P(FailedLoad, another_version_of_the_interface_is_refused) {
  const std::string path = plugin("core_version", GetParam());
  EXPECT_EQ(load_error("core_version"), "ImportError: '" + path +
                                            "' was built for version 2 of Byname's interface, this is "
                                            "version 1 (rebuild it)");
  EXPECT_FALSE(is_mapped(path));
}

TEST_P(FailedLoad, a_missing_function_is_told_by_the_loader) {
  const std::string path = plugin("core_missing", GetParam());
  EXPECT_EQ(load_error("core_missing"), "OSError: cannot load '" + path + "': " + path +
                                            ": undefined symbol: function_that_is_nowhere "
                                            "(link the module with the library "
                                            "that defines it)");
  EXPECT_FALSE(is_mapped(path));
  Environment search("BYNAME_PATH", path.substr(0, path.rfind('/')));
  EXPECT_NE(error_of([] { load("core_missing"); }).find("undefined symbol"), std::string::npos);
}

TEST_P(FailedLoad, an_owned_namespace_takes_nothing_from_others) {
  Module owner = load(plugin("core_owner", GetParam()));
  EXPECT_EQ(load_error("core_intruder"),
            "ValueError: 'core.owned.below.g' at core_intruder.cc:4 is in the namespace 'core.owned', which is owned "
            "(core_owner.cc:5)");
  EXPECT_EQ(error_of([] { register_function({"core.owned.h", "h.cc", 1}, [] {}).keep(); }),
            "ValueError: 'core.owned.h' at h.cc:1 is in the namespace 'core.owned', which is owned (core_owner.cc:5)");
  EXPECT_EQ(owner.unload(), Texts{});
  Module intruder = load(plugin("core_intruder", GetParam()));
  EXPECT_EQ(get("core.owned.below.g")().to<int64_t>(), 2);
  EXPECT_EQ(load_error("core_owner"),
            "ValueError: the namespace 'core.owned' cannot be owned (core_owner.cc:5): 'core.owned.below.g' is in it, "
            "registered at core_intruder.cc:4");
  EXPECT_EQ(intruder.unload(), Texts{});
}

TEST_P(FailedLoad, a_claim_on_what_others_use_fails_and_claims_nothing) {
  Module math = load(plugin("core_math"));
  EXPECT_TRUE(load_error("core_claimer")
                  .starts_with("ValueError: the namespace 'core.math' cannot be owned (core_claimer.cc:5): "));
  EXPECT_EQ(names("core.math.").size(), 5u);
  Registration mine = register_function("core.math.mine", [] {});
  mine.remove();
  EXPECT_EQ(math.unload(), Texts{});
  Module claimer = load(plugin("core_claimer", GetParam()));
  EXPECT_NE(error_of([] { register_function("core.math.mine", [] {}).keep(); }).find("which is owned"),
            std::string::npos);
  EXPECT_EQ(claimer.unload(), Texts{});
}

TEST(Load, a_file_that_is_not_there_is_told_by_the_loader) {
  EXPECT_EQ(
      error_of([] { load("/nowhere/libx.so"); }),
      "FileNotFoundError: cannot load '/nowhere/libx.so': /nowhere/libx.so: cannot open shared object file: No such "
      "file or directory ('/nowhere' is no directory)");
  EXPECT_EQ(
      error_of([] { load("byname_test_nowhere"); }),
      "FileNotFoundError: cannot load 'byname_test_nowhere': byname_test_nowhere: cannot open shared object file: No "
      "such file or directory (a name is searched on BYNAME_PATH, beside Byname's library and on the loader's "
      "path; give a path)");
}

TEST(Load, a_name_that_is_not_there_tells_near_ones_of_the_directories) {
  const std::string directory = plugin("").substr(0, plugin("").rfind('/'));
  const std::string error =
      "FileNotFoundError: cannot load 'core_mth': core_mth: cannot open shared object file: No such file or directory "
      "(did you mean 'core_math'?)";
  EXPECT_EQ(error_of([&] { load("core_mth", directory); }), error);
  Environment search("BYNAME_PATH", "/nowhere:" + directory);
  EXPECT_EQ(error_of([] { load("core_mth"); }), error);
}

TEST(Load, a_name_whose_file_is_no_library_says_what_is_wrong_with_the_file) {
  const std::string directory = testing::TempDir() + "byname_test_broken_" + std::to_string(getpid());
  std::filesystem::create_directory(directory);
  const std::string path = directory + "/libbroken.so";
  std::ofstream(path) << "text";
  EXPECT_EQ(error_of([&] { load("broken", directory); }),
            "OSError: cannot load 'broken': " + path + ": file too short (it is no whole shared library)");
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/nowhere/libx.so", path);
  EXPECT_EQ(error_of([&] { load(path); }),
            "FileNotFoundError: cannot load '" + path + "': " + path +
                ": cannot open shared object file: No such file or directory (it is a link "
                "to '/nowhere/libx.so', which is not there)");
  EXPECT_EQ(error_of([&] { load("broken", directory); }).find("did you mean"), std::string::npos);
  std::filesystem::remove(path);
  std::filesystem::create_directory(directory + "/broken");  // of its sources, say
  std::filesystem::copy_file(plugin("core_math"), path);
  Module module = load("broken", directory);
  EXPECT_EQ(module.path(), path);
  EXPECT_EQ(module.unload(), Texts{});
  std::filesystem::remove_all(directory);
}

// A copy of a library that somebody has damaged.
class Damaged {
 public:
  explicit Damaged(const std::string& name)
      : path(testing::TempDir() + "libbyname_test_damaged_" + std::to_string(getpid()) + ".so") {
    std::ifstream from(plugin(name), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(from), {});
  }
  Damaged(const Damaged&) = delete;
  Damaged& operator=(const Damaged&) = delete;
  ~Damaged() { std::remove(path.c_str()); }
  void replace_all(std::string_view old, std::string_view now) {
    for (size_t at; (at = bytes.find(old)) != std::string::npos;) bytes.replace(at, old.size(), now);
  }
  // Changes the headers of segments of a type.
  template <class Change>
  void change_segments(uint32_t type, Change change) {
    ElfW(Ehdr) header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (size_t i = 0; i < header.e_phnum; ++i) {
      char* place = bytes.data() + header.e_phoff + i * sizeof(ElfW(Phdr));
      ElfW(Phdr) segment;
      std::memcpy(&segment, place, sizeof segment);
      if (segment.p_type == type) change(segment);
      std::memcpy(place, &segment, sizeof segment);
    }
  }
  std::string load_error(const std::string& how_to_open = "") {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return error_of([&] { load(how_to_open.empty() ? path : how_to_open); });
  }

  const std::string path;
  std::string bytes;
};

TEST(Load, a_file_for_another_architecture_is_no_missing_file) {
  Damaged file("core_math");
  struct {
    char width, byte_order, machine[2];
    const char* name;
  } platforms[] = {
      {2, 1, {static_cast<char>(243), 0}, "riscv"},
      {1, 1, {3, 0}, "x86 of 32 bits"},
      {1, 1, {62, 0}, "x86-64 of 32 bits"},
      {1, 1, {40, 0}, "arm of 32 bits"},
      {2, 2, {0, 22}, "s390, big-endian"},
      {2, 1, {0x34, 0x12}, "machine 4660"},
      {1, 2, {0, 20}, "machine 20 of 32 bits, big-endian"},
  };
  for (const auto& platform : platforms) {
    file.bytes[4] = platform.width;
    file.bytes[5] = platform.byte_order;
    file.bytes[18] = platform.machine[0];
    file.bytes[19] = platform.machine[1];
    EXPECT_EQ(file.load_error(), "OSError: cannot load '" + file.path + "': " + file.path + ": built for " +
                                     platform.name + ", this process is x86-64 (build it for x86-64)");
  }
}

// The loader reads neither of notes nor of all symbols; and it adds its address to what a dynamic section says unless
// that is read-only.
TEST(Load, believes_nothing_that_the_loader_need_not_read) {
  for (size_t size : {size_t{1} << 30, ~size_t{0}, ~size_t{0} - 100}) {
    Damaged file("core_math");
    file.change_segments(PT_NOTE, [&](ElfW(Phdr) & segment) { segment.p_memsz = size; });
    EXPECT_EQ(file.load_error(), "no error");
    EXPECT_EQ(load(file.path).unload(), Texts{});
  }
  Damaged file("core_math");
  file.change_segments(PT_NOTE, [&](ElfW(Phdr) & segment) { segment.p_vaddr += size_t{1} << 40; });
  EXPECT_EQ(file.load_error(), "no error");
  EXPECT_EQ(load(file.path).unload(), Texts{});
}

TEST(Load, a_dynamic_section_may_be_read_only) {
  Damaged file("core_math");
  file.change_segments(PT_DYNAMIC, [](ElfW(Phdr) & segment) { segment.p_flags = PF_R; });
  EXPECT_EQ(file.load_error(), "no error");
  EXPECT_EQ(load(file.path).unload(), Texts{});
}

TEST(Load, a_file_that_is_cut_off_is_refused_at_any_length) {
  Damaged file("core_math");
  const std::string whole = file.bytes;
  for (size_t size : {100, 1000, 5000, 10000, 16000}) {
    file.bytes = whole.substr(0, size);
    EXPECT_EQ(file.load_error(), "OSError: cannot load '" + file.path + "': " + file.path +
                                     ": cut off: a part of it would lie beyond its " + std::to_string(size) +
                                     " bytes (copy or build it again)");
  }
  file.bytes = whole.substr(0, 40);
  EXPECT_EQ(file.load_error(), "OSError: cannot load '" + file.path + "': " + file.path +
                                   ": file too short (it is no whole shared library)");
}

TEST(Load, a_file_that_is_no_shared_library_says_what_it_is) {
  Damaged file("core_math");
  const std::string whole = file.bytes;
  const std::string error = "OSError: cannot load '" + file.path + "': " + file.path;
  file.bytes = "This is no shared object, but long enough for its header to be read.";
  EXPECT_EQ(file.load_error(), error + ": invalid ELF header (it is no shared library)");
  file.bytes.clear();
  EXPECT_EQ(file.load_error(), error + ": file too short (it is no whole shared library)");
  EXPECT_NE(error_of([] { load("/"); }).find("OSError: cannot load '/': "), std::string::npos);
  file.bytes = whole;
  file.bytes[16] = 1;  // e_type
  EXPECT_EQ(file.load_error(),
            error + ": only ET_DYN and ET_EXEC can be loaded (it is an object file: link it with -shared)");
  std::ifstream executable("/proc/self/exe", std::ios::binary);
  file.bytes.assign(std::istreambuf_iterator<char>(executable), {});
  EXPECT_EQ(file.load_error(), error +
                                   ": cannot dynamically load position-independent executable (it is a program: "
                                   "link it with -shared)");
}

TEST(Load, a_path_at_which_nothing_is_says_what_there_is) {
  const std::string directory = testing::TempDir() + "byname_test_missing_" + std::to_string(getpid());
  const std::string path = directory + "/libbroken.so";
  const std::string error = "FileNotFoundError: cannot load '" + path + "': " + path +
                            ": cannot open shared object file: No such file or directory ";
  auto load_path = [&] { load(path); };
  EXPECT_EQ(error_of(load_path), error + "('" + directory + "' is no directory)");
  std::filesystem::create_directory(directory);
  EXPECT_EQ(error_of(load_path), error + "(there is no library in '" + directory + "')");
  for (const char* name : {"libone.so", "libtwo.so.1", "three.txt"}) std::ofstream(directory + "/" + name);
  EXPECT_EQ(error_of(load_path), error + "(what is there: libone.so, libtwo.so.1)");
  for (int i = 3; i < 9; ++i) std::ofstream(directory + "/number" + std::to_string(i) + ".so");
  EXPECT_EQ(error_of(load_path),
            error + "(what is there: libone.so, libtwo.so.1, number3.so, number4.so, number5.so and 3 more)");
  std::filesystem::remove_all(directory);
}

TEST(Load, a_plugin_that_lacks_byname_says_so) {
  Damaged file("core_math");
  file.replace_all("byname_library_define", "byname_library_nowher");
  std::string error = file.load_error();
  EXPECT_TRUE(error.starts_with("OSError: cannot load '" + file.path + "': " + file.path +
                                ": undefined symbol: byname_library_nowher"))
      << error;
  EXPECT_TRUE(error.ends_with(" (link the module with libbyname)")) << error;
}

TEST(Load, a_library_that_is_needed_and_missing_is_told_apart) {
  Damaged file("core_math");
  file.replace_all("libstdc++.so.6", "libnowhere.so6");
  EXPECT_EQ(file.load_error(),
            "OSError: cannot load '" + file.path +
                "': libnowhere.so6: cannot open shared object file: No such file or directory ('libnowhere.so6' is a "
                "library that it needs: its RUNPATH, LD_LIBRARY_PATH and the system's directories are searched)");
  EXPECT_FALSE(is_mapped(file.path));
}

TEST(Load, a_module_that_was_built_with_a_newer_library_is_told) {
  Damaged file("core_math");
  file.replace_all("BYNAME_0", "BYNAME_9");
  std::string error = file.load_error();
  EXPECT_NE(error.find("version `BYNAME_9' not found (required by " + file.path +
                       ") (it was built with a newer version of that library)"),
            std::string::npos)
      << error;
}

TEST(Load, a_path_that_is_mistyped_has_near_ones) {
  Damaged file("core_math");
  file.load_error("/nowhere/at.so");
  std::string wrong = file.path;
  wrong.replace(wrong.find("damaged"), 7, "damagde");
  EXPECT_EQ(file.load_error(wrong), "FileNotFoundError: cannot load '" + wrong + "': " + wrong +
                                        ": cannot open shared object file: No such file or directory (did you mean '" +
                                        file.path + "'?)");
}

TEST(Load, the_executable_and_byname_are_no_modules) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&byname_version), &info), 0);
  std::string core = info.dli_fname;
  EXPECT_EQ(error_of([&] { load(core); }),
            "ValueError: '" + core + "' is the executable or Byname itself, not a module");
}

TEST(Load, a_path_with_a_nul_is_not_cut) {
  const std::string path = plugin("core_math") + std::string("\0.txt", 5);
  EXPECT_EQ(error_of([&] { load(path); }), "ValueError: expected a path without NUL, got '" + path + "'");
}

TEST(Load, a_library_without_blocks_is_a_module_without_names) {
  Module module = load(plugin("object_family"));
  EXPECT_TRUE(module.names().empty());
  EXPECT_TRUE(module.is_loaded());
  EXPECT_EQ(module.unload(), Texts{});
}

}  // namespace
}  // namespace byname
