// Declares a factory under a name that is none.
#include <byname/byname.h>

struct Other {};

BYNAME_LIBRARY("core.dotted_factory", lib) {
  lib.type<Other>("Other", "Of no use.");
  lib.factory<Other>({"a.b", "dotted.cc", 3});
}
