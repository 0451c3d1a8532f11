// Warnings and where they go.
#ifndef BYNAME_VALUE_WARNING_H_
#define BYNAME_VALUE_WARNING_H_

#include <string_view>

#include "byname/c_api.h"

namespace byname::core {

// A handler whose function is NULL stands for stderr. Returns the one before. Any thread.
byname_warning_handler set_warning_handler(byname_warning_handler handler);
// Whether the handler is code from `begin` to `end`.
bool is_warning_handler_in(uintptr_t begin, uintptr_t end);
// Calls the handler, without a lock. Never fails; what a handler throws, other than forced unwinding, is dropped.
void warn(std::string_view kind, std::string_view message);

}  // namespace byname::core

#endif  // BYNAME_VALUE_WARNING_H_
