// expect: byname: nothing would keep what it points to; use std::string or std::vector
#include <byname/byname.h>
#include <byname/convert_container.h>

std::span<const double> numbers_of(const byname::Any& value) { return value.to<std::span<const double>>(); }
