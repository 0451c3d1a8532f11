// Test libraries, and whether their code is in memory.
#ifndef BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_
#define BYNAME_TESTS_REGISTRY_MODULE_SUPPORT_H_

#include <fstream>
#include <string>

#include "support.h"

namespace byname {

// The path of a library of tests/plugins as one of the compilers made it.
inline std::string plugin(const std::string& name, const std::string& compiler = "gcc") {
  return BYNAME_TEST_PLUGIN_DIR "/" + compiler + "/lib" + name + ".so";
}

inline bool is_mapped(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(path)) return true;
  }
  return false;
}

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
