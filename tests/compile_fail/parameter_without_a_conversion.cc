// expect: byname: a parameter type has no Convert<>
#include <byname/byname.h>

union Neither {
  int a;
  float b;
};

byname::Function make() {
  return byname::Function([](Neither) {});
}
