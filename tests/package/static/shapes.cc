#include <byname/byname.h>

using namespace byname::literals;

BYNAME_LIBRARY("shapes", lib) {
  lib.def("area", [](int64_t width, int64_t height) { return width * height; }, {"width"_a, "height"_a});
}
BYNAME_ENTRY(shapes)
