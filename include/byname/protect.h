// Calling a registered function safe from its removal: what handles and the core share.
#ifndef BYNAME_PROTECT_H_
#define BYNAME_PROTECT_H_

#include "byname/c_api.h"
#include "byname/macros.h"

namespace byname {
namespace detail BYNAME_HIDDEN {

// Keeps what is registered under an entry, if anything is, from being freed.
class Protected {
 public:
  explicit Protected(const byname_entry* entry) noexcept : guard_(byname_protect(entry)) {}
  Protected(const Protected&) = delete;
  Protected& operator=(const Protected&) = delete;
  ~Protected() {
    if (guard_.cell != nullptr) byname_unprotect(guard_);
  }
  byname_function* cell() const noexcept { return guard_.cell; }

 private:
  byname_guard guard_;
};

// The same for a guard of byname_protect_usual.
class Unprotect {
 public:
  explicit Unprotect(byname_guard guard) noexcept : guard_(guard) {}
  Unprotect(const Unprotect&) = delete;
  Unprotect& operator=(const Unprotect&) = delete;
  ~Unprotect() { byname_unprotect_usual(guard_); }

 private:
  byname_guard guard_;
};

BYNAME_COLD inline int call_protected_slow(const byname_entry* entry, const byname_any* arguments,
                                           int32_t num_arguments, byname_any* result) {
  Protected protector(entry);
  byname_function* cell = protector.cell();
  if (cell == nullptr) return byname_entry_raise_removed(entry);
  return cell->safe_call(cell, arguments, num_arguments, result);
}

// In a catch block of a call: ends its protection. It needs no more than the slot, so that the fast path need not keep
// anything else.
BYNAME_COLD inline void raise_through_protected(byname_function** slot) {
  Unprotect unprotect({*slot, slot, &byname_this_thread});
  byname_error_raise_through(*slot);
}

// The packed call. Exceptions become errors. Inlined to the last: out of line it costs as much again as a bare call.
__attribute__((always_inline)) inline int call_protected(const byname_entry* entry, const byname_any* arguments,
                                                         int32_t num_arguments, byname_any* result) {
  byname_guard guard = byname_protect_usual(entry);
  if (__builtin_expect(guard.cell == nullptr, 0)) return call_protected_slow(entry, arguments, num_arguments, result);
  // A wrong number is rare, and for safe_call. -1 is an arity, but no number.
  if (__builtin_expect(guard.cell->arity != num_arguments || num_arguments < 0, 0)) {
    byname_unprotect_usual(guard);
    return call_protected_slow(entry, arguments, num_arguments, result);
  }
  int status = 0;
  try {
    status = guard.cell->thunk(guard.cell, arguments, num_arguments, result);
  } catch (...) {
    raise_through_protected(guard.slot);
    return -1;
  }
  byname_unprotect_usual(guard);
  return status;
}

}  // namespace detail
}  // namespace byname

#endif  // BYNAME_PROTECT_H_
