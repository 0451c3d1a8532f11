// Test libraries, and whether their code is in memory.
#ifndef BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_
#define BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support.h"

namespace byname {

// The path of a library of tests/plugins as one of the compilers made it.
inline std::string plugin(const std::string& name, const std::string& compiler = "gcc") {
  return BYNAME_TEST_PLUGIN_DIR "/" + compiler + "/lib" + name + ".so";
}

// The lines of this process's memory maps whose files' paths end so. A path has no file any more once another one has
// taken its place, and that of a private copy has none at all.
inline std::vector<std::string> map_lines(std::string_view path) {
  std::vector<std::string> lines;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    constexpr std::string_view kDeleted = " (deleted)";
    if (line.ends_with(kDeleted)) line.resize(line.size() - kDeleted.size());
    if (line.ends_with(path)) lines.push_back(line);
  }
  return lines;
}

// By inode: one path may have had several, one after the other.
inline std::map<std::string, std::string> mapped_files(std::string_view path) {
  std::map<std::string, std::string> files;
  for (const std::string& line : map_lines(path)) {
    std::string addresses;
    std::string flags;
    std::string offset;
    std::string device;
    std::string inode;
    std::istringstream(line) >> addresses >> flags >> offset >> device >> inode;
    files[inode] = line.substr(line.find('/'));
  }
  return files;
}

// Shows the maps. The kernel tells them piece by piece while other threads change them: what is told twice is there.
inline testing::AssertionResult is_mapped(std::string_view path) {
  testing::AssertionResult result = testing::AssertionSuccess();
  for (int reading = 0; reading < 2; ++reading) {
    std::vector<std::string> lines = map_lines(path);
    if (lines.empty()) return testing::AssertionFailure() << "nothing is mapped of " << path;
    for (const std::string& line : lines) result << "\n" << line;
  }
  return result;
}

// A library that is installed in one version after another (tests/plugins/core_reload.h), while it lives.
class Installed {
 public:
  explicit Installed(std::string compiler) : compiler_(std::move(compiler)) {
    std::filesystem::create_directories(directory);
  }
  Installed(const Installed&) = delete;
  Installed& operator=(const Installed&) = delete;
  ~Installed() { std::filesystem::remove_all(directory); }
  // As builds and package managers do: another file under the same path.
  void install(int version) {
    std::string made = path + ".new";
    std::filesystem::copy_file(plugin("core_reload" + std::to_string(version), compiler_), made,
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::rename(made, path);
  }

  const std::string directory = testing::TempDir() + "byname_reload_" + std::to_string(getpid());
  const std::string path = directory + "/libreload.so";

 private:
  std::string compiler_;
};

// An environment variable while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

using Texts = std::vector<std::string>;

inline const std::string kept_by_others =
    "whoever else opened it, links it or uses its symbols, or a thread with thread_local objects of it";

}  // namespace byname

#endif  // BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_
