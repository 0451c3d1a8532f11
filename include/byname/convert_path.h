// Conversion of file names.
#ifndef BYNAME_CONVERT_PATH_H_
#define BYNAME_CONVERT_PATH_H_

#include <filesystem>

#include "byname/convert_text.h"

namespace byname {

// The bytes of the name, as they are; none of them is 0, at which the system would end it: ValueError.
template <>
struct Convert<std::filesystem::path> : detail::HeldByValue<std::filesystem::path> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_STR, 0, false, BYNAME_TYPE_PATH);
  using Side = byname_str;
  static bool load(const byname_any& from, std::filesystem::path& to) {
    std::string_view text;
    if (!Convert<std::string_view>::load(from, text)) return false;
    if (text.find('\0') != std::string_view::npos)
      detail::throw_error("ValueError", "a path with a NUL character in it");
    to = text;
    return true;
  }
  static byname_any pack(const std::filesystem::path& value, Side& side) noexcept {
    return detail::pack_text(value.native(), side);
  }
  static void store(byname_any* out, const std::filesystem::path& value) { detail::store_text(out, value.native()); }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_PATH_H_
