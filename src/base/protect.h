// The slow parts of calling a registered function safe from its removal.
#ifndef BYNAME_BASE_PROTECT_H_
#define BYNAME_BASE_PROTECT_H_

#include "byname/c_api.h"

namespace byname::core {

// Of byname_protect and byname_unprotect: for a thread that is not known yet, that is inside of more cells than
// it has slots (then the cell is held by its count), or that is at its end.
byname_guard protect_slow(const byname_entry* entry);
void unprotect_slow();

}  // namespace byname::core

#endif  // BYNAME_BASE_PROTECT_H_
