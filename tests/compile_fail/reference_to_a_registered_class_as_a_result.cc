// expect: byname: a result T& of a registered class would arrive as a copy
#include <byname/byname.h>

struct Engine {};
Engine engine;

BYNAME_LIBRARY("test", lib) {
  lib.def("engine", []() -> Engine& { return engine; });
}
