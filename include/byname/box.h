// Boxed classes: C++ classes that are no byname Objects, registered as they are (Library::type).
//
// As a parameter such a class is borrowed (T&, const T&, T*; by value it is copied), or shared (Boxed<T>,
// shared_ptr<T>); as a result it is owned: T by value, unique_ptr and shared_ptr move into a box. A class must be
// registered before a function that takes or gives it is; its C++ bases, if they are declared, are what it converts to.
#ifndef BYNAME_BOX_H_
#define BYNAME_BOX_H_

#include <memory>
#include <typeinfo>

#include "byname/function.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

template <class T>
concept BoxedClass = std::is_class_v<T> && !ObjectType<T> && !Registrable<T> && !std::is_same_v<T, Args>;

// The index that this module knows a class by.
template <class T>
inline constinit std::atomic<int32_t> box_index{0};

template <class T>
int32_t find_box_index() {
  int32_t index = box_index<T>.load(std::memory_order_acquire);
  if (__builtin_expect(index == 0, 0)) {
    index = byname_box_find(&typeid(T));
    if (index != 0) box_index<T>.store(index, std::memory_order_release);
  }
  return index;
}

template <class T>
int32_t need_box_index() {
  int32_t index = find_box_index<T>();
  if (__builtin_expect(index == 0, 0)) {
    byname_box_get(&typeid(T));
    throw_raised();
  }
  return index;
}

// A box whose object is held by an Owner: T itself, a class derived from it, unique_ptr<T>, shared_ptr<T>.
template <class T, class Owner>
struct BoxOf {
  byname_box box;
  Owner owner;
};

template <class T, class Owner>
byname_class* box_class(int32_t index) {
  static std::atomic<byname_class*> known{nullptr};
  byname_class* owner = known.load(std::memory_order_acquire);
  if (__builtin_expect(owner != nullptr, 1)) return owner;
  static_assert(std::is_nothrow_destructible_v<T> && std::is_nothrow_destructible_v<Owner>,
                "byname: the destructor of a boxed class must be noexcept");
  using Box = BoxOf<T, Owner>;
  byname_class_decl decl = {sizeof(byname_class_decl), index, sizeof(Box), alignof(Box), nullptr, &this_dso};
  decl.destroy = [](void* object) { static_cast<Box*>(object)->owner.~Owner(); };
  check(byname_class_register(&decl, &owner));
  known.store(owner, std::memory_order_release);
  return owner;
}

template <class T, class Owner, class... A>
void emplace_box(byname_any* out, A&&... arguments) {
  using Box = BoxOf<T, Owner>;
  int32_t index = need_box_index<T>();
  void* memory = byname_object_allocate(box_class<T, Owner>(index), 0);
  if (__builtin_expect(memory == nullptr, 0)) throw_raised();
  auto* box = static_cast<Box*>(memory);
  try {
    ::new (&box->owner) Owner(std::forward<A>(arguments)...);
  } catch (...) {
    byname_object_abandon(memory);
    throw;
  }
  if constexpr (std::is_base_of_v<T, Owner>) {
    box->box.pointer = static_cast<std::remove_const_t<T>*>(&box->owner);
  } else {
    box->box.pointer = const_cast<std::remove_const_t<T>*>(box->owner.get());
  }
  byname_object_init(memory, index);
  *out = {index, 0, {0}};
  out->as_object = &box->box.header;
}

template <class T, class Owner>
void store_box(byname_any* out, Owner&& value) {
  emplace_box<T, std::remove_cvref_t<Owner>>(out, std::forward<Owner>(value));
}

template <class T>
T* load_box(const byname_any& from) {
  if (from.type_index < BYNAME_FIRST_DYNAMIC) return nullptr;
  int32_t index = find_box_index<T>();
  if (__builtin_expect(from.type_index == index, 1)) {
    return static_cast<T*>(reinterpret_cast<byname_box*>(from.as_object)->pointer);
  }
  return index == 0 ? nullptr : static_cast<T*>(byname_box_cast(from.as_object, index));
}

template <class T>
constexpr byname_type box_node() {
  return {BYNAME_KIND_OBJECT, 0, 0, 0, 0, -1, nullptr, {nullptr, 0}, nullptr, nullptr, &typeid(T)};
}

}  // namespace detail

// A share in a boxed object, whatever its box holds it by: as std::shared_ptr, which it converts to, but the count is
// the box's own. Never null, except after it was moved from: then it may only be assigned or destroyed. Converts to one
// of a base.
template <class T>
class Boxed {
 public:
  using element_type = T;
  // Takes over a reference to the box, which the object is in.
  Boxed(T* object, byname_object* box, Adopt) noexcept : object_(object), box_(box) {}
  Boxed(const Boxed& other) noexcept : object_(other.object_), box_(other.box_) { byname_object_retain(box_); }
  Boxed(Boxed&& other) noexcept : object_(other.object_), box_(std::exchange(other.box_, nullptr)) {}
  template <detail::Below<T> U>
  Boxed(Boxed<U> other) noexcept : object_(other.get()), box_(other.leak()) {}
  Boxed& operator=(Boxed other) noexcept {
    std::swap(object_, other.object_);
    std::swap(box_, other.box_);
    return *this;
  }
  ~Boxed() {
    if (box_ != nullptr) byname_object_release(box_);
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  bool operator==(const Boxed& other) const noexcept { return object_ == other.object_; }
  operator std::shared_ptr<T>() const& { return Boxed(*this); }  // NOLINT(google-explicit-constructor)
  operator std::shared_ptr<T>() && {                             // NOLINT(google-explicit-constructor)
    T* object = object_;
    return std::shared_ptr<T>(object, [box = std::move(*this)](T*) {});
  }
  byname_object* box() const noexcept { return box_; }
  // Gives the reference to the box away, to be released by hand.
  byname_object* leak() noexcept { return std::exchange(box_, nullptr); }

 private:
  T* object_;
  byname_object* box_;
};

template <class T>
  requires detail::BoxedClass<T>
struct Convert<T> : detail::PackedByStore<T> {
  static constexpr bool kCopiesReferences = true;
  // Its key is filled in when a function with such a parameter is registered.
  static inline constinit byname_type kType = detail::box_node<T>();
  using Held = T*;
  static bool load(const byname_any& from, T*& to) {
    to = detail::load_box<T>(from);
    return to != nullptr;
  }
  static T& get(T* held) noexcept { return *held; }
  static void store(byname_any* out, T value) { detail::store_box<T>(out, std::move(value)); }
};

// None is a null pointer. No result type: who would own it is not said.
template <class T>
  requires detail::BoxedClass<std::remove_const_t<T>>
struct Convert<T*> {
  static constexpr byname_type kType = detail::compound_type<std::remove_const_t<T>>(BYNAME_KIND_OPTIONAL);
  using Held = T*;
  static bool load(const byname_any& from, T*& to) {
    to = detail::load_box<std::remove_const_t<T>>(from);
    return to != nullptr || from.type_index == BYNAME_NONE;
  }
  static T* get(T* held) noexcept { return held; }
};

template <class T>
  requires detail::BoxedClass<T>
struct Convert<std::unique_ptr<T>> {
  static constexpr const byname_type& kType = Convert<T>::kType;
  static void store(byname_any* out, std::unique_ptr<T> value) {
    if (value == nullptr) detail::throw_error("ValueError", "a null unique_ptr has no value (return an optional)");
    detail::store_box<T>(out, std::move(value));
  }
};

template <class T>
  requires detail::BoxedClass<T>
struct Convert<Boxed<T>> : detail::HeldByValue<std::optional<Boxed<T>>> {
  static constexpr const byname_type& kType = Convert<T>::kType;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, std::optional<Boxed<T>>& to) {
    T* object = detail::load_box<T>(from);
    if (object == nullptr) return false;
    byname_object_retain(from.as_object);
    to.emplace(object, from.as_object, Adopt());
    return true;
  }
  static Boxed<T>&& get(std::optional<Boxed<T>>& held) noexcept { return std::move(*held); }
  static byname_any pack(const Boxed<T>& value, Side) noexcept { return detail::any_object(value.box()); }
  static void store(byname_any* out, Boxed<T> value) noexcept {
    *out = pack(value, detail::NoSide());
    value.leak();
  }
};

template <class T>
  requires detail::BoxedClass<T>
struct Convert<std::shared_ptr<T>> : detail::HeldByValue<std::shared_ptr<T>>,
                                     detail::PackedByStore<std::shared_ptr<T>> {
  static constexpr const byname_type& kType = Convert<T>::kType;
  static bool load(const byname_any& from, std::shared_ptr<T>& to) {
    std::optional<Boxed<T>> boxed;
    if (!Convert<Boxed<T>>::load(from, boxed)) return false;
    to = std::move(*boxed);
    return true;
  }
  static void store(byname_any* out, std::shared_ptr<T> value) {
    if (value == nullptr) detail::throw_error("ValueError", "a null shared_ptr has no value (return an optional)");
    detail::store_box<T>(out, std::move(value));
  }
};

}  // namespace byname

#endif  // BYNAME_BOX_H_
