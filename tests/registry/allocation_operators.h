// The operators new of an executable, for one of its files: it defines before_allocation(size) above.
#ifndef BYNAME_TESTS_REGISTRY_ALLOCATION_OPERATORS_H_
#define BYNAME_TESTS_REGISTRY_ALLOCATION_OPERATORS_H_

#include <cstdlib>
#include <new>

#include "allocation.h"

namespace byname {
thread_local int64_t allocations_left = -1;
}

namespace {

void* allocate(size_t size) {
  if (byname::allocations_left >= 0 && byname::allocations_left-- == 0) return nullptr;
  before_allocation(size);
  return std::malloc(size);
}

void* allocate_or_throw(size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Not inlined: gcc would take each for one half of a mismatched pair. All of them, since sanitizers replace the others.
#define OUTLINE __attribute__((noinline))
OUTLINE void* operator new(size_t size) { return allocate_or_throw(size); }
OUTLINE void* operator new[](size_t size) { return allocate_or_throw(size); }
OUTLINE void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
OUTLINE void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
OUTLINE void operator delete(void* memory) noexcept { std::free(memory); }
OUTLINE void operator delete[](void* memory) noexcept { std::free(memory); }
OUTLINE void operator delete(void* memory, size_t) noexcept { std::free(memory); }
OUTLINE void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

#endif  // BYNAME_TESTS_REGISTRY_ALLOCATION_OPERATORS_H_
