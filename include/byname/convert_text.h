// Conversions of the standard text types.
#ifndef BYNAME_CONVERT_TEXT_H_
#define BYNAME_CONVERT_TEXT_H_

#include "byname/convert_basic.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

inline byname_any pack_text(std::string_view text, byname_str& side) noexcept {
  byname_any value{};
  if (text.size() <= 7) {
    value.type_index = BYNAME_SMALL_STR;
    value.small_size = static_cast<uint32_t>(text.size());
    // Copies in two overlapping halves: a memcpy of unknown length is a call.
    size_t size = text.size();
    uint64_t word = 0;
    if (size >= 4) {
      uint32_t head;
      uint32_t tail;
      __builtin_memcpy(&head, text.data(), 4);
      __builtin_memcpy(&tail, text.data() + size - 4, 4);
      word = head | static_cast<uint64_t>(tail) << (8 * (size - 4));
    } else if (size > 0) {
      word = static_cast<uint8_t>(text[0]) |
             static_cast<uint64_t>(static_cast<uint8_t>(text[size / 2])) << (8 * (size / 2)) |
             static_cast<uint64_t>(static_cast<uint8_t>(text[size - 1])) << (8 * (size - 1));
    }
    value.as_uint = word;
    return value;
  }
  side = to_c(text);
  value.type_index = BYNAME_STR_VIEW;
  value.as_str = &side;
  return value;
}

inline void store_text(byname_any* out, std::string_view text) { check(byname_string_new(to_c(text), out)); }

}  // namespace detail

template <>
struct Convert<std::string_view> : detail::HeldByValue<std::string_view> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_STR);
  using Side = byname_str;
  static bool load(const byname_any& from, std::string_view& to) noexcept {
    byname_str characters{};
    bool is_text = byname_any_text(&from, &characters) != 0;
    to = detail::from_c(characters);
    return is_text;
  }
  static byname_any pack(std::string_view value, Side& side) noexcept { return detail::pack_text(value, side); }
  static void store(byname_any* out, std::string_view value) { detail::store_text(out, value); }
};

template <>
struct Convert<std::string> : detail::HeldByValue<std::string> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_STR);
  using Side = byname_str;
  static bool load(const byname_any& from, std::string& to) {
    std::string_view text;
    bool is_text = Convert<std::string_view>::load(from, text);
    to.assign(text);
    return is_text;
  }
  static byname_any pack(std::string_view value, Side& side) noexcept { return detail::pack_text(value, side); }
  static void store(byname_any* out, std::string_view value) { detail::store_text(out, value); }
};

// NUL-terminated; text with a NUL inside arrives cut, so prefer std::string_view.
template <>
struct Convert<const char*> : Convert<std::string> {
  static const char* get(std::string& held) noexcept { return held.c_str(); }
  static byname_any pack(const char* value, Side& side) noexcept { return detail::pack_text(value, side); }
  static void store(byname_any* out, const char* value) { detail::store_text(out, value); }
};

template <size_t N>
struct Convert<char[N]> : Convert<const char*> {};

}  // namespace byname

#endif  // BYNAME_CONVERT_TEXT_H_
