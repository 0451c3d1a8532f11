// expect: byname: an object type names itself: struct T : byname::Derive<T, Base
#include <byname/object.h>

struct Node : byname::Derive<Node, byname::Object, "test.Node"> {};
struct Nameless : Node {};
int32_t index_of_nameless() { return byname::type_index<Nameless>(); }
