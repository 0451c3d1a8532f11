// expect: byname: lib.type<T> registers a class that no other conversion takes
#include <byname/byname.h>

BYNAME_LIBRARY("test", lib) { lib.type<int>("Int", "An integer."); }
