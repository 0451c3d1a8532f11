// expect: byname: the destructor of an object must be noexcept
// Fault: a destructor that fails while an exception is in flight
#include <byname/ref.h>

struct Node : byname::Derive<Node, byname::Object, "test.Node"> {
  ~Node() noexcept(false) {}
};
byname::ObjectRef new_node() { return byname::make<Node>(); }
