// Overloads: several functions under one name, ranked by how well the arguments fit.
#ifndef BYNAME_FUNCTION_OVERLOAD_H_
#define BYNAME_FUNCTION_OVERLOAD_H_

#include <span>
#include <vector>

#include "function/binding.h"

namespace byname::core {

// A cell that calls the best of its functions. One function fits better than another if no argument fits worse and one
// fits better; the order of registration plays no part. A call that none, or no single best one fits, is a TypeError.
FunctionRef make_overloads(std::vector<FunctionRef> functions, byname_class* owner);

// The functions of such a cell.
std::span<const FunctionRef> overloads_of(const byname_function* function);

// Gives what the functions under a name have become, or nothing: asked before a call is told that none fits.
using MissHook = FunctionRef (*)(const byname_function* overloads);
void set_miss_hook(MissHook hook);

int call_overloads(byname_function* function, const CallShape& shape, byname_any* result);

// Whether two functions take the same parameters, so that no call could tell them apart.
bool is_same_parameters(const byname_function* a, const byname_function* b);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_OVERLOAD_H_
