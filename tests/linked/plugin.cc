// A library that a program is linked with, for its function, and that registers something, too.
#include "plugin.h"

#include <byname/byname.h>

int64_t twice(int64_t a) { return 2 * a; }

BYNAME_LIBRARY("linked", lib) { lib.def("twice", twice); }
