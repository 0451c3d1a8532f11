// Conversions of the standard containers. Elements are copied; a container of std::byte is bytes.
#ifndef BYNAME_CONVERT_CONTAINER_H_
#define BYNAME_CONVERT_CONTAINER_H_

#include <array>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "byname/sequence.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

// Converts the items of an array one by one; false if the value is no array or an item is no T.
template <class T, class Take>
bool load_items(const byname_any& from, Take take) {
  static_assert(!std::is_same_v<T, const char*>, "byname: nothing would keep the text; use std::string_view");
  if (from.type_index != BYNAME_ARRAY) return false;
  const auto* array = reinterpret_cast<const byname_array*>(from.as_object);
  for (int64_t i = 0; i < array->size; ++i) {
    typename Convert<T>::Held held{};
    if (!Convert<T>::load(array->data[i], held)) return false;
    take(T(Convert<T>::get(held)));
  }
  return true;
}

template <class T, class Range>
void store_items(byname_any* out, const Range& range) {
  Sequence items = Sequence::with_capacity(range.size());
  for (const auto& item : range) items.append<T>(item);
  *out = items.leak_raw();
}

// Lists and sets.
template <class Container, class T, uint8_t Flags>
struct ConvertList : HeldByValue<Container>, PackedByStore<Container> {
  static constexpr byname_type kType = compound_type<T>(BYNAME_KIND_LIST, -1, Flags);
  static bool load(const byname_any& from, Container& to) {
    to.clear();
    return load_items<T>(from, [&to](T&& item) { to.insert(to.end(), std::move(item)); });
  }
  static void store(byname_any* out, const Container& value) { store_items<T>(out, value); }
};

template <class Container, class K, class V>
struct ConvertDict : HeldByValue<Container>, PackedByStore<Container> {
  static constexpr byname_type kType = compound_type<K, V>(BYNAME_KIND_DICT);
  static bool load(const byname_any& from, Container& to) {
    if (from.type_index != BYNAME_MAP) return false;
    to.clear();
    size_t cursor = 0;
    const byname_any* key = nullptr;
    const byname_any* value = nullptr;
    while (byname_map_next(from.as_object, &cursor, &key, &value) != 0) {
      typename Convert<K>::Held held_key{};
      typename Convert<V>::Held held_value{};
      if (!Convert<K>::load(*key, held_key) || !Convert<V>::load(*value, held_value)) return false;
      to.emplace(K(Convert<K>::get(held_key)), V(Convert<V>::get(held_value)));
    }
    return true;
  }
  static void store(byname_any* out, const Container& value) {
    OwnedSide made;
    check(byname_map_new(value.size(), &made.value));
    for (const auto& [k, v] : value) {
      typename Convert<K>::Side key_side{};
      typename Convert<V>::Side value_side{};
      byname_any packed_key = Convert<K>::pack(k, key_side);
      byname_any packed_value = Convert<V>::pack(v, value_side);
      check(byname_map_put(made.value.as_object, &packed_key, &packed_value));
    }
    *out = std::exchange(made.value, any_none());
  }
};

// Bytes that somebody else keeps.
inline bool load_bytes(const byname_any& from, std::span<const std::byte>& to) noexcept {
  byname_str bytes{};
  bool is_bytes = byname_any_bytes(&from, &bytes) != 0;
  to = {reinterpret_cast<const std::byte*>(bytes.data), bytes.size};
  return is_bytes;
}

inline byname_any pack_bytes(std::span<const std::byte> bytes, byname_str& side) noexcept {
  side = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  byname_any value{BYNAME_BYTE_VIEW, 0, {0}};
  value.as_str = &side;
  return value;
}

inline void store_bytes(byname_any* out, std::span<const std::byte> bytes) {
  check(byname_bytes_new({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, out));
}

}  // namespace detail

template <class T, class A>
struct Convert<std::vector<T, A>> : detail::ConvertList<std::vector<T, A>, T, 0> {};
template <class T, class A>
struct Convert<std::deque<T, A>> : detail::ConvertList<std::deque<T, A>, T, 0> {};
template <class T, class A>
struct Convert<std::list<T, A>> : detail::ConvertList<std::list<T, A>, T, 0> {};
template <class T, class C, class A>
struct Convert<std::set<T, C, A>> : detail::ConvertList<std::set<T, C, A>, T, BYNAME_TYPE_SET> {};
template <class T, class H, class E, class A>
struct Convert<std::unordered_set<T, H, E, A>>
    : detail::ConvertList<std::unordered_set<T, H, E, A>, T, BYNAME_TYPE_SET> {};
template <class K, class V, class C, class A>
struct Convert<std::map<K, V, C, A>> : detail::ConvertDict<std::map<K, V, C, A>, K, V> {};
template <class K, class V, class H, class E, class A>
struct Convert<std::unordered_map<K, V, H, E, A>> : detail::ConvertDict<std::unordered_map<K, V, H, E, A>, K, V> {};

// Exactly N items.
template <class T, size_t N>
struct Convert<std::array<T, N>> : detail::PackedByStore<std::array<T, N>> {
  static constexpr byname_type kType = detail::compound_type<T>(BYNAME_KIND_LIST, N);
  using Held = std::array<typename Convert<T>::Held, N>;
  static bool load(const byname_any& from, Held& to) {
    if (from.type_index != BYNAME_ARRAY) return false;
    const auto* array = reinterpret_cast<const byname_array*>(from.as_object);
    if (array->size != N) return false;
    for (size_t i = 0; i < N; ++i) {
      if (!Convert<T>::load(array->data[i], to[i])) return false;
    }
    return true;
  }
  static std::array<T, N> get(Held& held) { return get(held, std::make_index_sequence<N>()); }
  static void store(byname_any* out, const std::array<T, N>& value) { detail::store_items<T>(out, value); }

 private:
  template <size_t... I>
  static std::array<T, N> get([[maybe_unused]] Held& held, std::index_sequence<I...>) {
    return {T(Convert<T>::get(held[I]))...};
  }
};

// A span over elements that were converted for the call. As a result it is copied.
template <class T>
struct Convert<std::span<const T>> {
  static constexpr byname_type kType = detail::compound_type<T>(BYNAME_KIND_LIST);
  using Held = std::vector<T>;
  using Side = detail::OwnedSide;
  static bool load(const byname_any& from, Held& to) { return Convert<Held>::load(from, to); }
  static std::span<const T> get(Held& held) noexcept { return held; }
  static byname_any pack(std::span<const T> value, Side& side) {
    store(&side.value, value);
    return side.value;
  }
  static void store(byname_any* out, std::span<const T> value) { detail::store_items<T>(out, value); }
};

// Borrows bytes.
template <>
struct Convert<std::span<const std::byte>> : detail::HeldByValue<std::span<const std::byte>> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_BYTES);
  using Side = byname_str;
  static bool load(const byname_any& from, std::span<const std::byte>& to) noexcept {
    return detail::load_bytes(from, to);
  }
  static byname_any pack(std::span<const std::byte> value, Side& side) noexcept {
    return detail::pack_bytes(value, side);
  }
  static void store(byname_any* out, std::span<const std::byte> value) { detail::store_bytes(out, value); }
};

template <>
struct Convert<std::vector<std::byte>> : detail::HeldByValue<std::vector<std::byte>> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_BYTES);
  using Side = byname_str;
  static bool load(const byname_any& from, std::vector<std::byte>& to) {
    std::span<const std::byte> bytes;
    bool is_bytes = detail::load_bytes(from, bytes);
    to.assign(bytes.begin(), bytes.end());
    return is_bytes;
  }
  static byname_any pack(const std::vector<std::byte>& value, Side& side) noexcept {
    return detail::pack_bytes(value, side);
  }
  static void store(byname_any* out, const std::vector<std::byte>& value) { detail::store_bytes(out, value); }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_CONTAINER_H_
