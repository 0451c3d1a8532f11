// expect: byname: nothing would keep what it points to; use std::string or std::vector
#include <byname/byname.h>

const char* text_of(const byname::Any& value) { return value.to<const char*>(); }
