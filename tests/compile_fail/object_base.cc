// expect: byname: an object type derives from byname::Object or one of its kin
#include <byname/object.h>

struct Foreign {};
struct Node : byname::Derive<Node, Foreign, "test.Node"> {};
