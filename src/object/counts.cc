#include "object/counts.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "object/mutex.h"

namespace byname::core {
namespace {

constexpr uint32_t kFirstSize = 64;

struct Everyone {  // guarded by object_mutex
  ThreadCounts* threads = nullptr;
  // What ended threads counted, and those that can't count for themselves.
  Count* others = nullptr;  // has room for every id that was given
  uint32_t others_size = 0;
};
constinit Everyone everyone;

uint64_t dropped_in(const Count* counts, uint32_t id) { return counts[id].dropped.load(std::memory_order_acquire); }
uint64_t made_in(const Count* counts, uint32_t id) { return counts[id].made.load(std::memory_order_relaxed); }

void copy_counts(Count* to, const Count* from, uint32_t size) {
  for (uint32_t id = 0; id < size; ++id) {
    to[id].made.store(made_in(from, id), std::memory_order_relaxed);
    to[id].dropped.store(dropped_in(from, id), std::memory_order_release);
  }
}

// At least `wanted`, doubling so that growing stays rare.
uint32_t greater_size(uint32_t wanted) {
  uint32_t size = kFirstSize;
  while (size < wanted) size *= 2;
  return size;
}

}  // namespace

void register_counts(ThreadCounts& counts) {
  std::lock_guard lock(object_mutex);
  counts.next = everyone.threads;
  counts.link = &everyone.threads;
  if (counts.next != nullptr) counts.next->link = &counts.next;
  everyone.threads = &counts;
}

void remove_counts(ThreadCounts& counts) {
  std::lock_guard lock(object_mutex);
  *counts.link = counts.next;
  if (counts.next != nullptr) counts.next->link = counts.link;
  uint32_t size = std::min(counts.size, everyone.others_size);  // no id beyond the latter was ever given
  for (uint32_t id = 0; id < size; ++id) {
    everyone.others[id].made.fetch_add(made_in(counts.counts, id), std::memory_order_relaxed);
    everyone.others[id].dropped.fetch_add(dropped_in(counts.counts, id), std::memory_order_release);
  }
  std::free(counts.counts);
  counts = {};
}

bool grow_counts(ThreadCounts& counts, uint32_t id) {
  uint32_t size = greater_size(id + 1);
  auto* greater = static_cast<Count*>(std::calloc(size, sizeof(Count)));
  if (greater == nullptr) return false;
  copy_counts(greater, counts.counts, counts.size);
  Count* outgrown = counts.counts;
  {
    std::lock_guard lock(object_mutex);
    counts.counts = greater;
    counts.size = size;
  }
  std::free(outgrown);
  return true;
}

void reserve_counts(uint32_t size) {
  if (size <= everyone.others_size) return;
  size = greater_size(size);
  auto* greater = static_cast<Count*>(std::calloc(size, sizeof(Count)));
  if (greater == nullptr) throw std::bad_alloc();
  copy_counts(greater, everyone.others, everyone.others_size);
  std::free(everyone.others);
  everyone.others = greater;
  everyone.others_size = size;
}

void count_made_for_others(uint32_t id) {
  std::lock_guard lock(object_mutex);
  if (id < everyone.others_size) everyone.others[id].made.fetch_add(1, std::memory_order_relaxed);
}

void count_dropped_for_others(uint32_t id) {
  std::lock_guard lock(object_mutex);
  if (id < everyone.others_size) everyone.others[id].dropped.fetch_add(1, std::memory_order_release);
}

std::vector<uint64_t> live_counts(uint32_t size) {
  std::vector<uint64_t> live(size);
  // All that was dropped first: see the top of counts.h.
  for (uint32_t id = 0; id < std::min(size, everyone.others_size); ++id) live[id] -= dropped_in(everyone.others, id);
  for (const ThreadCounts* thread = everyone.threads; thread != nullptr; thread = thread->next) {
    for (uint32_t id = 0; id < std::min(size, thread->size); ++id) live[id] -= dropped_in(thread->counts, id);
  }
  for (uint32_t id = 0; id < std::min(size, everyone.others_size); ++id) live[id] += made_in(everyone.others, id);
  for (const ThreadCounts* thread = everyone.threads; thread != nullptr; thread = thread->next) {
    for (uint32_t id = 0; id < std::min(size, thread->size); ++id) live[id] += made_in(thread->counts, id);
  }
  return live;
}

}  // namespace byname::core
