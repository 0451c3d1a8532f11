// expect: byname: the destructor of an object must be noexcept
#include <byname/ref.h>

struct Node : byname::Derive<Node, byname::Object, "test.Node"> {
  ~Node() noexcept(false) {}
};
byname::ObjectRef new_node() { return byname::make<Node>(); }
