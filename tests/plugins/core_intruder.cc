// Adds to a namespace that another library owns.
#include <byname/byname.h>

BYNAME_LIBRARY("core.owned.below", lib) {
  lib.def({"g", "core_intruder.cc", 4}, [] { return int64_t{2}; });
}
