// The keys of boxed C++ classes in a function's signature.
#ifndef BYNAME_FUNCTION_RESOLVE_H_
#define BYNAME_FUNCTION_RESOLVE_H_

#include <string_view>

#include "function/cell.h"

namespace byname::core {

// Fills in the keys, now that the classes are registered. Throws TypeError for one that is not; `name` is the
// function's.
void resolve_classes(const byname_function* function, std::string_view name);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_RESOLVE_H_
