// Test libraries, and whether their code is in memory.
#ifndef BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_
#define BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "support.h"

namespace byname {

// The path of a library of tests/plugins as one of the compilers made it.
inline std::string plugin(const std::string& name, const std::string& compiler = "gcc") {
  return BYNAME_TEST_PLUGIN_DIR "/" + compiler + "/lib" + name + ".so";
}

// The files in memory whose paths end so. A path has no file any more once another one has taken its place, and that of
// a private copy has none at all.
inline std::set<std::string> mapped_files(std::string_view path) {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    constexpr std::string_view kDeleted = " (deleted)";
    if (line.ends_with(kDeleted)) line.resize(line.size() - kDeleted.size());
    if (line.ends_with(path)) files.insert(line.substr(line.find('/')));
  }
  return files;
}

inline bool is_mapped(std::string_view path) { return !mapped_files(path).empty(); }

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

}  // namespace byname

#endif  // BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_
