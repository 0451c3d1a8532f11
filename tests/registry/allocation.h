// Allocations that fail. The executable's operators new are in stopped_test.cc.
#ifndef BYNAME_TESTS_REGISTRY_ALLOCATION_H_
#define BYNAME_TESTS_REGISTRY_ALLOCATION_H_

#include <cstdint>

namespace byname {

// How many allocations of this thread go well before one fails; negative: all of them do.
extern thread_local int64_t allocations_left;

}  // namespace byname

#endif  // BYNAME_TESTS_REGISTRY_ALLOCATION_H_
