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

// The packed call: exceptions become errors.
inline int call_protected(const byname_entry* entry, const byname_any* arguments, int32_t num_arguments,
                          byname_any* result) {
  Protected protector(entry);
  byname_function* cell = protector.cell();
  if (__builtin_expect(cell == nullptr, 0)) return byname_entry_raise_removed(entry);
  if (__builtin_expect(cell->arity != num_arguments, 0)) return cell->safe_call(cell, arguments, num_arguments, result);
  try {
    return cell->thunk(cell, arguments, num_arguments, result);
  } catch (...) {
    return byname_error_raise_through(cell);
  }
}

}  // namespace detail
}  // namespace byname

#endif  // BYNAME_PROTECT_H_
