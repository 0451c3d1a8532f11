// A block that calls a function of the test, if there is one, before it registers its own.
#include <byname/byname.h>

BYNAME_LIBRARY("core.block", lib) {
  if (auto run = byname::find("test.block.run")) (*run)(true);
  lib.def("f", [] { return int64_t{1}; });
}
