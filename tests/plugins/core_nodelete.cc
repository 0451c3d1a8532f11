// Is linked with -z nodelete.
#include <byname/byname.h>

BYNAME_LIBRARY("core.nodelete", lib) {
  lib.def("f", [] { return int64_t{1}; });
}
