// Other functions with the signatures of core_math's, another library with the same names of types.
#include <byname/byname.h>

BYNAME_LIBRARY("core.math2", lib) {
  lib.def("subtract", [](int64_t a, int64_t b) { return a - b; });
  lib.def("narrow", [](int32_t a, int32_t b) { return a - b; });
  lib.def("length", [](std::string_view text) { return static_cast<int64_t>(text.size()) + 100; });
}
