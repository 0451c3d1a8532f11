// Memory of objects: a prefix in front, and lists of free blocks for each thread.
#ifndef BYNAME_OBJECT_POOL_H_
#define BYNAME_OBJECT_POOL_H_

#include <cstddef>

#include "object/class.h"
#include "object/counts.h"

namespace byname::core {

// Blocks of one size, linked through their first word. `room`: how many more are kept; the rest goes back to malloc, so
// that objects made in one thread and dropped in another do not pile up there.
struct FreeList {
  void* head = nullptr;
  uint32_t room = 0;
};

struct ThreadObjects {
  ThreadCounts counts;
  FreeList lists[kNumBlocks + 1];  // the last, kUnpooled, always empty and without room
};

// The object layer's part of each thread. Valid up to the thread's very end, when `objects` is the empty record again.
struct ObjectThread {
  ThreadObjects* objects;  // of no room and no counts until the first object
  byname_object* dying;    // destruction that waits, see destroy.cc
  uint32_t depth;          // of destruction
};
extern __thread ObjectThread object_thread __attribute__((tls_model("initial-exec")));

// Slow parts of those below.
void* allocate_slow(byname_class* owner, size_t extra) noexcept;
void* allocate_slow_or_raise(byname_class* owner, size_t extra);
void give_back_slow(byname_object* object, const byname_class* owner) noexcept;

inline void* pop_block(byname_class* owner) noexcept {
  ThreadObjects* mine = object_thread.objects;
  uint32_t id = owner->id.load(std::memory_order_relaxed);
  FreeList& list = mine->lists[owner->block];
  void* block = list.head;
  if (__builtin_expect(block == nullptr || id >= mine->counts.size, 0)) return nullptr;
  list.head = *static_cast<void**>(block);
  ++list.room;
  count_made(mine->counts, id);
  return ::new (block) byname_prefix{owner, nullptr} + 1;
}

// Memory for an object of the class with `extra` bytes behind it, counted as made; its prefix is filled, its header is
// not. NULL if there is no memory; raises nothing. Any thread.
inline void* try_allocate(byname_class* owner, size_t extra = 0) noexcept {
  if (__builtin_expect(extra == 0, 1)) {
    void* object = pop_block(owner);
    if (__builtin_expect(object != nullptr, 1)) return object;
  }
  return allocate_slow(owner, extra);
}

// The same; without memory a MemoryError is in the thread's slot.
inline void* allocate(byname_class* owner, size_t extra = 0) {
  if (__builtin_expect(extra == 0, 1)) {
    void* object = pop_block(owner);
    if (__builtin_expect(object != nullptr, 1)) return object;
  }
  return allocate_slow_or_raise(owner, extra);
}

// Gives the memory of an object back whose life has ended, or never began, and counts it as dropped.
inline void give_back(byname_object* object, const byname_class* owner) noexcept {
  ThreadObjects* mine = object_thread.objects;
  uint32_t id = owner->id.load(std::memory_order_relaxed);
  FreeList& list = mine->lists[owner->block];
  if (__builtin_expect(list.room == 0 || id >= mine->counts.size, 0)) {
    give_back_slow(object, owner);
    return;
  }
  byname_prefix* block = byname_object_prefix(object);
  *reinterpret_cast<void**>(block) = list.head;
  list.head = block;
  --list.room;
  count_dropped(mine->counts, id);  // last: then nobody looks at the class any more
}

// Counts an object as dropped whose memory is still held.
void count_as_dropped(const byname_class* owner) noexcept;

}  // namespace byname::core

#endif  // BYNAME_OBJECT_POOL_H_
