// Hashes of values, seeded anew in every process. What is equal (value/equal.h) hashes equal.
#ifndef BYNAME_VALUE_HASH_H_
#define BYNAME_VALUE_HASH_H_

#include <cstdint>
#include <string_view>

#include "byname/c_api.h"

namespace byname::core {

uint64_t hash_text(std::string_view text);

// False for a map, and for an array or tuple that contains one; `unhashable`, if not NULL, is then where it is. Throws
// bad_alloc for deep nesting without memory.
bool hash_value(const byname_any& value, uint64_t& out, const byname_any** unhashable = nullptr);

// The same as 0, or TypeError is raised and it is -1.
int hash_or_raise(const byname_any& value, uint64_t& out);

}  // namespace byname::core

#endif  // BYNAME_VALUE_HASH_H_
