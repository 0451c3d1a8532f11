#include "schema/diagnostic.h"

#include <algorithm>

#include "byname/error.h"
#include "schema/utf8.h"

namespace byname::core {

namespace {

constexpr size_t kMaxQuoted = 60;
constexpr size_t kMaxExcerpt = 120;
constexpr size_t kExcerptBefore = 80;

}  // namespace

std::string quoted(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "'";
  while (!text.empty()) {
    if (out.size() > kMaxQuoted) {
      out += "...";
      break;
    }
    size_t size = character_size(text);
    if (size == 0 || is_control(text[0])) {
      auto c = static_cast<unsigned char>(text[0]);
      out += {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return out += '\'';
}

std::string located(std::string_view text, size_t position, std::string_view what) {
  std::string_view before = text.substr(0, position);
  size_t line_number = 1 + static_cast<size_t>(std::ranges::count(before, '\n'));
  size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string_view line = text.substr(begin, text.find('\n', position) - begin);
  size_t column = position - begin;
  std::string out = std::to_string(line_number) + ":" + std::to_string(column + 1) + ": " + std::string(what) + "\n";

  // The excerpt begins and ends anywhere: half a character is shown as "?".
  size_t from = line.size() <= kMaxExcerpt || column <= kExcerptBefore ? 0 : column - kExcerptBefore;
  size_t to = std::min(line.size(), from + kMaxExcerpt);
  std::string caret_line;
  if (from > 0) {
    out += "...";
    caret_line = "   ";
  }
  for (size_t i = from; i < to;) {
    size_t size = character_size(line.substr(i, to - i));
    bool shown = size > 1 || (size == 1 && (!is_control(line[i]) || line[i] == '\t'));
    out += shown ? line.substr(i, size) : line[i] == '\r' ? " " : "?";
    if (i < column) caret_line += line[i] == '\t' ? '\t' : ' ';
    i += std::max<size_t>(size, 1);
  }
  if (to < line.size()) out += "...";
  return out + "\n" + caret_line + "^";
}

void fail_at(std::string_view text, size_t position, std::string_view what) {
  throw Error("ValueError", located(text, position, what));
}

}  // namespace byname::core
