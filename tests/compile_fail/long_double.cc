// expect: byname: long double has no portable form; use double
#include <byname/byname.h>

byname::Function make() {
  return byname::Function([](long double number) { return number; });
}
