#include <byname/c_api.h>
#include <stdio.h>

int main(void) {
  puts(byname_version());
  return 0;
}
