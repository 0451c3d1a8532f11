// Using a cell of an entry from inside the core.
#ifndef BYNAME_BASE_PROTECT_H_
#define BYNAME_BASE_PROTECT_H_

#include "byname/c_api.h"

namespace byname::core {

// The slow parts of byname_protect and byname_unprotect: a thread that is not known yet, that is inside of more cells than
// it has slots (then the cell is held by its count), or that is at its end.
byname_guard protect_slow(const byname_entry* entry);
void unprotect_slow(byname_guard guard);

class Protected {
 public:
  explicit Protected(const byname_entry* entry) : guard_(byname_protect(entry)) {}
  Protected(const Protected&) = delete;
  Protected& operator=(const Protected&) = delete;
  ~Protected() {
    if (guard_.cell != nullptr) byname_unprotect(guard_);
  }
  byname_function* get() const { return guard_.cell; }

 private:
  byname_guard guard_;
};

}  // namespace byname::core

#endif  // BYNAME_BASE_PROTECT_H_
