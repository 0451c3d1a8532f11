// Products of a factory that the program declares.
#include "core_shapes.h"

using namespace byname::literals;
using core_shapes::Shape;

namespace {

struct Circle : Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};

struct Ring : Shape {
  double area() const override { return 9; }
};

}  // namespace

BYNAME_LIBRARY("core.shapes", lib) {
  lib.product<Shape, Circle, double>("Circle", {"radius"_a = 1.0}, "Round, more or less.");
  lib.product<Shape, Ring>("Ring");
}
