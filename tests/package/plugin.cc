#include <byname/byname.h>

// A plugin in its smallest form.
BYNAME_LIBRARY("consumer", lib) {
  lib.def("twice", [](int64_t a) { return 2 * a; });
}
