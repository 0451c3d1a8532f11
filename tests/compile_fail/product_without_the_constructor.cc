// expect: byname: a product has a constructor of the parameters that product<Base, Derived, P...> lists
#include <byname/byname.h>

struct Shape {};
struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double side;
};

BYNAME_LIBRARY("test", lib) { lib.product<Shape, Square, std::string>("Square"); }
