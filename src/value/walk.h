// Walking through nested sequences without recursion.
#ifndef BYNAME_VALUE_WALK_H_
#define BYNAME_VALUE_WALK_H_

#include "byname/c_api.h"

namespace byname::core {

// Arrays and tuples; foreign arrays, whose layout is the same, too.
inline bool is_sequence(const byname_any& value) {
  return value.type_index == BYNAME_ARRAY || value.type_index == BYNAME_TUPLE;
}

// The items of a sequence that are yet to be visited.
struct Items {
  explicit Items(const byname_any& sequence)
      : next(reinterpret_cast<const byname_array*>(sequence.as_object)->data),
        left(reinterpret_cast<const byname_array*>(sequence.as_object)->size) {}
  const byname_any* next;
  int64_t left;
};

}  // namespace byname::core

#endif  // BYNAME_VALUE_WALK_H_
