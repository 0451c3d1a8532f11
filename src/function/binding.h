// Binding: which parameter gets which argument.
#ifndef BYNAME_FUNCTION_BINDING_H_
#define BYNAME_FUNCTION_BINDING_H_

#include <span>

#include "function/cell.h"
#include "function/problems.h"

namespace byname::core {

// A call's arguments: positional ones, then one for each name.
struct CallShape {
  std::span<const byname_any> positional;
  std::span<const byname_any> named;
  std::span<const byname_str> names;
};

// The arguments by parameter, defaults filled in. Borrowed from the call and the function.
struct Bound {
  byname_any values[kMaxParameters];
  size_t size = 0;
  uint64_t given = 0;  // a bit for each that the call gave; the others are defaults
};
static_assert(kMaxParameters <= 64);

// Binds; or tells `problems` of everything that does not fit and returns false. Types are not looked at.
bool bind(const Schema& schema, const CallShape& shape, Bound& bound, Problems& problems);

// The type that a parameter's argument is converted to; nullptr beyond the declared ones.
const byname_type* parameter_type(const byname_function* function, const Schema* schema, size_t i);

// The rank of a value as the argument of parameter i; if it fits and `out` is not NULL, *out becomes the converted
// value, owned. As convert, but a sized list (`int[2] size`) takes one item for all, too. `schema` may be NULL.
int convert_argument(const byname_function* function, const Schema* schema, size_t i, const byname_any& value,
                     byname_any* out);

// Ranks (if `ranks` is not NULL) what the call gave and tells `problems` of everything whose type does not fit.
bool check_types(const byname_function* function, const Schema& schema, const Bound& bound, int* ranks,
                 Problems& problems);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_BINDING_H_
