#include "object/pool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/thread.h"
#include "object/type_table.h"

namespace byname::core {
namespace {

#if defined(__SANITIZE_ADDRESS__)
#define BYNAME_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BYNAME_ASAN 1
#endif
#endif

#ifdef BYNAME_ASAN
// AddressSanitizer finds uses of dropped objects only if their memory is really given back.
constexpr uint32_t kMaxListBytes = 0;
#else
constexpr uint32_t kMaxListBytes = 64 << 10;
#endif

constexpr uint32_t block_size(uint32_t block) { return (block + 1) * kBlockStep; }

constinit ThreadObjects no_objects;

// The thread ends, but may still make and drop objects.
void end_objects(void* slot) {
  auto* mine = static_cast<ThreadObjects*>(slot);
  object_thread.objects = &no_objects;
  for (FreeList& list : mine->lists) {
    while (list.head != nullptr) {
      void* block = list.head;
      list.head = *static_cast<void**>(block);
      std::free(block);
    }
  }
  remove_counts(mine->counts);
  delete mine;
}

// The thread's record with room for the id, or NULL: no memory, or too far into the thread's end.
ThreadObjects* enter_objects(uint32_t id) {
  if (object_thread.objects == &no_objects) {
    Local* local = this_local();
    if (local == nullptr) return nullptr;
    auto* made = new (std::nothrow) ThreadObjects();
    if (made == nullptr) return nullptr;
    for (uint32_t block = 0; block < kNumBlocks; ++block) made->lists[block].room = kMaxListBytes / block_size(block);
    register_counts(made->counts);
    set_exit_hook(LocalSlot::kObjects, &end_objects);
    local->slots[static_cast<size_t>(LocalSlot::kObjects)] = made;
    object_thread.objects = made;
  }
  ThreadObjects* mine = object_thread.objects;
  return id < mine->counts.size || grow_counts(mine->counts, id) ? mine : nullptr;
}

// Fresh memory, or NULL.
void* new_block(const byname_class* owner, size_t extra) {
  if (owner->block != kUnpooled) return std::malloc(block_size(owner->block));
  size_t size = 0;
  if (__builtin_add_overflow(static_cast<size_t>(owner->offset) + owner->size, extra, &size)) return nullptr;
  if (size > PTRDIFF_MAX - static_cast<size_t>(owner->offset)) return nullptr;
  if (owner->offset == kPrefixSize) return std::malloc(size);
  size_t rest = owner->offset - 1;
  return std::aligned_alloc(owner->offset, (size + rest) & ~rest);
}

void* start_of(byname_object* object, const byname_class* owner) {
  return reinterpret_cast<char*>(object) - owner->offset;
}

}  // namespace

__thread ObjectThread object_thread __attribute__((tls_model("initial-exec"))) = {&no_objects, nullptr, 0};

void* allocate_slow(byname_class* owner, size_t extra) noexcept {
  if (extra != 0) {
    byname_class* sized = known_class_with_extra(owner, extra);
    owner = sized != nullptr ? sized : class_with_extra(owner, extra);
    if (owner == nullptr) return nullptr;
    void* object = pop_block(owner);
    if (__builtin_expect(object != nullptr, 1)) return object;
  }
  uint32_t id = owner->id.load(std::memory_order_acquire);
  if (id == kUnnumbered) id = number_class(owner);
  if (id == kUnnumbered) return nullptr;
  void* block = new_block(owner, extra);
  if (block == nullptr) return nullptr;
  ThreadObjects* mine = enter_objects(id);
  mine != nullptr ? count_made(mine->counts, id) : count_made_for_others(id);
  return ::new (static_cast<char*>(block) + owner->offset - kPrefixSize) byname_prefix{owner, nullptr} + 1;
}

void* allocate_slow_or_raise(byname_class* owner, size_t extra) {
  void* object = allocate_slow(owner, extra);
  if (object != nullptr) return object;
  char message[512];
  const byname_type_info* type = type_info(owner->type_index);
  size_t size = 0;
  if (__builtin_add_overflow(static_cast<size_t>(owner->size), extra, &size)) size = SIZE_MAX;
  // Must do without memory.
  int length = std::snprintf(message, sizeof(message), "no memory for an object of type '%.*s' of %zu bytes",
                             static_cast<int>(std::min<size_t>(type->key.size, 400)), type->key.data, size);
  byname_error_raise({"MemoryError", 11}, {message, static_cast<size_t>(length)});
  return nullptr;
}

void give_back_slow(byname_object* object, const byname_class* owner) noexcept {
  void* block = start_of(object, owner);
  ThreadObjects* mine = enter_objects(owner->id.load(std::memory_order_relaxed));
  if (mine != nullptr && mine->lists[owner->block].room != 0) return give_back(object, owner);
  count_as_dropped(owner);
  std::free(block);
}

void count_as_dropped(const byname_class* owner) noexcept {
  uint32_t id = owner->id.load(std::memory_order_relaxed);
  ThreadObjects* mine = enter_objects(id);
  mine != nullptr ? count_dropped(mine->counts, id) : count_dropped_for_others(id);
}

}  // namespace byname::core
