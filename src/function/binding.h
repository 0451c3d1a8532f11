// Binding: which parameter gets which argument.
#ifndef BYNAME_FUNCTION_BINDING_H_
#define BYNAME_FUNCTION_BINDING_H_

#include <span>

#include "function/cell.h"
#include "function/problems.h"

namespace byname::core {

// More parameters, or arguments in one call, than this are refused.
inline constexpr size_t kMaxArguments = 64;

// A call's arguments: positional ones, then one for each name.
struct CallShape {
  std::span<const byname_any> positional;
  std::span<const byname_any> named;
  std::span<const byname_str> names;
};

// The arguments by parameter, defaults filled in. Borrowed from the call and the function.
struct Bound {
  byname_any values[kMaxArguments];
  size_t size = 0;
};

// Binds; or tells `problems` of everything that does not fit and returns false. Types are not looked at.
bool bind(const byname_function* function, const CallShape& shape, Bound& bound, Problems& problems);

// The type that a parameter's argument is converted to; nullptr beyond the declared ones.
const byname_type* parameter_type(const byname_function* function, const Schema* schema, size_t i);

// Ranks (if `ranks` is not NULL) or tells `problems` of every argument whose type does not fit.
bool check_types(const byname_function* function, std::span<const byname_any> arguments, int* ranks, Problems* problems);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_BINDING_H_
