#include "schema/lexer.h"

#include <algorithm>
#include <array>

#include "schema/diagnostic.h"
#include "schema/name.h"
#include "schema/utf8.h"

namespace byname::core {

using enum TokenKind;

namespace {

// The kind of the token that a character begins, or the first it may be; kEnd for one that begins none.
constexpr auto kStarts = [] {
  std::array<TokenKind, 256> starts{};
  for (int c = 0; c < 128; ++c) {
    if (is_identifier_start(static_cast<char>(c))) starts[c] = kIdentifier;
    if (is_digit(static_cast<char>(c))) starts[c] = kNumber;
  }
  constexpr std::string_view kCharacters = "\"'()[],.*-+=!|?:";
  constexpr TokenKind kKinds[] = {kString, kString, kLeftParen, kRightParen, kLeftBracket, kRightBracket,
                                  kComma,  kDot,    kStar,      kMinus,      kPlus,        kEquals,
                                  kBang,   kBar,    kQuestion,  kColons};
  for (size_t i = 0; i < kCharacters.size(); ++i) starts[kCharacters[i]] = kKinds[i];
  return starts;
}();
static_assert(static_cast<int>(kEnd) == 0);

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  while (skip_blanks()) ++position_;
}

bool Lexer::skip_blanks() {
  for (; position_ < text_.size(); ++position_) {
    char c = text_[position_];
    if (c == '#') {
      position_ = text_.find('\n', position_);
      if (position_ == std::string_view::npos) position_ = text_.size();
      if (position_ == text_.size()) return false;
      c = '\n';
    }
    if (c == '\n' ? brackets_ == 0 : (c != ' ' && c != '\t' && c != '\r')) return c == '\n';
  }
  return false;
}

Token Lexer::take(TokenKind kind, size_t size) {
  Token token{kind, position_, text_.substr(position_, size)};
  position_ += size;
  return token;
}

Token Lexer::next() {
  // Most tokens begin where the last one ended, or behind one space.
  if (position_ < text_.size() && text_[position_] == ' ') ++position_;
  if (position_ >= text_.size() || kStarts[static_cast<unsigned char>(text_[position_])] == kEnd) {
    if (skip_blanks()) {
      Token line_break{kLineBreak, position_, text_.substr(position_, 1)};
      while (skip_blanks()) ++position_;
      if (position_ < text_.size()) return line_break;
    }
    if (position_ == text_.size()) return {kEnd, position_, {}};
  }
  TokenKind kind = kStarts[static_cast<unsigned char>(text_[position_])];
  switch (kind) {
    case kIdentifier: {
      size_t end = position_ + 1;
      while (end < text_.size() && is_identifier_part(text_[end])) ++end;
      return take(kIdentifier, end - position_);
    }
    case kNumber:
      return take_number();
    case kString:
      return take_string();
    case kLeftParen:
    case kLeftBracket:
      ++brackets_;
      return take(kind, 1);
    case kRightParen:
    case kRightBracket:
      if (brackets_ > 0) --brackets_;
      return take(kind, 1);
    case kMinus:
      return starts("->") ? take(kArrow, 2) : take(kMinus, 1);
    case kDot:
      if (position_ + 1 < text_.size() && is_digit(text_[position_ + 1])) return take_number();
      return starts("...") ? take(kEllipsis, 3) : take(kDot, 1);
    case kColons:
      if (!starts("::")) fail_unknown();
      return take(kColons, 2);
    case kEnd:
      fail_unknown();
    default:
      return take(kind, 1);
  }
}

void Lexer::fail_unknown() const {
  fail_at(text_, position_,
          "unexpected character " +
              quoted(text_.substr(position_, std::max<size_t>(1, character_size(text_.substr(position_))))));
}

size_t Lexer::skip_digits(size_t from) const {
  while (from < text_.size() && is_digit(text_[from])) ++from;
  return from;
}

Token Lexer::take_number() {
  size_t end = skip_digits(position_);
  // `int[2]...` is no number, so a dot that others follow does not belong to it.
  if (end < text_.size() && text_[end] == '.' && text_.substr(end, 3) != "...") end = skip_digits(end + 1);
  bool is_malformed = false;
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    ++end;
    if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
    size_t exponent_end = skip_digits(end);
    is_malformed = exponent_end == end;
    end = exponent_end;
  }
  if (end < text_.size() && text_[end] == 'j') ++end;
  bool glued = end < text_.size() && (is_identifier_part(text_[end]) || text_[end] == '.');
  if (is_malformed || (glued && text_.substr(end, 3) != "...")) {
    while (end < text_.size() && (is_identifier_part(text_[end]) || text_[end] == '.')) ++end;
    fail_at(text_, position_, "malformed number " + quoted(text_.substr(position_, end - position_)));
  }
  return take(kNumber, end - position_);
}

namespace {

constexpr std::string_view kEscapes = "\\'\"nrt0abfv";
constexpr std::string_view kEscaped = {"\\'\"\n\r\t\0\a\b\f\v", 11};

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The size of the escape that begins with the backslash in front, or 0 if it is none.
size_t escape_size(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] == 'x') return text.size() >= 4 && hex_value(text[2]) >= 0 && hex_value(text[3]) >= 0 ? 4 : 0;
  // `\01` would be one character to C and two to others.
  if (text[1] == '0' && text.size() > 2 && is_digit(text[2])) return 0;
  return kEscapes.find(text[1]) == std::string_view::npos ? 0 : 2;
}

}  // namespace

Token Lexer::take_string() {
  char quote = text_[position_];
  size_t end = position_ + 1;
  while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
    size_t size = 1;
    if (text_[end] == '\\') {
      size = escape_size(text_.substr(end));
      if (size == 0) fail_at(text_, end, "unknown escape " + quoted(text_.substr(end, 2)) + " in a string");
    }
    end += size;
  }
  if (end >= text_.size() || text_[end] == '\n') fail_at(text_, position_, "the string does not end in its line");
  return take(kString, end + 1 - position_);
}

std::string string_value(std::string_view token) {
  std::string value;
  std::string_view rest = token.substr(1, token.size() - 2);
  while (!rest.empty()) {
    size_t size = 1;
    char c = rest[0];
    if (c == '\\') {
      size = escape_size(rest);
      c = size == 4 ? static_cast<char>(hex_value(rest[2]) * 16 + hex_value(rest[3]))
                    : kEscaped[kEscapes.find(rest[1])];
    }
    value += c;
    rest.remove_prefix(size);
  }
  return value;
}

void print_string(std::string_view text, bool ascii, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    auto c = static_cast<unsigned char>(text[0]);
    size_t size = c >= 0x80 && ascii ? 0 : character_size(text);
    size_t known = c == 0 || c == '\'' ? std::string_view::npos : kEscaped.find(text[0]);
    if (known != std::string_view::npos) {
      out += {'\\', kEscapes[known]};
    } else if (size == 0 || is_control(text[0])) {
      out += {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out += '"';
}

}  // namespace byname::core
