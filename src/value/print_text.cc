// Numbers and text in print.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>

#include "value/print.h"

namespace byname::core {
namespace {

struct Character {
  uint32_t code;
  size_t size;  // 0: no character begins here
};

// Takes no overlong forms, no surrogates, nothing beyond U+10FFFF.
Character read_character(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xc2 || first > 0xf4) return {0, 0};
  size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  uint32_t code = first & (0xffU >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  bool is_valid = code >= kLeast[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return {code, is_valid ? size : 0};
}

// Characters beyond ASCII that leave no mark of their own: controls, spaces, formatting, private use.
bool is_invisible(uint32_t code) {
  struct Range {
    uint32_t first;
    uint32_t last;
  };
  static constexpr Range kRanges[] = {{0x80, 0xa0},     {0xad, 0xad},     {0x600, 0x605},   {0x61c, 0x61c},
                                      {0x6dd, 0x6dd},   {0x70f, 0x70f},   {0x1680, 0x1680}, {0x180e, 0x180e},
                                      {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
                                      {0xe000, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}};
  if (code >= 0xe0000) return true;
  for (const Range& range : kRanges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

void append_escape(std::string& out, char letter, uint32_t code, int digits) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "\\%c%0*x", letter, digits, code);
  out.append(buffer);
}

// True if the ASCII character needed an escape, which was written.
bool escape_ascii(std::string& out, char c, char quote) {
  if (c == quote || c == '\\') {
    out.append({'\\', c});
  } else if (c == '\n') {
    out.append("\\n");
  } else if (c == '\r') {
    out.append("\\r");
  } else if (c == '\t') {
    out.append("\\t");
  } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
    append_escape(out, 'x', static_cast<unsigned char>(c), 2);
  } else {
    return false;
  }
  return true;
}

char quote_for(std::string_view text) {
  bool only_single = text.find('\'') != text.npos && text.find('"') == text.npos;
  return only_single ? '"' : '\'';
}

}  // namespace

void append_float(std::string& out, double value) {
  if (std::isnan(value)) {
    out.append("nan");
    return;
  }
  if (std::isinf(value)) {
    out.append(value < 0 ? "-inf" : "inf");
    return;
  }
  // "-d.ddde-xx": the digits and the exponent, to be laid out anew.
  char buffer[40];
  char* end = std::to_chars(buffer, std::end(buffer), value, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  size_t mark = text.find('e');
  std::string digits;
  for (char c : text.substr(0, mark)) {
    if (c >= '0' && c <= '9') digits.push_back(c);
  }
  int exponent = 0;
  std::string_view power = text.substr(mark + (text[mark + 1] == '+' ? 2 : 1));
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (text[0] == '-') out.push_back('-');
  auto count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out.append(digits, 0, 1);
    if (count > 1) out.append(".").append(digits, 1);
    out.append(exponent < 0 ? "e-" : "e+");
    int magnitude = std::abs(exponent);
    if (magnitude < 10) out.push_back('0');
    out.append(std::to_string(magnitude));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<size_t>(-exponent - 1), '0').append(digits);
  } else if (count <= exponent + 1) {
    out.append(digits).append(static_cast<size_t>(exponent + 1 - count), '0').append(".0");
  } else {
    out.append(digits, 0, static_cast<size_t>(exponent) + 1)
        .append(".")
        .append(digits, static_cast<size_t>(exponent) + 1);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  char quote = quote_for(text);
  out.push_back(quote);
  while (!text.empty()) {
    Character character = read_character(text);
    if (character.size == 0) {
      append_escape(out, 'x', static_cast<unsigned char>(text[0]), 2);
    } else if (character.size == 1) {
      if (!escape_ascii(out, text[0], quote)) out.push_back(text[0]);
    } else if (!is_invisible(character.code)) {
      out.append(text.substr(0, character.size));
    } else if (character.code > 0xffff) {
      append_escape(out, 'U', character.code, 8);
    } else {
      append_escape(out, character.code > 0xff ? 'u' : 'x', character.code, character.code > 0xff ? 4 : 2);
    }
    text.remove_prefix(character.size == 0 ? 1 : character.size);
  }
  out.push_back(quote);
}

void append_quoted_bytes(std::string& out, std::string_view bytes) {
  char quote = quote_for(bytes);
  out.push_back('b');
  out.push_back(quote);
  for (char c : bytes) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      append_escape(out, 'x', static_cast<unsigned char>(c), 2);
    } else if (!escape_ascii(out, c, quote)) {
      out.push_back(c);
    }
  }
  out.push_back(quote);
}

}  // namespace byname::core
