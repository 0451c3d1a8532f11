// expect: byname: a declared base is a base class
#include <byname/byname.h>

struct Stranger {};
struct Square {};

void register_square(byname::Library& lib) { lib.type<Square, Stranger>("Square", "A square."); }
