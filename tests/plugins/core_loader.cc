// A block that loads another library before it registers anything, as it needs it.
#include <byname/byname.h>

#include <cstdlib>

BYNAME_LIBRARY("core.loader", lib) {
  byname::load(std::getenv("BYNAME_TEST_LOAD"));
  byname::collect();
  lib.def("f", [] { return byname::get("core.math.add")(1, 2); });
}
