// expect: byname: a creator returns a std::unique_ptr<Base> or, of an Object, a Ref<Base>
#include <byname/byname.h>

struct Shape {};

BYNAME_LIBRARY("test", lib) {
  lib.creator<Shape>("Shape", [] { return std::make_shared<Shape>(); });
}
