// expect: byname: an argument's type has no Convert<>
#include <byname/byname.h>

union Neither {
  int a;
  float b;
};

void call(byname::Handle handle) { handle(Neither()); }
