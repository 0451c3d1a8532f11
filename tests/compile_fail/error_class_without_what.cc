// expect: byname: the message of an exception class is its what\(\)
#include <byname/error_kind.h>

struct Silent {};
void register_silent() { byname::register_error<Silent>("test.Silent"); }
