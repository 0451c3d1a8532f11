// UTF-8, as far as errors and string literals need it.
#ifndef BYNAME_SCHEMA_UTF8_H_
#define BYNAME_SCHEMA_UTF8_H_

#include <cstddef>
#include <string_view>

namespace byname::core {

// The size of the character that `text` begins with; 0 if it begins with none (or is empty).
constexpr size_t character_size(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (text.empty()) return 0;
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool surrogate = first == 0xed && byte(1) > 0x9f;
  bool beyond = first == 0xf4 && byte(1) > 0x8f;
  return overlong || surrogate || beyond ? 0 : size;
}

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_UTF8_H_
