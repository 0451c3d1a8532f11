// In place of src/registry/trace.cc, in a library that cannot trace.
#include "registry/trace.h"

namespace byname::core {

void trace_calls_of(byname_function*) {}

}  // namespace byname::core
