#include <byname/byname.h>

BYNAME_PUBLIC int64_t twice(int64_t a) { return 2 * a; }

BYNAME_LIBRARY("consumer.linked", lib) { lib.def("twice", twice); }
