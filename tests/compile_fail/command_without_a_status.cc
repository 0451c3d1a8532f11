// expect: byname: a command returns its exit status, an int
#include <byname/byname.h>

BYNAME_LIBRARY("test", lib) {
  lib.command("train", [] { return true; });
}
