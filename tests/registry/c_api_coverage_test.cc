// The tests in C use all of the C interface.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(CInterface, every_function_of_it_is_used_by_a_test_in_c) {
  const std::filesystem::path root = BYNAME_SOURCE_DIR;
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(root / "tests/c_api")) tests += text_of(file.path());
  const std::string header = text_of(root / "include/byname/c_api.h");
  const std::regex declaration("\\b(byname_[a-z0-9_]+)\\(");
  // These are behind others that are inline, or are told of a C++ class's std::type_info, which C has none of.
  const std::set<std::string> kIndirect = {"byname_protect_slow", "byname_unprotect_slow", "byname_box_register",
                                           "byname_box_find"};
  std::set<std::string> functions;
  for (std::sregex_iterator it(header.begin(), header.end(), declaration), end; it != end; ++it) {
    functions.insert((*it)[1]);
  }
  EXPECT_GT(functions.size(), 100u);
  for (const std::string& function : functions) {
    if (kIndirect.count(function) > 0) continue;
    EXPECT_TRUE(std::regex_search(tests, std::regex("\\b" + function + "\\b")))
        << function << " is used by no test in C";
  }
}

}  // namespace
