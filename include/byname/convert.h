// How a C++ type becomes a value and back: one trait, Convert<T>.
//
//   kType                         the type in the schema language (a static node)
//   Held, load(any, held)         takes exactly kType's values apart, false for others (the core then converts, see
//                                 byname_function_coerce, and load is asked again); a parameter lives in Held meanwhile
//   get(held)                     what the parameter receives
//   store(out, value)             makes an owning value; `out` holds nothing before
//   Side, pack(value, side)       a borrowed value for a call; what it points to lives in the side
//
// To convert a class of your own, derive Convert<T> from ConvertVia<T, V>, V being a type that converts already, and
// give it `static V to(const T&)` and `static T from(V)`; from may throw.
#ifndef BYNAME_CONVERT_H_
#define BYNAME_CONVERT_H_

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "byname/ref.h"

namespace byname {

class Any;

// Hidden, as everything that a value's C++ side runs: a module must never run another's copy.
template <class T, class Enable = void>
struct BYNAME_HIDDEN Convert;

template <class T>
concept Convertible = requires { sizeof(Convert<std::remove_cvref_t<T>>); };

// The name under which a parameter or result type is the same in every module, for typed calls that skip packing:
// arithmetic types, text and spans of one standard library, and Byname's own classes. nullptr: none.
template <class T>
inline constexpr const char* kPortableName = nullptr;

namespace detail BYNAME_HIDDEN {

constexpr byname_type simple_type(uint8_t kind, uint8_t bits = 0, bool is_unsigned = false, uint8_t flags = 0) {
  return {kind, bits, is_unsigned, flags, 0, -1, nullptr, {nullptr, 0}, nullptr, nullptr, nullptr};
}

constexpr byname_type object_node(std::string_view key) {
  return {BYNAME_KIND_OBJECT, 0, 0, 0, 0, -1, nullptr, {key.data(), key.size()}, nullptr, nullptr, nullptr};
}

template <class... Elements>
inline constexpr const byname_type* element_nodes[] = {&Convert<Elements>::kType...};

template <class... Elements>
constexpr byname_type compound_type(uint8_t kind, int32_t fixed_size = -1, uint8_t flags = 0) {
  const byname_type* const* elements = nullptr;
  if constexpr (sizeof...(Elements) > 0) elements = element_nodes<Elements...>;
  return {kind, 0, 0, flags, sizeof...(Elements), fixed_size, elements, {nullptr, 0}, nullptr, nullptr, nullptr};
}

constexpr byname_any any_none() { return {BYNAME_NONE, 0, {0}}; }
constexpr byname_any any_int(int64_t value) { return {BYNAME_INT, 0, {value}}; }

struct NoSide {};

// Owns a value that was made for one call.
class OwnedSide {
 public:
  OwnedSide() noexcept : value{} {}
  OwnedSide(const OwnedSide&) = delete;
  OwnedSide& operator=(const OwnedSide&) = delete;
  ~OwnedSide() { byname_any_drop(&value); }
  byname_any value;
};

// Held for a T that is passed by value or const reference.
template <class T>
struct HeldByValue {
  using Held = T;
  static T&& get(Held& held) noexcept { return std::move(held); }
};

// For a class that is one word of a value: T(raw) and raw().
template <class T, uint8_t Kind, int32_t TypeIndex, auto Word>
struct ConvertWord : HeldByValue<T> {
  static constexpr byname_type kType = simple_type(Kind);
  using Side = NoSide;
  static bool load(const byname_any& from, T& to) noexcept {
    to = T(from.*Word);
    return from.type_index == TypeIndex;
  }
  static byname_any pack(T value, Side) noexcept {
    byname_any any{TypeIndex, 0, {0}};
    any.*Word = value.raw();
    return any;
  }
  static void store(byname_any* out, T value) noexcept { *out = pack(value, {}); }
};

// For types whose owning form is also what a call takes.
template <class T>
struct PackedByStore {
  using Side = OwnedSide;
  static byname_any pack(const T& value, Side& side) {
    Convert<T>::store(&side.value, value);
    return side.value;
  }
};

// A reference-like X over an object that somebody else keeps alive: no counting.
template <class X>
union Borrowed {
  X value;
  Borrowed() noexcept {}
  ~Borrowed() {}
  template <class T>
  void set(T* object) noexcept {
    ::new (&value) X(object, Adopt());
  }
};

template <class X>
struct HeldByBorrow {
  using Held = Borrowed<X>;
  static const X& get(Held& held) noexcept { return held.value; }
};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                  !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

}  // namespace detail

// Through another type.
template <class T, class V>
struct BYNAME_HIDDEN ConvertVia : detail::PackedByStore<T> {
  static constexpr byname_type kType = Convert<V>::kType;
  using Held = typename Convert<V>::Held;
  static bool load(const byname_any& from, Held& held) { return Convert<V>::load(from, held); }
  static T get(Held& held) { return Convert<T>::from(Convert<V>::get(held)); }
  static void store(byname_any* out, const T& value) { Convert<V>::store(out, Convert<T>::to(value)); }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_H_
