// Tuples: a fixed number of values, each of its own type.
#ifndef BYNAME_TUPLE_H_
#define BYNAME_TUPLE_H_

#include <tuple>

#include "byname/sequence.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

static_assert(sizeof(Any) == sizeof(byname_any) && sizeof(OwnedSide) == sizeof(byname_any));

// Of copies of the items; the caller owns it.
inline byname_array* make_tuple(const byname_any* items, size_t size) {
  byname_any tuple{};
  check(byname_tuple_new(items, size, &tuple));
  return reinterpret_cast<byname_array*>(tuple.as_object);
}

}  // namespace detail

// Immutable; copies share. Items are converted to their types when they are looked at. Structured bindings work.
template <class... T>
class Tuple {
 public:
  Tuple()
    requires(sizeof...(T) == 0)
      : Tuple(detail::make_tuple(nullptr, 0), Adopt()) {}
  Tuple(T... items)
    requires(sizeof...(T) > 0)
  {
    detail::OwnedSide made[sizeof...(T)];
    size_t i = 0;
    (Convert<T>::store(&made[i++].value, std::move(items)), ...);
    items_ = detail::Sequence(detail::make_tuple(&made[0].value, sizeof...(T)));
  }
  // Takes a reference to a tuple of these types.
  Tuple(byname_array* taken, Adopt) noexcept : items_(taken) {}

  static constexpr size_t size() noexcept { return sizeof...(T); }
  template <size_t I>
  std::tuple_element_t<I, std::tuple<T...>> get() const {
    return detail::convert_to<std::tuple_element_t<I, std::tuple<T...>>>(items_.data()[I]);
  }
  friend bool operator==(const Tuple& a, const Tuple& b) { return detail::equal_sequences(a.items_, b.items_); }

 private:
  friend struct Convert<Tuple<T...>>;
  detail::Sequence items_;
};

// A tuple of any size, of anything.
class AnyTuple {
 public:
  AnyTuple(std::initializer_list<Any> items = {})
      : items_(detail::make_tuple(reinterpret_cast<const byname_any*>(items.begin()), items.size())) {}
  // Takes a reference to a tuple.
  AnyTuple(byname_array* taken, Adopt) noexcept : items_(taken) {}

  size_t size() const noexcept { return items_.size(); }
  // No check.
  Any operator[](size_t i) const { return AnyView(items_.data()[i]).copy(); }
  // Throws IndexError.
  Any at(size_t i) const {
    if (i >= size()) detail::throw_index("tuple index out of range");
    return (*this)[i];
  }
  detail::ItemIterator<Any> begin() const noexcept { return detail::ItemIterator<Any>(items_.data()); }
  detail::ItemIterator<Any> end() const noexcept { return detail::ItemIterator<Any>(items_.data() + size()); }
  friend bool operator==(const AnyTuple& a, const AnyTuple& b) { return detail::equal_sequences(a.items_, b.items_); }

 private:
  friend struct Convert<AnyTuple>;
  detail::Sequence items_;
};

namespace detail BYNAME_HIDDEN {

template <class... T, size_t... I>
bool items_are(const byname_any* items, std::index_sequence<I...>) {
  return (is_exactly<T>(items[I]) && ...);
}

inline byname_array* tuple_in(const byname_any& from) {
  return from.type_index == BYNAME_TUPLE ? reinterpret_cast<byname_array*>(from.as_object) : nullptr;
}

}  // namespace detail

template <class... T>
struct Convert<Tuple<T...>> : detail::HeldByBorrow<Tuple<T...>> {
  static constexpr byname_type kType = detail::compound_type<T...>(BYNAME_KIND_TUPLE);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<Tuple<T...>>& to) {
    byname_array* tuple = detail::tuple_in(from);
    if (tuple == nullptr || tuple->size != sizeof...(T)) return false;
    if (!detail::items_are<T...>(tuple->data, std::index_sequence_for<T...>())) return false;
    to.set(tuple);
    return true;
  }
  static byname_any pack(const Tuple<T...>& value, Side) noexcept { return value.items_.raw(); }
  static void store(byname_any* out, Tuple<T...> value) noexcept { *out = value.items_.leak_raw(); }
};

template <>
struct Convert<AnyTuple> : detail::HeldByBorrow<AnyTuple> {
  static constexpr byname_type kType = detail::object_node("byname.Tuple");
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<AnyTuple>& to) {
    byname_array* tuple = detail::tuple_in(from);
    to.set(tuple);
    return tuple != nullptr;
  }
  static byname_any pack(const AnyTuple& value, Side) noexcept { return value.items_.raw(); }
  static void store(byname_any* out, AnyTuple value) noexcept { *out = value.items_.leak_raw(); }
};

}  // namespace byname

template <class... T>
struct std::tuple_size<byname::Tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};
template <size_t I, class... T>
struct std::tuple_element<I, byname::Tuple<T...>> : std::tuple_element<I, std::tuple<T...>> {};

#endif  // BYNAME_TUPLE_H_
