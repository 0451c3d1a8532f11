// The one deleter of Byname's own objects.
//
// Destruction recurses kMaxDepth deep in a thread; what comes below waits in a list, which the outermost destruction
// works off. So a chain of any length, through any containers, is dropped on any stack.
//
// An object counts as dropped for its module when nothing of the module runs for it any more: its destructor has
// returned. If weak references still hold the memory then, it changes to a class of the core's own, which gives it back
// when they go: a weak reference keeps no module mapped, and the record of the object's class is free for others.
#include <array>
#include <bit>
#include <utility>

#include "object/pool.h"

namespace byname::core {
namespace {

// Out of line, so that dropping an object that has no destructor to run saves no registers.
#define BYNAME_OUTLINE __attribute__((noinline))

constexpr uint32_t kMaxDepth = 64;

// For dead objects whose memory is weakly held: what is needed to give that back.
struct Husks {
  template <size_t... Blocks, size_t... Alignments>
  constexpr Husks(std::index_sequence<Blocks...>, std::index_sequence<Alignments...>)
      : of_block{byname_class(BYNAME_OBJECT, Blocks * kBlockStep, 1, nullptr, kUncounted)...},
        of_alignment{byname_class(BYNAME_OBJECT, 0, 1u << Alignments, nullptr, kUncounted)...} {}
  byname_class of_block[kUnpooled + 1];
  byname_class of_alignment[17];  // by its logarithm
};
constinit Husks husks{std::make_index_sequence<kUnpooled + 1>(), std::make_index_sequence<17>()};

BYNAME_OUTLINE void become_husk(byname_object* object, const byname_class* owner) {
  byname_object_prefix(object)->owner = owner->offset == kPrefixSize
                                            ? &husks.of_block[owner->block]
                                            : &husks.of_alignment[std::countr_zero(owner->offset)];
  count_as_dropped(owner);
}

// Drops the one weak reference that a destroyed object holds on itself.
void release_memory(byname_object* object, const byname_class* owner) {
  if (__atomic_load_n(&object->counts, __ATOMIC_ACQUIRE) == BYNAME_COUNT_ONE_WEAK) {
    give_back(object, owner);
    return;
  }
  become_husk(object, owner);
  byname_object_release_weak(object);
}

BYNAME_OUTLINE void wait_for_destruction(byname_object* object, int flags) {
  // While it waits it holds itself weakly, so that its memory stays. If it must only be destroyed, its former holder
  // drops another weak reference.
  if (flags == BYNAME_DELETE_BOTH) {
    __atomic_store_n(&object->counts, BYNAME_COUNT_ONE_WEAK, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_add(&object->counts, BYNAME_COUNT_ONE_WEAK, __ATOMIC_RELAXED);
  }
  // A dying object has no twin: one would have held it.
  byname_object_prefix(object)->twin = object_thread.dying;
  object_thread.dying = object;
}

BYNAME_OUTLINE void destroy_waiting() {
  object_thread.depth = 1;
  while (object_thread.dying != nullptr) {
    byname_object* object = object_thread.dying;
    byname_prefix* prefix = byname_object_prefix(object);
    object_thread.dying = static_cast<byname_object*>(std::exchange(prefix->twin, nullptr));
    const byname_class* owner = prefix->owner;
    owner->destroy(object);
    release_memory(object, owner);
  }
  object_thread.depth = 0;
}

BYNAME_OUTLINE void destroy(byname_object* object, const byname_class* owner, int flags) {
  if (__builtin_expect(object_thread.depth >= kMaxDepth, 0)) return wait_for_destruction(object, flags);
  // Weak references that the destructor makes must find it dead, and may outlive it.
  if (flags == BYNAME_DELETE_BOTH) __atomic_store_n(&object->counts, BYNAME_COUNT_ONE_WEAK, __ATOMIC_RELAXED);
  ++object_thread.depth;
  owner->destroy(object);
  --object_thread.depth;
  if (flags == BYNAME_DELETE_BOTH) {
    release_memory(object, owner);
  } else {
    become_husk(object, owner);
  }
  if (__builtin_expect(object_thread.dying != nullptr, 0) && object_thread.depth == 0) destroy_waiting();
}

}  // namespace
}  // namespace byname::core

extern "C" void byname_object_delete(void* self, int flags) {
  using namespace byname::core;
  auto* object = static_cast<byname_object*>(self);
  const byname_class* owner = byname_object_prefix(object)->owner;
  if ((flags & BYNAME_DELETE_STRONG) != 0 && owner->destroy != nullptr) {
    destroy(object, owner, flags);
  } else if ((flags & BYNAME_DELETE_WEAK) != 0) {
    give_back(object, owner);
  } else {
    become_husk(object, owner);
  }
}
