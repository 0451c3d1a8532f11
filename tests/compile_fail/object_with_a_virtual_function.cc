// expect: byname: a virtual function in an Object moves its header; box the class
#include <byname/ref.h>

struct Node : byname::Derive<Node, byname::Object, "test.Node"> {
  virtual int value() { return 1; }
};
byname::ObjectRef new_node() { return byname::make<Node>(); }
