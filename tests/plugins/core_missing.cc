// Needs a function that is nowhere.
#include <byname/byname.h>

extern "C" int64_t function_that_is_nowhere();

BYNAME_LIBRARY("core.missing", lib) {
  lib.def("f", [] { return function_that_is_nowhere(); });
}
