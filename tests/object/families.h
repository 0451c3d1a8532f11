// Types registered through the C interface.
#ifndef BYNAME_TESTS_OBJECT_FAMILIES_H_
#define BYNAME_TESTS_OBJECT_FAMILIES_H_

#include <string_view>

#include "byname/error.h"

// The index of the type; throws what registering fails with.
inline int32_t new_type(std::string_view key, int32_t parent = BYNAME_OBJECT, int32_t child_slots = 0) {
  byname_type_decl decl = {sizeof(byname_type_decl), parent, {key.data(), key.size()}, child_slots, nullptr};
  int32_t index = -1;
  byname::detail::check(byname_type_register(&decl, &index));
  return index;
}

inline const byname_type_info& info_of(int32_t type_index) { return *byname_type_get(type_index); }

#endif  // BYNAME_TESTS_OBJECT_FAMILIES_H_
