// The words of the schema language.
#ifndef BYNAME_SCHEMA_LEXER_H_
#define BYNAME_SCHEMA_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace byname::core {

enum class TokenKind : uint8_t {
  kEnd,
  kLineBreak,  // outside brackets, with something behind it
  kIdentifier,
  kNumber,  // 12, 1.5e-3, 2j
  kString,  // with its quotes, escapes checked
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kComma,
  kDot,
  kStar,
  kMinus,
  kPlus,
  kEquals,
  kBang,
  kBar,
  kQuestion,
  kArrow,     // ->
  kColons,    // ::
  kEllipsis,  // ...
};

struct Token {
  TokenKind kind;
  size_t position;
  std::string_view text;
};

// Cuts a schema's text, which must outlive it, into tokens. Throws ValueError, located, at what is no token.
class Lexer {
 public:
  explicit Lexer(std::string_view text);
  Token next();
  std::string_view text() const { return text_; }

 private:
  // Skips white space and comments, and line breaks in brackets and at the ends; true if it stopped at another one.
  bool skip_blanks();
  size_t skip_digits(size_t from) const;
  Token take(TokenKind kind, size_t size);
  Token take_number();
  Token take_string();
  [[noreturn]] void fail_unknown() const;
  bool starts(std::string_view word) const { return text_.substr(position_, word.size()) == word; }

  std::string_view text_;
  size_t position_ = 0;
  size_t brackets_ = 0;  // open ones
};

// What a kString token says, its escapes resolved.
std::string string_value(std::string_view token);
// `text` as a kString token, in double quotes. Bytes that are no text are escaped; with `ascii`, all beyond ASCII are.
void print_string(std::string_view text, bool ascii, std::string& out);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_LEXER_H_
