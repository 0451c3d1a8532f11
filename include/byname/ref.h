// References to objects, and making objects.
#ifndef BYNAME_REF_H_
#define BYNAME_REF_H_

#include <cassert>
#include <cstddef>
#include <optional>

#include "byname/object.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

// T itself or a class derived from it.
template <class U, class T>
concept Below = std::is_convertible_v<U*, T*>;

[[noreturn]] BYNAME_COLD inline void throw_downcast(const Object* from, std::string_view to) {
  std::string message = "expected an object of type '";
  message.append(to).append("', got ");
  if (from == nullptr) {
    message.append("none");
  } else {
    message.append("'").append(from->type_key()).append("'");
  }
  throw Error("TypeError", message, nullptr, 0);
}

}  // namespace detail

// Marks a constructor that takes over a reference which the caller holds.
struct Adopt {};

// A strong reference that may be null. Costs a pointer; copying and dropping are safe from any thread.
template <class T>
class ObjectPtr {
 public:
  using element_type = T;
  ObjectPtr() noexcept = default;
  ObjectPtr(std::nullptr_t) noexcept {}
  // Shares.
  explicit ObjectPtr(T* object) noexcept : object_(object) { retain(); }
  // Takes over a reference that the caller holds.
  ObjectPtr(T* object, Adopt) noexcept : object_(object) {}
  ObjectPtr(const ObjectPtr& other) noexcept : object_(other.object_) { retain(); }
  ObjectPtr(ObjectPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <detail::Below<T> U>
  ObjectPtr(const ObjectPtr<U>& other) noexcept : object_(other.get()) {
    retain();
  }
  template <detail::Below<T> U>
  ObjectPtr(ObjectPtr<U>&& other) noexcept : object_(other.leak()) {}
  template <detail::Below<T> U>
  ObjectPtr(Ref<U> other) noexcept : object_(other.leak()) {}
  ObjectPtr& operator=(ObjectPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ObjectPtr() {
    if (object_ != nullptr) byname_object_release(object_->raw());
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  bool operator==(const ObjectPtr& other) const noexcept { return object_ == other.object_; }
  bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }
  // Gives the reference away, to be released by hand.
  T* leak() noexcept { return std::exchange(object_, nullptr); }

 private:
  void retain() const noexcept {
    if (object_ != nullptr) byname_object_retain(object_->raw());
  }
  T* object_ = nullptr;
};

// A strong reference that is never null, except after it was moved from: then it may only be assigned or destroyed.
// Converts to a reference to a base.
template <class T>
class Ref {
 public:
  using element_type = T;
  explicit Ref(T* object) noexcept : object_(object) { byname_object_retain(object->raw()); }
  Ref(T* object, Adopt) noexcept : object_(object) {}
  // Throws TypeError for a null pointer.
  explicit Ref(ObjectPtr<T> pointer) : object_(pointer.leak()) {
    if (object_ == nullptr) detail::throw_downcast(nullptr, T::kTypeKey);
  }
  Ref(const Ref& other) noexcept : object_(other.object_) { byname_object_retain(object_->raw()); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <detail::Below<T> U>
  Ref(const Ref<U>& other) noexcept : object_(other.get()) {
    byname_object_retain(object_->raw());
  }
  template <detail::Below<T> U>
  Ref(Ref<U>&& other) noexcept : object_(other.leak()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the analyser destroys members of unions
    if (object_ != nullptr) byname_object_release(object_->raw());
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  template <class U>
  bool operator==(const Ref<U>& other) const noexcept {
    return static_cast<const Object*>(object_) == static_cast<const Object*>(other.get());
  }
  template <class U>
  bool is_instance() const noexcept {
    return byname::is_instance<U>(*object_);
  }
  // The object if it is a U, else nullptr. Borrowed.
  template <class U>
  U* as() const noexcept {
    return is_instance<U>() ? static_cast<U*>(const_cast<std::remove_const_t<T>*>(object_)) : nullptr;
  }
  // The object as a U; throws TypeError if it is none.
  template <class U>
  Ref<U> to() const {
    U* object = as<U>();
    if (object == nullptr) detail::throw_downcast(object_, U::kTypeKey);
    return Ref<U>(object);
  }
  T* leak() noexcept { return std::exchange(object_, nullptr); }

 private:
  T* object_;
};

using ObjectRef = Ref<Object>;

// A reference that does not keep its object alive; lock() gives a strong one while somebody else does.
template <class T>
class WeakRef {
 public:
  WeakRef() noexcept = default;
  WeakRef(const WeakRef& other) noexcept : object_(other.object_) { retain(); }
  WeakRef(WeakRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <detail::Below<T> U>
  WeakRef(const Ref<U>& object) noexcept : object_(object.get()) {
    retain();
  }
  template <detail::Below<T> U>
  WeakRef(const ObjectPtr<U>& object) noexcept : object_(object.get()) {
    retain();
  }
  template <detail::Below<T> U>
  WeakRef(const WeakRef<U>& other) noexcept : object_(other.object_) {
    retain();
  }
  WeakRef& operator=(WeakRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~WeakRef() {
    if (object_ != nullptr) byname_object_release_weak(object_->raw());
  }
  ObjectPtr<T> lock() const noexcept {
    if (object_ == nullptr || byname_object_promote(object_->raw()) == 0) return nullptr;
    return ObjectPtr<T>(object_, Adopt());
  }
  bool expired() const noexcept { return object_ == nullptr || object_->use_count() == 0; }

 private:
  template <class U>
  friend class WeakRef;
  void retain() const noexcept {
    if (object_ != nullptr) byname_object_retain_weak(object_->raw());
  }
  T* object_ = nullptr;
};

// Makes a T from a per-thread pool. Throws what T's constructor throws, and MemoryError.
template <class T, class... Args>
Ref<T> make(Args&&... args) {
  static_assert(detail::ObjectType<T> && !std::is_same_v<T, Object>,
                "byname: make<T> makes objects; T derives from byname::Object");
  static_assert(!std::is_polymorphic_v<T>, "byname: a virtual function in an Object moves its header; box the class");
  void* memory = byname_object_allocate(detail::class_of<T>(), 0);
  if (__builtin_expect(memory == nullptr, 0)) detail::throw_raised();
  T* object;
  if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
    object = ::new (memory) T(std::forward<Args>(args)...);
  } else {
    struct Guard {
      void* memory;
      ~Guard() {
        if (memory != nullptr) byname_object_abandon(memory);
      }
    } guard{memory};
    object = ::new (memory) T(std::forward<Args>(args)...);
    guard.memory = nullptr;
  }
  byname_object_init(memory, detail::type_record<T>.info.load(std::memory_order_relaxed)->type_index);
  return Ref<T>(object, Adopt());
}

// TVM's free functions.

// A reference to an object that somebody holds.
template <class T>
Ref<T> get_ref(T* object) {
  if (object == nullptr) detail::throw_downcast(nullptr, T::kTypeKey);
  return Ref<T>(object);
}

// The object as a T, or nullptr. Borrowed.
template <class T, class U>
T* as(const Ref<U>& object) noexcept {
  return object.template as<T>();
}
template <class T, class U>
T* as(const ObjectPtr<U>& object) noexcept {
  return is_instance<T>(object.get()) ? static_cast<T*>(object.get()) : nullptr;
}

// The object as a T; TypeError with both keys if it is none.
template <class T, class U>
Ref<T> downcast(const Ref<U>& object) {
  return object.template to<T>();
}
template <class T, class U>
Ref<T> downcast(const ObjectPtr<U>& object) {
  T* result = byname::as<T>(object);
  if (result == nullptr) detail::throw_downcast(object.get(), T::kTypeKey);
  return Ref<T>(result);
}

}  // namespace byname

#endif  // BYNAME_REF_H_
