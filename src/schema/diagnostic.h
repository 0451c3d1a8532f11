// How errors of the schema layer show the text they speak of.
#ifndef BYNAME_SCHEMA_DIAGNOSTIC_H_
#define BYNAME_SCHEMA_DIAGNOSTIC_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "byname/macros.h"

namespace byname::core {

// In single quotes, shortened if long, control characters and what is no UTF-8 as \xHH.
std::string quoted(std::string_view text);

// "line:column: what", the line around the position, and a caret below it. Lines and columns count from 1, columns in
// bytes. Of a long line only the part around the position is shown, and what can't be shown is '?'.
std::string located(std::string_view text, size_t position, std::string_view what);

// Throws that as a ValueError.
[[noreturn]] BYNAME_COLD void fail_at(std::string_view text, size_t position, std::string_view what);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_DIAGNOSTIC_H_
