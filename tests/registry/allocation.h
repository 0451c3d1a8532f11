// Allocations that fail. allocation_operators.h makes them.
#ifndef BYNAME_TESTS_REGISTRY_ALLOCATION_H_
#define BYNAME_TESTS_REGISTRY_ALLOCATION_H_

#include <cstdint>

namespace byname {

// How many allocations of this thread go well before one fails; negative: all of them do.
extern thread_local int64_t allocations_left;

}  // namespace byname

#endif  // BYNAME_TESTS_REGISTRY_ALLOCATION_H_
