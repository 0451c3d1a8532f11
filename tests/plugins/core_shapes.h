// A base class whose products come from the test program and from a plugin.
#ifndef BYNAME_TESTS_PLUGINS_CORE_SHAPES_H_
#define BYNAME_TESTS_PLUGINS_CORE_SHAPES_H_

#include <byname/byname.h>

namespace core_shapes {

struct BYNAME_PUBLIC Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct BYNAME_PUBLIC PainterNode : byname::Derive<PainterNode, byname::Object, "test.shapes.Painter"> {
  std::string color;
};

}  // namespace core_shapes

#endif  // BYNAME_TESTS_PLUGINS_CORE_SHAPES_H_
