// The error of a look-up that finds nothing, with what may help.
#ifndef BYNAME_REGISTRY_NOT_FOUND_H_
#define BYNAME_REGISTRY_NOT_FOUND_H_

#include <string>
#include <string_view>

#include "registry/name_table.h"

namespace byname::core {

// Names that are near; or, in a namespace where nothing is registered, the question whether its library is loaded, and
// why the blocks that failed did.
[[noreturn]] void throw_not_found(const NameTable& table, std::string_view name);

// Keeps why a block that was attached implicitly failed, for look-ups in its namespace.
void note_failed_block(std::string_view prefix, std::string_view why);
// It did not fail the next time.
void forget_failed_block(std::string_view prefix);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_NOT_FOUND_H_
