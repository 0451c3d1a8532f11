// Opens a library before its own blocks are there, as the loader does for what a library is linked with; the
// environment names it.
#include <byname/byname.h>
#include <dlfcn.h>

#include <cstdlib>

namespace {

struct Opened {
  void* handle = dlopen(std::getenv("BYNAME_TEST_OPEN"), RTLD_NOW);
  ~Opened() { dlclose(handle); }
} opened;

}  // namespace

BYNAME_LIBRARY("core.opener", lib) {
  lib.def("f", [minus = byname::get("core.math2.subtract").pin()] { return minus(3, 1); });
}
