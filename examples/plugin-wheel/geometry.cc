#include <byname/byname.h>

using namespace byname::literals;

BYNAME_LIBRARY("geometry", lib) {
  lib.def(
      "area", [](double width, double height) { return width * height; }, {"width"_a, "height"_a},
      "The area of a rectangle.");
}
