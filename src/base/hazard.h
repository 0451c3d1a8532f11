// Safe reclamation: which function cells threads are inside of.
//
// A caller stores the cell it is about to use into a hazard slot of its thread and then looks again whether the entry
// still holds it (byname_protect). Whoever removed a cell from its entry frees it only when no slot has it. The fence
// that this needs between store and look is paid by the remover, with one membarrier for a whole batch.
#ifndef BYNAME_BASE_HAZARD_H_
#define BYNAME_BASE_HAZARD_H_

#include <vector>

#include "byname/c_api.h"

namespace byname::core {

// Fills `out`, sorted, with the cells that some thread protects. Every cell that was unreachable before the call and is
// not in `out` is used by nobody. False where the kernel has no membarrier: then nothing may be freed.
bool protected_cells(std::vector<const byname_function*>& out);

// Whether the calling thread is the only one that ever called into the core and still lives.
bool is_single_threaded();

}  // namespace byname::core

#endif  // BYNAME_BASE_HAZARD_H_
