// expect: byname: what is registered is a function, a lambda whose parameters have types
#include <byname/byname.h>

BYNAME_LIBRARY("test", lib) { lib.def("three", 3); }
