// Cells that lost their name, until no call is inside them any more.
#ifndef BYNAME_REGISTRY_RECLAIM_H_
#define BYNAME_REGISTRY_RECLAIM_H_

#include <list>
#include <mutex>

#include "function/cell.h"

namespace byname::core {

// A name and what it is to have; or, once that has been put there, what it had.
struct CellOfName {
  byname_entry* name;
  FunctionRef function;
};

// There is one, which is never destroyed.
class Retired {
 public:
  Retired();
  // Not a vector: what has been allocated is moved without failing.
  using Cells = std::list<CellOfName>;
  // Takes the names' references. Cheap, calls nothing.
  void push(Cells&& cells) noexcept;
  // Drops the references to cells that nobody is inside of, if enough have gathered, or (force) in any case. Runs
  // destructors of closures; the registry's mutex must not be held. Throws std::bad_alloc only if forced.
  void reclaim(bool force);

 private:
  // One membarrier serves so many removals; a process with one thread needs none and reclaims at once.
  static constexpr size_t kBatch = 64;
  bool is_worth_it();
  std::mutex mutex_;  // guards cells_
  Cells cells_;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_RECLAIM_H_
