// expect: byname: the result type has no Convert<>
#include <byname/byname.h>

union Neither {
  int a;
  float b;
};

byname::Function make() {
  return byname::Function([] { return Neither(); });
}
