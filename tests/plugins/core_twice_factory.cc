// Declares two factories for a type.
#include <byname/byname.h>

struct Other {};

BYNAME_LIBRARY("core.twice_factory", lib) {
  lib.type<Other>("Other", "Of no use.");
  lib.factory<Other>({"one", "twice.cc", 1});
  lib.factory<Other>({"two", "twice.cc", 2});
}
