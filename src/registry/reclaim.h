// Cells that lost their name, until no call is inside them any more.
#ifndef BYNAME_REGISTRY_RECLAIM_H_
#define BYNAME_REGISTRY_RECLAIM_H_

#include <mutex>
#include <vector>

#include "function/cell.h"

namespace byname::core {

// There is one, which is never destroyed.
class Retired {
 public:
  Retired();
  // Takes the name's reference. Cheap, calls nothing.
  void push(FunctionRef cell);
  // Drops the references to cells that nobody is inside of, if enough have gathered, or (force) in any case. Runs
  // destructors of closures; the registry's mutex must not be held.
  void reclaim(bool force);

 private:
  // One membarrier serves so many removals; a process with one thread needs none and reclaims at once.
  static constexpr size_t kBatch = 64;
  bool is_worth_it();
  std::mutex mutex_;  // guards cells_
  std::vector<FunctionRef> cells_;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_RECLAIM_H_
