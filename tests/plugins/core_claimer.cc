// Claims a namespace that others have names in.
#include <byname/byname.h>

BYNAME_LIBRARY("core.math", lib) {
  lib.own("core_claimer.cc", 5);
  lib.def("more", [] {});
}
