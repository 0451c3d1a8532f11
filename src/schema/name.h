// Names of what a schema describes, in three parts.
#ifndef BYNAME_SCHEMA_NAME_H_
#define BYNAME_SCHEMA_NAME_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace byname::core {

// How dots count in a name without `::`.
enum class NameForm : uint8_t {
  kBlock,  // inside a registration block: `name` or `name.overload`
  kFull,   // `a.b.c` is name `c` of namespace `a.b`, and there is no overload
};

// Views into the text that was split, or into what owns the name.
struct NameParts {
  std::string_view space;     // "a.b", or empty
  std::string_view base;      // never empty
  std::string_view overload;  // or empty
};

// Splits a name of any bytes: `base`, `base.overload` or `a.b.base` (see NameForm), `a.b::base`, `a.b::base.overload`.
// Throws ValueError if a part is empty, there are too many dots or `::`, or the overload's name is reserved.
NameParts split_name(std::string_view text, NameForm form);

// `default` and what begins with `__` name no overload.
bool is_reserved_overload(std::string_view name);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_identifier_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// By table: the lexer asks this of most characters.
inline constexpr auto kIdentifierParts = [] {
  std::array<bool, 256> parts{};
  for (int c = 0; c < 128; ++c) parts[c] = is_identifier_start(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  return parts;
}();
constexpr bool is_identifier_part(char c) { return kIdentifierParts[static_cast<unsigned char>(c)]; }
// A letter or underscore, then letters, digits and underscores; ASCII.
bool is_identifier(std::string_view text);

// Python's keywords, which name neither arguments nor returns.
bool is_reserved_word(std::string_view text);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_NAME_H_
