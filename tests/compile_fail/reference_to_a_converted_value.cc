// expect: byname: a parameter is a value, const T&, or T& of an object or boxed class; T& of a converted value would be
// changed in vain
#include <byname/byname.h>

byname::Function make() {
  return byname::Function([](int64_t& number) { ++number; });
}
