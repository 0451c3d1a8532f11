// expect: byname: a product derives from the class that its factory makes
#include <byname/byname.h>

struct Shape {};
struct Sound {};

BYNAME_LIBRARY("test", lib) { lib.product<Shape, Sound>("Sound"); }
