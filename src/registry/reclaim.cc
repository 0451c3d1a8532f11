#include "registry/reclaim.h"

#include <algorithm>

#include "base/fork.h"
#include "base/hazard.h"

namespace byname::core {

void Retired::push(FunctionRef cell) {
  std::lock_guard lock(mutex_);
  cells_.push_back(std::move(cell));
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
  std::vector<FunctionRef> taken;
  {
    std::lock_guard lock(mutex_);
    taken.swap(cells_);
  }
  if (taken.empty()) return;
  std::vector<const byname_function*> in_use;
  const bool known = protected_cells(in_use);
  auto is_free = [&](const FunctionRef& cell) {
    return known && !std::binary_search(in_use.begin(), in_use.end(), cell.get());
  };
  auto used = std::partition(taken.begin(), taken.end(), is_free);
  if (used != taken.end()) {
    std::lock_guard lock(mutex_);
    std::move(used, taken.end(), std::back_inserter(cells_));
  }
  taken.erase(used, taken.end());
  // Here the free ones are dropped, without the lock.
}

}  // namespace byname::core
