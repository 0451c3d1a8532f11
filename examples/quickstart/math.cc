// A plugin: what it registers is called by name from C++, C and Python.
#include <byname/byname.h>

using namespace byname::literals;

BYNAME_LIBRARY("math", lib) {
  lib.def("add", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a = 1}, "Add two integers.");
}
