// Objects of a family that other shared objects know too.
#include <byname/ref.h>

namespace {

struct Root : byname::Derive<Root, byname::Object, "test.shared.Root"> {};
struct Left : byname::Derive<Left, Root, "test.shared.Left"> {};
struct Right : byname::Derive<Right, Root, "test.shared.Right"> {};
struct LeftLeaf : byname::Derive<LeftLeaf, Left, "test.shared.LeftLeaf"> {
  int64_t value = 42;
  ~LeftLeaf() { value = 0; }
};

}  // namespace

extern "C" {

// An owned reference.
BYNAME_API byname_object* family_make_left_leaf() { return byname::make<LeftLeaf>().leak()->raw(); }
BYNAME_API byname_object* family_make_right() { return byname::make<Right>().leak()->raw(); }

BYNAME_API int family_is_left(byname_object* object) {
  return byname::is_instance<Left>(reinterpret_cast<byname::Object*>(object)) ? 1 : 0;
}

// -1 if it is none.
BYNAME_API int64_t family_value(byname_object* object) {
  byname::ObjectRef held(reinterpret_cast<byname::Object*>(object));
  LeftLeaf* leaf = held.as<LeftLeaf>();
  return leaf == nullptr ? -1 : leaf->value;
}

}  // extern "C"
