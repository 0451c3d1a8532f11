// Values of any type: Any owns, AnyView borrows, Args is a borrowed span of them.
#ifndef BYNAME_ANY_H_
#define BYNAME_ANY_H_

#include <ostream>

#include "byname/convert_text.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_conversion(const byname_any& from, const byname_type& type) {
  OwnedSide out;
  if (byname_any_convert(&from, &type, &out.value) == 0) {
    throw_error("TypeError", "Convert<T>::load refuses what its kType promises");
  }
  throw_raised();
}

// The value as a T, by the conversion table; the converted form, if one is needed, lives in `side`.
template <class T>
bool load_converted(const byname_any& from, typename Convert<T>::Held& held, OwnedSide& side) {
  if (__builtin_expect(Convert<T>::load(from, held), 1)) return true;
  return byname_any_convert(&from, &Convert<T>::kType, &side.value) == 0 && Convert<T>::load(side.value, held);
}

// `refuse` throws what is wrong with a value that is no such type.
template <class T, class Refuse>
BYNAME_COLD T convert_slowly(const byname_any& from, const Refuse& refuse) {
  typename Convert<T>::Held held{};
  OwnedSide side;
  if (!load_converted<T>(from, held, side)) {
    refuse(from, Convert<T>::kType);
    __builtin_unreachable();
  }
  return T(Convert<T>::get(held));
}

// What it gives points into what was made of the value.
template <class T>
concept PointsIntoHeld =
    std::same_as<T, const char*> || (requires { T::extent; } && !std::same_as<typename Convert<T>::Held, T>);

template <class T, class Refuse>
__attribute__((always_inline)) inline T convert_to(const byname_any& from, const Refuse& refuse) {
  static_assert(!PointsIntoHeld<T>, "byname: nothing would keep what it points to; use std::string or std::vector");
  typename Convert<T>::Held held{};
  if (__builtin_expect(Convert<T>::load(from, held), 1)) return T(Convert<T>::get(held));
  return convert_slowly<T>(from, refuse);
}
template <class T>
__attribute__((always_inline)) inline T convert_to(const byname_any& from) {
  return convert_to<T>(from, throw_conversion);
}

// Whether the value is a T as it stands. An integer is no float, though parameters take it at once.
template <class T>
bool load_exactly(const byname_any& from, typename Convert<T>::Held& held) {
  if constexpr (std::floating_point<T>) {
    if (from.type_index != BYNAME_FLOAT) return false;
  }
  return Convert<T>::load(from, held);
}

template <class T>
std::optional<T> as_exactly(const byname_any& from) {
  static_assert(!PointsIntoHeld<T>, "byname: nothing would keep what it points to; use std::string or std::vector");
  typename Convert<T>::Held held{};
  if (!load_exactly<T>(from, held)) return std::nullopt;
  return T(Convert<T>::get(held));
}

}  // namespace detail

// What Any and AnyView share.
template <class Self>
class AnyMethods {
 public:
  int32_t type_index() const noexcept { return raw().type_index; }
  bool is_none() const noexcept { return raw().type_index == BYNAME_NONE; }
  // "int", "str", "list", an object's type key: as error messages say it.
  std::string_view type_name() const { return detail::from_c(byname_any_type_name(&raw())); }
  // The value as a T by the conversion table; throws TypeError, OverflowError.
  template <class T>
  T to() const {
    return detail::convert_to<T>(raw());
  }
  // The value if it is a T as it stands. For object types a borrowed pointer or nullptr, else an optional. Never
  // throws.
  template <class T>
  auto as() const {
    if constexpr (detail::ObjectType<T>) {
      return detail::object_in<T>(raw());
    } else {
      return detail::as_exactly<T>(raw());
    }
  }
  template <class T>
  bool is() const {
    typename Convert<T>::Held held{};
    return detail::load_exactly<T>(raw(), held);
  }
  // As Python's repr would show it.
  std::string print() const {
    detail::OwnedSide text;
    detail::check(byname_any_print(&raw(), &text.value));
    byname_str characters{};
    byname_any_text(&text.value, &characters);
    return std::string(detail::from_c(characters));
  }

 private:
  const byname_any& raw() const noexcept { return static_cast<const Self*>(this)->raw(); }
};

// An owning value. Copying shares objects. Equality as byname_any_equal: by value, content or identity.
class Any : public AnyMethods<Any> {
 public:
  Any() noexcept : raw_{} {}
  Any(const Any& other) noexcept : raw_(other.raw_) {
    if (raw_.type_index >= BYNAME_OBJECT) byname_object_retain(raw_.as_object);
  }
  Any(Any&& other) noexcept : raw_(std::exchange(other.raw_, byname_any{})) {}
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Any> && Convertible<T>)
  Any(T&& value) : raw_{} {  // NOLINT(google-explicit-constructor): a value is one
    Convert<std::remove_cvref_t<T>>::store(&raw_, std::forward<T>(value));
  }
  template <size_t N>
  Any(const char (&text)[N]) : Any(std::string_view(text)) {}  // NOLINT
  // Takes an owned value.
  Any(byname_any owned, Adopt) noexcept : raw_(owned) {}
  Any& operator=(Any other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Any() { byname_any_drop(&raw_); }

  const byname_any& raw() const noexcept { return raw_; }
  // For C functions that fill an `out`; only while the value is None.
  byname_any* out() noexcept { return &raw_; }
  // Gives the value away, to be dropped by hand.
  byname_any leak() noexcept { return std::exchange(raw_, byname_any{}); }
  friend bool operator==(const Any& a, const Any& b) { return byname_any_equal(&a.raw_, &b.raw_) != 0; }
  friend std::ostream& operator<<(std::ostream& stream, const Any& value) { return stream << value.print(); }

 private:
  byname_any raw_;
};

// A borrowed value: valid while what it was made of is. To keep it, copy it into an Any.
class AnyView : public AnyMethods<AnyView> {
 public:
  AnyView() noexcept : raw_{} {}
  AnyView(const Any& value) noexcept : raw_(value.raw()) {}   // NOLINT(google-explicit-constructor)
  AnyView(const byname_any& value) noexcept : raw_(value) {}  // NOLINT(google-explicit-constructor)
  const byname_any& raw() const noexcept { return raw_; }
  // An owning copy.
  Any copy() const {
    Any value;
    detail::check(byname_any_copy(&raw_, value.out()));
    return value;
  }

 private:
  byname_any raw_;
};

template <>
struct Convert<Any> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_ANY);
  using Held = Any;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, Any& to) {
    to = AnyView(from).copy();
    return true;
  }
  static Any&& get(Any& held) noexcept { return std::move(held); }
  static byname_any pack(const Any& value, Side) noexcept { return value.raw(); }
  static void store(byname_any* out, Any value) noexcept { *out = value.leak(); }
};

template <>
struct Convert<AnyView> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_ANY);
  using Held = AnyView;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, AnyView& to) noexcept {
    to = from;
    return true;
  }
  static AnyView get(AnyView held) noexcept { return held; }
  static byname_any pack(AnyView value, Side) noexcept { return value.raw(); }
  static void store(byname_any* out, AnyView value) { detail::check(byname_any_copy(&value.raw(), out)); }
};

// The arguments of a function that takes any number of them. Borrowed for the call.
class Args {
 public:
  Args(const byname_any* values, int32_t size) noexcept : values_(values), size_(size) {}
  int32_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  // No check.
  AnyView operator[](int32_t i) const noexcept { return values_[i]; }
  // Throws IndexError.
  AnyView at(int32_t i) const {
    if (i < 0 || i >= size_) detail::throw_error("IndexError", "argument index out of range");
    return values_[i];
  }
  const byname_any* data() const noexcept { return values_; }

 private:
  const byname_any* values_;
  int32_t size_;
};

}  // namespace byname

#endif  // BYNAME_ANY_H_
