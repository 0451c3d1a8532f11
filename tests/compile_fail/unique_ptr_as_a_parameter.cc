// expect: byname: a unique_ptr can only be a result
#include <byname/byname.h>

struct Engine {};

BYNAME_LIBRARY("test", lib) {
  lib.def("take", [](std::unique_ptr<Engine>) {});
}
