#include "base/protect.h"

#include <new>

#include "base/thread.h"

namespace byname::core {
namespace {

// Cells that a thread holds by their counts, the newest first.
struct Held {
  byname_function* cell;
  Held* next;
};

// A reference to the entry's cell, taken while the spare slot protects it; NULL if nothing is registered.
byname_function* retain_cell(const byname_entry* entry) {
  byname_function*& spare = byname_this_thread.hazards[BYNAME_NUM_HAZARDS - 1];
  byname_function* cell = __atomic_load_n(&entry->cell, __ATOMIC_SEQ_CST);
  while (cell != nullptr) {
    __atomic_store_n(&spare, cell, __ATOMIC_SEQ_CST);
    byname_function* again = __atomic_load_n(&entry->cell, __ATOMIC_SEQ_CST);
    if (again == cell) break;
    cell = again;
  }
  if (cell != nullptr) byname_object_retain(&cell->header);
  __atomic_store_n(&spare, nullptr, __ATOMIC_RELEASE);
  return cell;
}

}  // namespace

byname_guard protect_slow(const byname_entry* entry) {
  byname_thread& thread = byname_this_thread;
  const byname_guard nothing = {nullptr, nullptr, &thread};
  // A thread that can't be known any more (destructors behind the core's own at its end) has no slot that a remover
  // would see.
  if (thread.limit == nullptr && enter_thread() == nullptr) return nothing;
  while (thread.top < thread.limit && __atomic_load_n(&entry->cell, __ATOMIC_ACQUIRE) != nullptr) {
    byname_guard guard = byname_protect_usual(entry);
    if (guard.cell != nullptr) return guard;
  }
  if (thread.top < thread.limit) return nothing;
  auto* held = new (std::nothrow) Held{};
  if (held == nullptr) return nothing;
  held->cell = retain_cell(entry);
  if (held->cell == nullptr) {
    delete held;
    return nothing;
  }
  void*& list = this_local()->slots[static_cast<size_t>(LocalSlot::kFunctions)];
  held->next = static_cast<Held*>(list);
  list = held;
  return {held->cell, thread.limit, &thread};
}

void unprotect_slow() {
  void*& list = this_local()->slots[static_cast<size_t>(LocalSlot::kFunctions)];
  auto* held = static_cast<Held*>(list);
  list = held->next;
  byname_object_release(&held->cell->header);
  delete held;
}

}  // namespace byname::core
