// How many objects of each class were made and dropped.
//
// Each thread counts for itself, up only, without atomic read-modify-writes. An object is made before it is dropped, so
// whoever reads all "dropped" first and all "made" afterwards never sees fewer objects than there are.
#ifndef BYNAME_OBJECT_COUNTS_H_
#define BYNAME_OBJECT_COUNTS_H_

#include <atomic>
#include <cstdint>
#include <vector>

namespace byname::core {

struct Count {
  std::atomic<uint64_t> made;
  std::atomic<uint64_t> dropped;
};

// One thread's, by class id. Changed by that thread; others read with object_mutex locked.
struct ThreadCounts {
  Count* counts = nullptr;
  uint32_t size = 0;
  ThreadCounts* next = nullptr;
  ThreadCounts** link = nullptr;  // what points to this
};

inline void count_made(ThreadCounts& counts, uint32_t id) {
  std::atomic<uint64_t>& made = counts.counts[id].made;
  made.store(made.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Release: whoever sees it sees that the object was made, too.
inline void count_dropped(ThreadCounts& counts, uint32_t id) {
  std::atomic<uint64_t>& dropped = counts.counts[id].dropped;
  dropped.store(dropped.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// A thread begins to count, and ends: then its counts are kept for it.
void register_counts(ThreadCounts& counts);
void remove_counts(ThreadCounts& counts);
// Room for `id`; false if there is no memory for it. By the thread itself.
bool grow_counts(ThreadCounts& counts, uint32_t id);

// For threads without counts of their own (too far into their end). reserve_counts: room for ids below `size`, under
// object_mutex; throws bad_alloc.
void reserve_counts(uint32_t size);
void count_made_for_others(uint32_t id);
void count_dropped_for_others(uint32_t id);

// Objects made and not dropped, for the ids 0 to size - 1. Under object_mutex.
std::vector<uint64_t> live_counts(uint32_t size);

}  // namespace byname::core

#endif  // BYNAME_OBJECT_COUNTS_H_
