// The tests in C use all of the C interface.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The words of a text that begin with byname_; only those before a parenthesis, if that is wanted.
std::set<std::string> names_in(std::string_view text, bool only_functions) {
  std::set<std::string> names;
  for (size_t at = text.find("byname_"); at != std::string_view::npos; at = text.find("byname_", at + 1)) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    bool is_whole = at == 0 || !is_word(text[at - 1]);
    bool is_function = end < text.size() && text[end] == '(';
    if (is_whole && (is_function || !only_functions)) names.emplace(text.substr(at, end - at));
  }
  return names;
}

TEST(CInterface, every_function_of_it_is_used_by_a_test_in_c) {
  const std::filesystem::path root = BYNAME_SOURCE_DIR;
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(root / "tests/c_api")) tests += text_of(file.path());
  std::set<std::string> functions = names_in(text_of(root / "include/byname/c_api.h"), true);
  EXPECT_GT(functions.size(), 100u);
  // These are behind others that are inline, or are told of a C++ class's std::type_info, which C has none of.
  for (const char* indirect :
       {"byname_protect_slow", "byname_unprotect_slow", "byname_box_register", "byname_box_find", "byname_box_get"}) {
    EXPECT_EQ(functions.erase(indirect), 1u) << indirect;
  }
  for (const std::string& used : names_in(tests, false)) functions.erase(used);
  EXPECT_EQ(functions, std::set<std::string>()) << "used by no test in C";
}

}  // namespace
