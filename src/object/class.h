// Classes: a type as one module makes it, which is what allocation, destruction and counting go by.
#ifndef BYNAME_OBJECT_CLASS_H_
#define BYNAME_OBJECT_CLASS_H_

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

namespace byname::core {

// How memory is handed out: in steps of 16 bytes up to 512, prefix included; or, beyond that and for alignments above
// 16, as it is.
inline constexpr uint32_t kPrefixSize = sizeof(byname_prefix);
inline constexpr uint32_t kBlockStep = 16;
inline constexpr uint32_t kNumBlocks = 32;
inline constexpr uint32_t kUnpooled = kNumBlocks;
// Ids of counters: none yet, and those of what is not counted.
inline constexpr uint32_t kUnnumbered = UINT32_MAX;
inline constexpr uint32_t kUncounted = 0;

// Which free list memory of `size` bytes (prefix included, at least 1) comes from.
constexpr uint32_t block_of(size_t size) {
  return size <= kNumBlocks * kBlockStep ? static_cast<uint32_t>((size - 1) / kBlockStep) : kUnpooled;
}

}  // namespace byname::core

// Modules see only pointers to these. The core's own are static:
//   constinit core::CoreClass string_class(BYNAME_STR, sizeof(byname_string), alignof(byname_string), nullptr);
// Objects are made of either kind by core::allocate.
struct byname_class {
  // `destroy` ends the object's life without giving its memory back; NULL if there is nothing to end.
  constexpr byname_class(int32_t type_index, uint32_t size, uint32_t alignment, void (*destroy)(void*),
                         uint32_t id = byname::core::kUnnumbered) noexcept
      : destroy(destroy), id(id), size(size), type_index(type_index) {
    if (alignment > byname::core::kBlockStep) {
      offset = alignment;
      block = byname::core::kUnpooled;
    } else {
      offset = byname::core::kPrefixSize;
      block = byname::core::block_of(offset + static_cast<size_t>(size));
    }
  }

  void (*destroy)(void* object);
  std::atomic<uint32_t> id;  // of its counters; given at the first allocation
  uint32_t block = 0;        // its free list, or kUnpooled
  uint32_t offset = 0;       // of an object in its memory; the alignment if that is above 16
  uint32_t size;             // of an object, without what `extra` adds
  int32_t type_index;
  byname_dso* dso = nullptr;
  byname_module* module = nullptr;  // whose code `destroy` is; NULL: no module's that could be unloaded
  // The same class for objects with extra bytes, one for each block and one for unpooled; made when first needed. What
  // an object's prefix names is one of these or the class itself.
  std::atomic<byname_class*> with_extra = nullptr;
};

namespace byname::core {

using CoreClass = byname_class;

// The class of (dso, type index, size), made at the first call. The decl's dso may be NULL, if nobody's code is ever
// unmapped under the class. Throws ValueError for a decl that cannot be one, TypeError for one that lays objects out
// otherwise than others have laid out some that live. Any thread.
byname_class* register_class(const byname_class_decl& decl);

// How large something is. Whoever shares objects of a type with others must agree with them.
struct Layout {
  uint32_t size;
  uint32_t alignment;
  bool operator==(const Layout&) const = default;
};
// Of objects of a type that live and that `other` laid out.
[[noreturn]] void throw_other_layout(int32_t type_index, uint64_t live, Layout other, Layout here);
// Live objects of a type that a shared object has made.
uint64_t live_objects(const byname_dso* dso, int32_t type_index);

// Called, without a lock, when a shared object without a module (dso->module is NULL) registers a class: to find and
// fill the module. Several threads may be in it for one dso. Set once; without it such classes belong to no module.
using DsoHook = void (*)(byname_dso* dso);
void set_dso_hook(DsoHook hook);
// Whether two modules are one file in two states. Set once; without it none are.
using SameFileHook = bool (*)(const byname_module* a, const byname_module* b);
void set_same_file_hook(SameFileHook hook);
bool is_same_file(const byname_module* a, const byname_module* b);
// NULL: the executable's, or that of no hook. Not under a lock.
byname_module* module_of(byname_dso* dso);

// A class and how many objects of it have code to run: made and not yet destroyed. Never fewer than there are; as many
// when nobody makes or drops any meanwhile. What only weak references hold is not counted: it needs no code of its
// module.
struct ClassUse {
  const byname_class* owner;
  std::string_view key;  // of its type
  uint64_t live;
};
uint64_t live_objects(const byname_class* owner);
// Of all classes of a module (NULL: of those that belong to none, the core's own among them); all counted at one time.
std::vector<ClassUse> class_uses(const byname_module* module);

// For a module (not NULL) that will be closed and has no live objects: its classes are forgotten. Their records serve
// other ones.
void retire_classes(const byname_module* module);

// The class for objects with `extra` bytes more, if its variants were made before; else NULL.
inline byname_class* known_class_with_extra(const byname_class* owner, size_t extra) noexcept {
  byname_class* variants = owner->with_extra.load(std::memory_order_acquire);
  if (variants == nullptr) return nullptr;
  bool is_pooled = owner->offset == kPrefixSize && extra <= kNumBlocks * kBlockStep;
  return variants + (is_pooled ? block_of(static_cast<size_t>(owner->offset) + owner->size + extra) : kUnpooled);
}

// The same, made if need be; NULL if there is no memory for it.
byname_class* class_with_extra(byname_class* owner, size_t extra) noexcept;

// The number of the class's counters, given if need be; kUnnumbered if there is no memory for it.
uint32_t number_class(byname_class* owner) noexcept;

}  // namespace byname::core

#endif  // BYNAME_OBJECT_CLASS_H_
