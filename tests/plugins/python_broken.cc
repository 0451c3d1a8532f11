// A block that fails after it has registered something.
#include <byname/byname.h>

#include <stdexcept>

BYNAME_LIBRARY("broken", lib) {
  lib.def("first", [] { return 1; });
  throw std::runtime_error("the block went wrong");
}
