// Registers what core_math registers, after something of its own.
#include <byname/byname.h>

BYNAME_LIBRARY("core.duplicate", lib) {
  lib.def("own", [] {});
}
BYNAME_LIBRARY("core.math", lib) {
  lib.def({"add", "core_duplicate.cc", 5}, [](int64_t a) { return a; });
}
