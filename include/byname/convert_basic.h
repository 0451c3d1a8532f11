// Conversions of numbers, enums, pointers and object references.
#ifndef BYNAME_CONVERT_BASIC_H_
#define BYNAME_CONVERT_BASIC_H_

#include <cmath>
#include <complex>

#include "byname/convert.h"

namespace byname {

template <detail::Integer T>
struct Convert<T> : detail::HeldByValue<T> {
  static constexpr byname_type kType =
      detail::simple_type(BYNAME_KIND_INT, 8 * sizeof(T), !std::numeric_limits<T>::is_signed);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, T& to) noexcept {
    to = static_cast<T>(from.as_int);
    if constexpr (sizeof(T) < 8) {
      return from.type_index == BYNAME_INT && to == from.as_int;
    } else if constexpr (std::numeric_limits<T>::is_signed) {
      return from.type_index == BYNAME_INT;
    } else {
      return (from.type_index == BYNAME_INT && from.as_int >= 0) || from.type_index == BYNAME_UINT;
    }
  }
  static byname_any pack(T value, Side) noexcept {
    byname_any any = detail::any_int(static_cast<int64_t>(value));
    if constexpr (sizeof(T) == 8 && !std::numeric_limits<T>::is_signed) {
      if (any.as_int < 0) any.type_index = BYNAME_UINT;
    }
    return any;
  }
  static void store(byname_any* out, T value) noexcept { *out = pack(value, {}); }
};

template <>
struct Convert<bool> : detail::HeldByValue<bool> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_BOOL);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, bool& to) noexcept {
    to = from.as_int != 0;
    return from.type_index == BYNAME_BOOL;
  }
  static byname_any pack(bool value, Side) noexcept { return {BYNAME_BOOL, 0, {value ? 1 : 0}}; }
  static void store(byname_any* out, bool value) noexcept { *out = pack(value, {}); }
};

template <std::floating_point T>
struct Convert<T> : detail::HeldByValue<T> {
  static_assert(sizeof(T) <= 8, "byname: long double has no portable form; use double");
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_FLOAT, 8 * sizeof(T));
  using Side = detail::NoSide;
  // Takes integers, too: `f(2)` is too common a call for the slow path.
  static bool load(const byname_any& from, T& to) noexcept {
    if (from.type_index == BYNAME_FLOAT) {
      to = static_cast<T>(from.as_float);
      // A float that overflows is an error, not an infinity.
      return sizeof(T) == 8 || std::isfinite(to) || !std::isfinite(from.as_float);
    }
    to = static_cast<T>(from.as_int);
    return from.type_index == BYNAME_INT;
  }
  static byname_any pack(T value, Side) noexcept {
    byname_any any{BYNAME_FLOAT, 0, {0}};
    any.as_float = static_cast<double>(value);
    return any;
  }
  static void store(byname_any* out, T value) noexcept { *out = pack(value, {}); }
};

template <class T>
struct Convert<std::complex<T>> : detail::HeldByValue<std::complex<T>>, detail::PackedByStore<std::complex<T>> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_COMPLEX);
  // Throws OverflowError; there is one complex type in the schema language, so the core cannot.
  static bool load(const byname_any& from, std::complex<T>& to) {
    if (from.type_index != BYNAME_COMPLEX) return false;
    const auto* value = reinterpret_cast<const byname_complex*>(from.as_object);
    to = std::complex<T>(static_cast<T>(value->real), static_cast<T>(value->imag));
    bool overflows = (std::isfinite(value->real) && !std::isfinite(to.real())) ||
                     (std::isfinite(value->imag) && !std::isfinite(to.imag()));
    if (overflows) detail::throw_error("OverflowError", "a complex number beyond the range of complex64");
    return true;
  }
  static void store(byname_any* out, const std::complex<T>& value) {
    detail::check(byname_complex_new(static_cast<double>(value.real()), static_cast<double>(value.imag()), out));
  }
};

// Enums travel as their underlying integers.
template <class T>
  requires std::is_enum_v<T>
struct Convert<T> : ConvertVia<T, std::underlying_type_t<T>> {
  static std::underlying_type_t<T> to(T value) noexcept { return static_cast<std::underlying_type_t<T>>(value); }
  static T from(std::underlying_type_t<T> value) noexcept { return static_cast<T>(value); }
};

template <>
struct Convert<std::nullptr_t> : detail::HeldByValue<std::nullptr_t> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_NONE);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, std::nullptr_t& to) noexcept {
    to = nullptr;
    return from.type_index == BYNAME_NONE;
  }
  static byname_any pack(std::nullptr_t, Side) noexcept { return detail::any_none(); }
  static void store(byname_any* out, std::nullptr_t) noexcept { *out = detail::any_none(); }
};

// An address that nobody follows; None is NULL.
template <>
struct Convert<void*> : detail::HeldByValue<void*> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_POINTER);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, void*& to) noexcept {
    to = from.type_index == BYNAME_POINTER ? from.as_pointer : nullptr;
    return from.type_index == BYNAME_POINTER || from.type_index == BYNAME_NONE;
  }
  static byname_any pack(void* value, Side) noexcept {
    byname_any any = detail::any_none();
    if (value != nullptr) {
      any.type_index = BYNAME_POINTER;
      any.as_pointer = value;
    }
    return any;
  }
  static void store(byname_any* out, void* value) noexcept { *out = pack(value, {}); }
};

namespace detail BYNAME_HIDDEN {

template <class T>
constexpr byname_type object_type() {
  if constexpr (std::is_same_v<T, Object>) {
    return object_node("");
  } else {
    return object_node(T::kTypeKey);
  }
}

inline byname_any any_object(byname_object* object) noexcept {
  byname_any any{object->type_index, 0, {0}};
  any.as_object = object;
  return any;
}

// Text is none: short text has no object behind it.
template <class T>
T* object_in(const byname_any& from) {
  if (from.type_index < BYNAME_OBJECT) return nullptr;
  if constexpr (std::is_same_v<std::remove_const_t<T>, Object>) {
    if (from.type_index == BYNAME_STR || from.type_index == BYNAME_BYTES) return nullptr;
  }
  auto* object = reinterpret_cast<Object*>(from.as_object);
  return is_instance<T>(object) ? static_cast<T*>(object) : nullptr;
}

}  // namespace detail

template <class T>
struct Convert<Ref<T>> : detail::HeldByBorrow<Ref<T>> {
  static constexpr byname_type kType = detail::object_type<T>();
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<Ref<T>>& to) {
    T* object = detail::object_in<std::remove_const_t<T>>(from);
    to.set(object);
    return object != nullptr;
  }
  static byname_any pack(const Ref<T>& value, Side) noexcept { return detail::any_object(value->raw()); }
  static void store(byname_any* out, Ref<T> value) noexcept {
    *out = detail::any_object(value->raw());
    value.leak();
  }
};

template <class T>
struct Convert<ObjectPtr<T>> : detail::HeldByBorrow<ObjectPtr<T>> {
  static constexpr byname_type kType = detail::compound_type<Ref<T>>(BYNAME_KIND_OPTIONAL);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<ObjectPtr<T>>& to) {
    T* object = detail::object_in<std::remove_const_t<T>>(from);
    to.set(object);
    return object != nullptr || from.type_index == BYNAME_NONE;
  }
  static byname_any pack(const ObjectPtr<T>& value, Side) noexcept {
    return value ? detail::any_object(value->raw()) : detail::any_none();
  }
  static void store(byname_any* out, ObjectPtr<T> value) noexcept {
    *out = pack(value, {});
    value.leak();
  }
};

// Parameters that borrow an object for the call: T&, const T&.
template <detail::ObjectType T>
struct Convert<T> {
  static constexpr byname_type kType = detail::object_type<T>();
  using Held = T*;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, T*& to) {
    to = detail::object_in<T>(from);
    return to != nullptr;
  }
  static T& get(T* held) noexcept { return *held; }
  static byname_any pack(const T& value, Side) noexcept { return detail::any_object(value.raw()); }
};

// T*, const T*: None is a null pointer.
template <class T>
  requires detail::ObjectType<T>
struct Convert<T*> {
  static constexpr byname_type kType = detail::compound_type<Ref<std::remove_const_t<T>>>(BYNAME_KIND_OPTIONAL);
  using Held = T*;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, T*& to) {
    to = detail::object_in<std::remove_const_t<T>>(from);
    return to != nullptr || from.type_index == BYNAME_NONE;
  }
  static T* get(T* held) noexcept { return held; }
  static byname_any pack(T* value, Side) noexcept {
    return value != nullptr ? detail::any_object(value->raw()) : detail::any_none();
  }
  static void store(byname_any* out, T* value) noexcept {
    *out = pack(value, {});
    if (value != nullptr) byname_object_retain(value->raw());
  }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_BASIC_H_
