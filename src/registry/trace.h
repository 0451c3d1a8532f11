// Tracing: every call by name, written to the file that BYNAME_TRACE names as the library is loaded.
#ifndef BYNAME_REGISTRY_TRACE_H_
#define BYNAME_REGISTRY_TRACE_H_

#include "function/cell.h"

namespace byname::core {

// To be called for every function that is about to be registered: if calls are traced, its own will be. A traced
// function's thunk is another one and it has no signature's id, so that typed calls are packed; others are untouched.
void trace_calls_of(byname_function* function);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_TRACE_H_
