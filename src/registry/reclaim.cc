#include "registry/reclaim.h"

#include <algorithm>
#include <new>
#include <vector>

#include "base/fork.h"
#include "base/hazard.h"

namespace byname::core {

void Retired::push(Cells&& cells) noexcept {
  if (cells.empty()) return;
  std::lock_guard lock(mutex_);
  cells_.splice(cells_.end(), cells);
}

Retired::Retired() { unlock_in_children(mutex_); }

bool Retired::is_worth_it() {
  size_t size = 0;
  {
    std::lock_guard lock(mutex_);
    size = cells_.size();
  }
  return size >= kBatch || (size > 0 && is_single_threaded());
}

void Retired::reclaim(bool force) {
  if (!force && !is_worth_it()) return;
  Cells taken;
  {
    std::lock_guard lock(mutex_);
    taken.swap(cells_);
  }
  if (taken.empty()) return;
  std::vector<const byname_function*> in_use;
  bool known = false;
  try {
    known = protected_cells(in_use);
  } catch (const std::bad_alloc&) {
    push(std::move(taken));
    if (force) throw;
    return;  // there will be another turn
  }
  Cells used;
  for (auto cell = taken.begin(); cell != taken.end();) {
    auto here = cell++;
    bool is_free = known && !std::binary_search(in_use.begin(), in_use.end(), here->function.get());
    if (!is_free) used.splice(used.end(), taken, here);
  }
  push(std::move(used));
  // Here the free ones are dropped, without the lock.
}

}  // namespace byname::core
