// The types of objects that this process knows.
#ifndef BYNAME_OBJECT_TYPE_TABLE_H_
#define BYNAME_OBJECT_TYPE_TABLE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

namespace byname::core {

// All functions may be called by any thread at any time, from static initialisers on; only register_type locks.
// Infos and keys stay as they are, where they are, for the life of the process. An index is never given to another
// type.

// The index of the type `decl.key`, given at the first call. A type is numbered after its parent: in the parent's
// reserved slots while there are any (its own reservation is then part of the parent's), else at the end of the table.
// What lands right behind an ancestor's range makes that range longer, so that a family which is registered in one go
// lies together, reserved or not.
// Registering again changes nothing; a later `child_slots` is ignored. Throws ValueError for an empty key, a negative
// reservation, a parent that is no type; TypeError for a known key with another parent; RuntimeError when the
// table is full.
int32_t register_type(const byname_type_decl& decl);

// NULL: no such key or index.
const byname_type_info* find_type(std::string_view key);
const byname_type_info* type_info(int32_t type_index);

bool type_is(int32_t type_index, int32_t ancestor);
const byname_type_info* const* type_table();

// By index. The views are valid for the life of the process.
std::vector<std::string_view> type_keys();

}  // namespace byname::core

#endif  // BYNAME_OBJECT_TYPE_TABLE_H_
