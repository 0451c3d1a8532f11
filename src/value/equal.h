// Equality of values.
#ifndef BYNAME_VALUE_EQUAL_H_
#define BYNAME_VALUE_EQUAL_H_

#include "byname/c_api.h"

namespace byname::core {

// Numbers by value, text, bytes, shapes, arrays, tuples and maps by content, other objects by identity. Native stack:
// the same for any depth. Throws bad_alloc for deep nesting without memory.
bool equal_values(const byname_any& a, const byname_any& b);

}  // namespace byname::core

#endif  // BYNAME_VALUE_EQUAL_H_
