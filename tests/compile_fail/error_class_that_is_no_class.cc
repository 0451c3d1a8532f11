// expect: byname: register_error<E> takes an exception class
#include <byname/error_kind.h>

void register_int() { byname::register_error<int>("test.Int"); }
