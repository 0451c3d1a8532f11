// Handles: calling what is registered under a name.
#ifndef BYNAME_HANDLE_H_
#define BYNAME_HANDLE_H_

#include "byname/function.h"
#include "byname/protect.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_through_protected(byname_function** slot) {
  raise_through_protected(slot);
  throw_raised();
}

}  // namespace detail

// A name that something is registered under. It follows re-registration, pins nothing and never dangles: once its
// function is removed, calls raise NotFound until the name is registered again. Trivially copyable; a pointer.
class Handle : public CallOperator<Handle> {
 public:
  explicit Handle(byname_entry* entry) noexcept : entry_(entry) {}
  std::string_view name() const noexcept { return {entry_->name, entry_->name_size}; }
  // Whether something is registered now.
  explicit operator bool() const noexcept { return __atomic_load_n(&entry_->cell, __ATOMIC_ACQUIRE) != nullptr; }
  // The function that is registered now, as an owned value. Throws NotFound.
  Function pin() const {
    Any function;
    detail::check(byname_entry_pin(entry_, function.out()));
    return Function(function.leak(), Adopt());
  }
  std::string schema() const { return pin().schema(); }
  std::string doc() const { return pin().doc(); }
  friend bool operator==(Handle a, Handle b) noexcept { return a.entry_ == b.entry_; }

  __attribute__((always_inline)) int call(const byname_any* arguments, int32_t num_arguments,
                                          byname_any* result) const {
    return detail::call_protected(entry_, arguments, num_arguments, result);
  }
  int call_named(const byname_any* arguments, int32_t num_arguments, const byname_str* names, int32_t num_names,
                 byname_any* result) const {
    return byname_call_named(entry_, arguments, num_arguments, names, num_names, result);
  }
  byname_entry* raw() const noexcept { return entry_; }

 private:
  byname_entry* entry_;
};

// A handle with a C++ signature: a direct call, without packing, while the registered function has the very same one
// (compared on every call), else a packed one.
template <class Signature>
class TypedHandle;

template <class R, class... P>
class TypedHandle<R(P...)> {
 public:
  explicit TypedHandle(Handle handle) : handle_(handle), id_(byname_signature_id(&Signature::record)) {
    // No function's id is this, so that one comparison tells.
    if (id_ == nullptr) id_ = &Signature::record;
  }

  __attribute__((always_inline)) R operator()(P... arguments) const {
    byname_guard guard = byname_protect_usual(handle_.raw());
    if (__builtin_expect(guard.cell != nullptr, 1)) {
      detail::Unprotect unprotect(guard);
      if (__builtin_expect(guard.cell->signature_id == id_, 1)) {
        try {
          return reinterpret_cast<R (*)(void*, P...)>(guard.cell->direct)(guard.cell, std::forward<P>(arguments)...);
        } catch (...) {
          detail::throw_through_protected(guard.slot);
        }
      }
    }
    return call_packed(std::forward<P>(arguments)...);
  }
  Handle handle() const noexcept { return handle_; }

 private:
  using Signature = detail::Signature<R, P...>;
  BYNAME_COLD R call_packed(P... arguments) const {
    if constexpr (std::is_void_v<R>) {
      handle_(std::forward<P>(arguments)...);
    } else {
      Any result = handle_(std::forward<P>(arguments)...);
      return detail::convert_result<R>(result.raw(), handle_);
    }
  }
  Handle handle_;
  const void* id_;
};

// The handle of a registered name. Throws NotFound, which tells near names.
inline Handle get(std::string_view name) {
  byname_entry* entry = byname_get(detail::to_c(name));
  if (__builtin_expect(entry == nullptr, 0)) detail::throw_raised();
  return Handle(entry);
}
template <class Signature>
TypedHandle<Signature> get(std::string_view name) {
  return TypedHandle<Signature>(get(name));
}

// The same, or nothing.
inline std::optional<Handle> find(std::string_view name) {
  byname_entry* entry = byname_find(detail::to_c(name));
  if (entry == nullptr) return std::nullopt;
  return Handle(entry);
}

}  // namespace byname

#endif  // BYNAME_HANDLE_H_
