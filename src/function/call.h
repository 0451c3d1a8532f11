// Calling: from any list of arguments to a thunk, which wants exactly its parameters.
#ifndef BYNAME_FUNCTION_CALL_H_
#define BYNAME_FUNCTION_CALL_H_

#include "byname/c_api.h"

namespace byname::core {

// The safe_call of every cell: fills defaults, refuses wrong counts, turns exceptions into errors.
int safe_call(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result);

// Converts all arguments to their parameters' types and calls again; or raises one error that names all that do not
// fit.
int coerce(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result);

struct Bound;
// Calls with one argument for each parameter, in place. Exceptions become errors.
int call_in_place(byname_function* function, const Bound& bound, byname_any* result);

// A call of any function value whose last num_names arguments are named.
int call_named(byname_function* function, const byname_any* arguments, int32_t num_arguments, const byname_str* names,
               int32_t num_names, byname_any* result);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_CALL_H_
