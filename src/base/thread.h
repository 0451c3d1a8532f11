// What the core knows of each thread: its exported record, and a record of its own that later layers hang theirs on.
#ifndef BYNAME_BASE_THREAD_H_
#define BYNAME_BASE_THREAD_H_

#include <cstddef>
#include <vector>

#include "byname/c_api.h"

namespace byname::core {

// The layers that keep something for each thread.
enum class LocalSlot { kObjects, kFunctions, kCount };

// One for each thread that ever called into the core; freed when the thread ends.
struct Local {
  byname_thread* thread;
  // Owned by the layers; given to their exit hook when the thread ends.
  void* slots[static_cast<size_t>(LocalSlot::kCount)];
};

// Makes the calling thread known: after this its hazards are scanned. NULL when the thread is so far into its end that
// it cannot be known any more; it then has no hazards and no slots.
Local* enter_thread();

// The calling thread's record, or NULL as above.
inline Local* this_local() {
  void* local = byname_this_thread.local;
  return __builtin_expect(local != nullptr, 1) ? static_cast<Local*>(local) : enter_thread();
}

// Called on a thread that ends, for a slot that is not NULL. One hook for each slot, set once, before any slot is used.
// The hook runs while the thread may still make and drop objects; what it frees must not be used again by that thread
// unless the slot was filled anew, which is then given to the hook once more.
using ExitHook = void (*)(void* slot);
void set_exit_hook(LocalSlot slot, ExitHook hook);

// Calls `visit` for every known thread, the list locked: threads neither begin nor end meanwhile.
using LocalVisitor = void (*)(void* context, Local* local);
void for_each_thread(LocalVisitor visit, void* context);

}  // namespace byname::core

#endif  // BYNAME_BASE_THREAD_H_
