// Declares a factory under the name of the program's, for another type.
#include <byname/byname.h>

struct Other {};

BYNAME_LIBRARY("test.shapes", lib) {
  lib.type<Other>("Other", "Of no use.");
  lib.factory<Other>({"shape", "same.cc", 8});
}
