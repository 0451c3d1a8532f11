// What is known of a function, as values.
#ifndef BYNAME_FUNCTION_DESCRIBE_H_
#define BYNAME_FUNCTION_DESCRIBE_H_

#include <string>
#include <string_view>

#include "function/cell.h"

namespace byname::core {

// A Map, see byname_function_describe; `module` is the path of the function's module, or empty.
byname_any describe(const byname_function* function, std::string_view module);

// The documentation; of a set of overloads, what can be called, with each one's own.
std::string doc_of(const byname_function* function);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_DESCRIBE_H_
