// Attaching: running the registration blocks of shared objects.
#ifndef BYNAME_REGISTRY_ATTACH_H_
#define BYNAME_REGISTRY_ATTACH_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fork.h"
#include "function/cell.h"
#include "registry/image.h"

struct byname_module;

namespace byname::core {

// Nodes come from constructors and go by destructors of shared objects, on any thread. Neither calls anything.
void link_node(byname_library_node* node) noexcept;
void unlink_node(byname_library_node* node) noexcept;

// Sees, while it lives, which shared objects this thread unmaps: what dlclose runs, it runs in the thread that calls
// it.
class Unmapped {
 public:
  Unmapped();
  Unmapped(const Unmapped&) = delete;
  Unmapped& operator=(const Unmapped&) = delete;
  ~Unmapped();
  void watch(const Extent& extent) { watched_.push_back({extent, false}); }
  // Whether a watched object with blocks has gone; of one without it is not known.
  bool has(const Extent& extent) const;
  void note(const byname_library_node* node) noexcept;  // for unlink_node

 private:
  struct Watched {
    Extent extent;
    bool is_gone;
  };
  std::vector<Watched> watched_;
  Unmapped* outer_;
};

// While it lives, nodes that come on this thread belong to the load that brings them, not to whoever looks up next.
class LinksOfLoad {
 public:
  LinksOfLoad();
  LinksOfLoad(const LinksOfLoad&) = delete;
  LinksOfLoad& operator=(const LinksOfLoad&) = delete;
  ~LinksOfLoad();
};

// How a module takes the place of another one, whose names go in the step in which its own come, and whose value then
// stands for it.
struct Replacement {
  byname_module* old;
  std::vector<FunctionRef> removed = {};           // gets the old one's functions
  std::optional<NoForks> no_forks = std::nullopt;  // from that step on, for what else is to end with it
};

// Runs the waiting blocks of a module and registers all of it, or throws what one of them throws and registers nothing:
// then the module's on_unload, as far as they came, is to be run. Under the loader's lock; whoever calls it has
// Registry::settle called when that is free.
void attach_module(byname_module& module, Replacement* replacement = nullptr);
// Runs the blocks of what the module's load has opened besides it, as libraries that it is linked with; they stay when
// it goes. Returns what failed, in words, for warn_of when the loader's lock is free.
std::vector<std::string> attach_brought(const byname_module& module);
void warn_of(const std::vector<std::string>& failures);
// All blocks of a module, in whatever state.
std::vector<byname_library_node*> blocks_of(const byname_module& module);
// Those of a module that is unloaded: they run again only by another load.
void detach_blocks(const std::vector<byname_library_node*>& blocks);

// In a child whose parent's loading thread is not there: what that one ran can be run again.
void restart_blocks();

// Blocks that are waiting or being attached by attach_waiting.
extern constinit std::atomic<int> num_waiting;
inline bool are_waiting() { return num_waiting.load(std::memory_order_relaxed) != 0; }

// Runs all waiting blocks: those of shared objects that came by themselves and of the executable. If another thread has
// its turn, waits for it, or, for those who have found something already, leaves them to it. What fails is warned about
// and noted for look-ups. Costs one relaxed load if none waits.
enum class IfBusy : uint8_t { kWait, kLeave };
void attach_waiting_blocks(IfBusy if_busy);
inline void attach_waiting(IfBusy if_busy = IfBusy::kWait) {
  if (__builtin_expect(are_waiting(), 0)) attach_waiting_blocks(if_busy);
}

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_ATTACH_H_
