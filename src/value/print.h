// Values as text for people, as Python's repr would show them.
#ifndef BYNAME_VALUE_PRINT_H_
#define BYNAME_VALUE_PRINT_H_

#include <string>
#include <string_view>

#include "byname/c_api.h"

namespace byname::core {

// Native stack: the same for any depth.
void append_value(std::string& out, const byname_any& value);

// The shortest text that reads back as the number, always with a point, an exponent, "inf" or "nan".
void append_float(std::string& out, double value);
// In quotes. What cannot be shown is escaped; what is no UTF-8 as \xHH.
void append_quoted(std::string& out, std::string_view text);
// b'...'
void append_quoted_bytes(std::string& out, std::string_view bytes);

}  // namespace byname::core

#endif  // BYNAME_VALUE_PRINT_H_
