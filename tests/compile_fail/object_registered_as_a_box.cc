// expect: byname: an Object.s key is in its declaration: lib.type<T>\(.*documentation.*\)
#include <byname/byname.h>

struct AddNode : byname::Derive<AddNode, byname::Object, "ast.Add"> {};

void register_add(byname::Library& lib) { lib.type<AddNode>("Add", "a + b"); }
