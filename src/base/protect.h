// Using a cell of an entry from inside the core.
#ifndef BYNAME_BASE_PROTECT_H_
#define BYNAME_BASE_PROTECT_H_

#include "byname/c_api.h"

namespace byname::core {

// The slow parts of byname_protect and byname_unprotect: a thread that is not known yet, that is inside of more cells than
// it has slots (then the cell is held by its count), or that is at its end.
byname_function* protect_slow(const byname_entry* entry);
void unprotect_slow();

class Protected {
 public:
  explicit Protected(const byname_entry* entry) : cell_(byname_protect(entry)) {}
  Protected(const Protected&) = delete;
  Protected& operator=(const Protected&) = delete;
  ~Protected() {
    if (cell_ != nullptr) byname_unprotect();
  }
  byname_function* get() const { return cell_; }

 private:
  byname_function* cell_;
};

}  // namespace byname::core

#endif  // BYNAME_BASE_PROTECT_H_
