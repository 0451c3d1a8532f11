// Conversions of optionals, pairs, tuples and variants.
#ifndef BYNAME_CONVERT_VARIANT_H_
#define BYNAME_CONVERT_VARIANT_H_

#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "byname/any.h"

namespace byname {

// None, as an argument or default only.
template <>
struct Convert<std::nullopt_t> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_NONE);
  using Side = detail::NoSide;
  static byname_any pack(std::nullopt_t, Side) noexcept { return detail::any_none(); }
  static void store(byname_any* out, std::nullopt_t) noexcept { *out = detail::any_none(); }
};

// None is no value.
template <class T>
struct Convert<std::optional<T>> {
  static constexpr byname_type kType = detail::compound_type<T>(BYNAME_KIND_OPTIONAL);
  struct Held {
    bool has_value = false;
    typename Convert<T>::Held value{};
  };
  using Side = typename Convert<T>::Side;
  static bool load(const byname_any& from, Held& to) {
    to.has_value = from.type_index != BYNAME_NONE;
    return !to.has_value || Convert<T>::load(from, to.value);
  }
  static std::optional<T> get(Held& held) {
    if (!held.has_value) return std::nullopt;
    return std::optional<T>(std::in_place, Convert<T>::get(held.value));
  }
  static byname_any pack(const std::optional<T>& value, Side& side) {
    return value ? Convert<T>::pack(*value, side) : detail::any_none();
  }
  static void store(byname_any* out, std::optional<T> value) {
    if (value) {
      Convert<T>::store(out, *std::move(value));
    } else {
      *out = detail::any_none();
    }
  }
};

namespace detail BYNAME_HIDDEN {

// What a variant's alternative is loaded into.
template <class T>
struct Alternative {
  typename Convert<T>::Held held{};
};

// std::tuple and std::pair.
template <class Whole, class... T>
struct ConvertTuple : PackedByStore<Whole> {
  static constexpr byname_type kType = compound_type<T...>(BYNAME_KIND_TUPLE);
  using Held = std::tuple<typename Convert<T>::Held...>;
  static bool load(const byname_any& from, Held& to) { return load(from, to, std::index_sequence_for<T...>()); }
  static Whole get(Held& held) { return get(held, std::index_sequence_for<T...>()); }
  static void store(byname_any* out, const Whole& value) { store(out, value, std::index_sequence_for<T...>()); }

 private:
  template <size_t... I>
  static bool load(const byname_any& from, [[maybe_unused]] Held& to, std::index_sequence<I...>) {
    if (from.type_index != BYNAME_TUPLE) return false;
    const auto* tuple = reinterpret_cast<const byname_array*>(from.as_object);
    return tuple->size == sizeof...(T) && (Convert<T>::load(tuple->data[I], std::get<I>(to)) && ...);
  }
  template <size_t... I>
  static Whole get([[maybe_unused]] Held& held, std::index_sequence<I...>) {
    return Whole(T(Convert<T>::get(std::get<I>(held)))...);
  }
  template <size_t... I>
  static void store(byname_any* out, [[maybe_unused]] const Whole& value, std::index_sequence<I...>) {
    OwnedSide made[sizeof...(T) + 1];
    (Convert<T>::store(&made[I].value, std::get<I>(value)), ...);
    check(byname_tuple_new(&made[0].value, sizeof...(T), out));
  }
};

}  // namespace detail

template <class... T>
struct Convert<std::tuple<T...>> : detail::ConvertTuple<std::tuple<T...>, T...> {};
template <class A, class B>
struct Convert<std::pair<A, B>> : detail::ConvertTuple<std::pair<A, B>, A, B> {};

// The alternative of a variant that holds nothing: None.
template <>
struct Convert<std::monostate> : detail::HeldByValue<std::monostate> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_NONE);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, std::monostate&) noexcept { return from.type_index == BYNAME_NONE; }
  static byname_any pack(std::monostate, Side) noexcept { return detail::any_none(); }
  static void store(byname_any* out, std::monostate) noexcept { *out = detail::any_none(); }
};

// The first alternative that takes the value as it stands; an integer goes to a floating-point one only if there is
// none for it.
template <class... T>
struct Convert<std::variant<T...>> : detail::PackedByStore<std::variant<T...>> {
  static constexpr byname_type kType = detail::compound_type<T...>(BYNAME_KIND_UNION);
  using Held = std::variant<std::monostate, detail::Alternative<T>...>;
  static bool load(const byname_any& from, Held& to) {
    return load<false>(from, to, std::index_sequence_for<T...>()) ||
           load<true>(from, to, std::index_sequence_for<T...>());
  }
  static std::variant<T...> get(Held& held) { return get(held, std::index_sequence_for<T...>()); }
  static void store(byname_any* out, const std::variant<T...>& value) {
    std::visit([out](const auto& held) { Convert<std::remove_cvref_t<decltype(held)>>::store(out, held); }, value);
  }

 private:
  template <bool IsLoose, size_t... I>
  static bool load(const byname_any& from, Held& to, std::index_sequence<I...>) {
    return (load_one<IsLoose, I, T>(from, to) || ...);
  }
  template <bool IsLoose, size_t I, class One>
  static bool load_one(const byname_any& from, Held& to) {
    if (IsLoose != (std::is_floating_point_v<One> && from.type_index == BYNAME_INT)) return false;
    return Convert<One>::load(from, to.template emplace<I + 1>().held);
  }
  template <size_t... I>
  static std::variant<T...> get(Held& held, std::index_sequence<I...>) {
    std::optional<std::variant<T...>> result;
    ((held.index() == I + 1
          ? static_cast<void>(result.emplace(std::in_place_index<I>, Convert<T>::get(std::get<I + 1>(held).held)))
          : static_cast<void>(0)),
     ...);
    return *std::move(result);
  }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_VARIANT_H_
