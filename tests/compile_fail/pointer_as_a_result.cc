// expect: byname: a pointer as a result does not say who owns what it shows
#include <byname/byname.h>

struct Engine {};

BYNAME_LIBRARY("test", lib) {
  lib.def("make", []() -> Engine* { return nullptr; });
}
