// expect: byname: nothing would keep the text; use std::string_view
#include <byname/convert_std.h>

auto texts(const byname::Any& value) { return value.to<std::vector<const char*>>(); }
