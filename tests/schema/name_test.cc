#include "schema/name.h"

#include <gtest/gtest.h>

#include <string>

#include "error_text.h"

namespace byname::core {
namespace {

// "space|base|overload"
std::string split(std::string_view text, NameForm form) {
  NameParts parts = split_name(text, form);
  return std::string(parts.space) + "|" + std::string(parts.base) + "|" + std::string(parts.overload);
}

std::string split_error(std::string_view text, NameForm form = NameForm::kBlock) {
  return error_of([&] { split_name(text, form); });
}

TEST(Name, in_a_block_a_dot_begins_the_overload) {
  EXPECT_EQ(split("f", NameForm::kBlock), "|f|");
  EXPECT_EQ(split("f.out", NameForm::kBlock), "|f|out");
  EXPECT_EQ(split("a.b::f", NameForm::kBlock), "a.b|f|");
  EXPECT_EQ(split("a.b::f.out", NameForm::kBlock), "a.b|f|out");
}

TEST(Name, in_a_full_name_dots_separate_namespaces) {
  EXPECT_EQ(split("f", NameForm::kFull), "|f|");
  EXPECT_EQ(split("a.f", NameForm::kFull), "a|f|");
  EXPECT_EQ(split("a.b.f", NameForm::kFull), "a.b|f|");
  EXPECT_EQ(split("a.b::f.out", NameForm::kFull), "a.b|f|out");
}

TEST(Name, parts_may_have_any_bytes) {
  EXPECT_EQ(split(std::string_view("a\0b", 3), NameForm::kBlock), std::string("|a\0b|", 5));
  EXPECT_EQ(split("größer als.1", NameForm::kFull), "größer als|1|");
  EXPECT_EQ(split("a:b", NameForm::kBlock), "|a:b|");
}

TEST(Name, bad_names_are_refused) {
  EXPECT_EQ(split_error(""), "name '' is empty");
  EXPECT_EQ(split_error("a::"), "name 'a::' is empty");
  EXPECT_EQ(split_error("::f"), "name '::f' has no namespace before '::'");
  EXPECT_EQ(split_error("a::b::c"), "name 'a::b::c' has more than one '::'");
  EXPECT_EQ(split_error("a.b.c"),
            "name 'a.b.c' has more than one dot (in a block a name is 'name' or 'name.overload')");
  EXPECT_EQ(split_error("a::b.c.d", NameForm::kFull),
            "name 'a::b.c.d' has more than one dot (in a block a name is 'name' or 'name.overload')");
  EXPECT_EQ(split_error(".f"), "name '.f' has nothing beside a dot");
  EXPECT_EQ(split_error("f."), "name 'f.' has nothing beside a dot");
  EXPECT_EQ(split_error("a.", NameForm::kFull), "name 'a.' has nothing beside a dot");
  EXPECT_EQ(split_error("f.default"), "name 'f.default' has a reserved overload name");
  EXPECT_EQ(split_error("f.__x"), "name 'f.__x' has a reserved overload name");
  EXPECT_EQ(split_error("a.default", NameForm::kFull), "no error");
}

TEST(Name, reserved_words_are_those_of_python) {
  int count = 0;
  for (std::string_view word : {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                                "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                                "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                                "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"}) {
    EXPECT_TRUE(is_reserved_word(word)) << word;
    ++count;
  }
  EXPECT_EQ(count, 35);
  for (std::string_view word :
       {"", "a", "self", "match", "type", "true", "Continue", "continued", "nonlocals", "i", "ins"}) {
    EXPECT_FALSE(is_reserved_word(word)) << word;
  }
}

TEST(Name, identifiers) {
  for (std::string_view word : {"a", "_", "_0", "Ab9"}) EXPECT_TRUE(is_identifier(word)) << word;
  for (std::string_view word : {"", "0", "a-b", "a b", "é", "a."}) EXPECT_FALSE(is_identifier(word)) << word;
}

}  // namespace
}  // namespace byname::core
