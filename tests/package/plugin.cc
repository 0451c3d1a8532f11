#include <byname/byname.h>

int64_t twice(int64_t a);

// A plugin in its smallest form, which is linked with another.
BYNAME_LIBRARY("consumer", lib) { lib.def("twice", twice); }
