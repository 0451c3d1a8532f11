#include "base/hazard.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/thread.h"

namespace byname::core {
namespace {

#ifdef BYNAME_TSAN
// ThreadSanitizer does not know membarrier; its readers use sequentially consistent operations instead.
bool fence_all_threads() { return true; }
#else
int membarrier(int command) { return static_cast<int>(syscall(SYS_membarrier, command, 0, 0)); }

// From the start: then it is quick, and no child finds it half done.
const bool is_registered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

bool fence_all_threads() { return is_registered && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0; }
#endif

void collect_hazards(void* context, Local* local) {
  auto& out = *static_cast<std::vector<const byname_function*>*>(context);
  byname_thread* thread = local->thread;
  byname_function** top = __atomic_load_n(&thread->top, __ATOMIC_SEQ_CST);
  for (byname_function** slot = thread->hazards; slot < top; ++slot) {
    out.push_back(__atomic_load_n(slot, __ATOMIC_SEQ_CST));
  }
  // The spare slot protects for a moment wherever the top is.
  out.push_back(__atomic_load_n(&thread->hazards[BYNAME_NUM_HAZARDS - 1], __ATOMIC_SEQ_CST));
}

}  // namespace

bool is_single_threaded() {
  struct Others {
    bool any = false;
  } others;
  for_each_thread(
      [](void* context, Local* local) {
        if (local->thread != &byname_this_thread) static_cast<Others*>(context)->any = true;
      },
      &others);
  return !others.any;
}

bool protected_cells(std::vector<const byname_function*>& out) {
  out.clear();
  if (!is_single_threaded() && !fence_all_threads()) return false;
  for_each_thread(collect_hazards, &out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return true;
}

}  // namespace byname::core
