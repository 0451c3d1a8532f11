// Needs a function that is nowhere.
#include <byname/byname.h>

extern "C" int64_t byname_test_function_that_is_nowhere();

BYNAME_LIBRARY("core.missing", lib) {
  lib.def("f", [] { return byname_test_function_that_is_nowhere(); });
}
