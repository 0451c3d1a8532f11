// The text of the error that a call throws.
#ifndef BYNAME_TESTS_SCHEMA_ERROR_TEXT_H_
#define BYNAME_TESTS_SCHEMA_ERROR_TEXT_H_

#include <string>
#include <string_view>

#include "byname/error.h"
#include "schema/schema.h"

namespace byname::core {

// Of a ValueError; other kinds are told, so that a test that expects one of these fails.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    if (error.kind() != "ValueError") return std::string(error.kind()) + ": " + std::string(error.message());
    return std::string(error.message());
  }
  return "no error";
}

inline std::string parse_error(std::string_view text, NameForm form = NameForm::kBlock) {
  return error_of([&] { parse_schema(text, form); });
}

// The error that a schema of one line has at a column, counted from 1.
inline std::string error_at(std::string_view text, size_t column, std::string_view what) {
  return "1:" + std::to_string(column) + ": " + std::string(what) + "\n" + std::string(text) + "\n" +
         std::string(column - 1, ' ') + "^";
}

// For schemas of ASCII without tabs.
#define EXPECT_PARSE_ERROR(text, column, what) EXPECT_EQ(parse_error(text), error_at(text, column, what))

}  // namespace byname::core

#endif  // BYNAME_TESTS_SCHEMA_ERROR_TEXT_H_
