// Text and bytes that own theirs (up to 7 bytes without an object).
#ifndef BYNAME_STRING_H_
#define BYNAME_STRING_H_

#include "byname/any.h"

namespace byname {

// What String and Bytes share.
template <class Self, bool IsBytes>
class Text {
 public:
  Text() noexcept : any_({IsBytes ? BYNAME_SMALL_BYTES : BYNAME_SMALL_STR, 0, {0}}, Adopt()) {}
  size_t size() const noexcept { return view().size(); }
  bool empty() const noexcept { return size() == 0; }
  const char* data() const noexcept { return view().data(); }
  std::string_view view() const noexcept {
    byname_str characters{};
    IsBytes ? byname_any_bytes(&any_.raw(), &characters) : byname_any_text(&any_.raw(), &characters);
    return detail::from_c(characters);
  }
  operator std::string_view() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)
  friend bool operator==(const Self& a, const Self& b) noexcept { return a.view() == b.view(); }
  template <class Other>
    requires(std::is_convertible_v<const Other&, std::string_view> && !std::is_same_v<Other, Self>)
  friend bool operator==(const Self& a, const Other& b) noexcept {
    return a.view() == std::string_view(b);
  }
  friend auto operator<=>(const Self& a, const Self& b) noexcept { return a.view() <=> b.view(); }
  const Any& any() const noexcept { return any_; }

 protected:
  explicit Text(std::string_view text) {
    detail::check((IsBytes ? byname_bytes_new : byname_string_new)(detail::to_c(text), any_.out()));
  }
  explicit Text(Any any) noexcept : any_(std::move(any)) {}
  Any any_;
};

// Immutable text, any bytes. Copies share. NUL-terminated.
class String : public Text<String, false> {
 public:
  String() noexcept = default;
  String(std::string_view text) : Text(text) {}                      // NOLINT(google-explicit-constructor)
  String(const char* text) : Text(std::string_view(text)) {}         // NOLINT
  String(const std::string& text) : Text(std::string_view(text)) {}  // NOLINT
  const char* c_str() const noexcept { return data(); }

 private:
  friend struct Convert<String>;
  String(Any any, Adopt) noexcept : Text(std::move(any)) {}
};

// Immutable bytes. Copies share.
class Bytes : public Text<Bytes, true> {
 public:
  Bytes() noexcept = default;
  explicit Bytes(std::string_view bytes) : Text(bytes) {}
  Bytes(const void* data, size_t size) : Text(std::string_view(static_cast<const char*>(data), size)) {}

 private:
  friend struct Convert<Bytes>;
  Bytes(Any any, Adopt) noexcept : Text(std::move(any)) {}
};

template <>
struct Convert<String> : detail::HeldByValue<String> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_STR);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, String& to) {
    std::string_view text;
    if (!Convert<std::string_view>::load(from, text)) return false;
    to = String(AnyView(from).copy(), Adopt());
    return true;
  }
  static byname_any pack(const String& value, Side) noexcept { return value.any().raw(); }
  static void store(byname_any* out, String value) noexcept { *out = value.any_.leak(); }
};

template <>
struct Convert<Bytes> : detail::HeldByValue<Bytes> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_BYTES);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, Bytes& to) {
    byname_str bytes{};
    if (byname_any_bytes(&from, &bytes) == 0) return false;
    to = Bytes(AnyView(from).copy(), Adopt());
    return true;
  }
  static byname_any pack(const Bytes& value, Side) noexcept { return value.any().raw(); }
  static void store(byname_any* out, Bytes value) noexcept { *out = value.any_.leak(); }
};

}  // namespace byname

#endif  // BYNAME_STRING_H_
