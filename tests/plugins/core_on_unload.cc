// What runs when it is unloaded calls a function that the test registers, throws, and collects.
#include <byname/byname.h>

#include <stdexcept>

BYNAME_LIBRARY("core.on_unload", lib) {
  lib.def("f", [] { return int64_t{1}; });
  lib.on_unload([] {
    if (auto hear = byname::find("test.on_unload.hear")) (*hear)(byname::find("core.on_unload.f").has_value());
    byname::collect();
  });
  lib.on_unload([] { throw std::runtime_error("no rest"); });
  lib.on_unload([] {
    if (auto hear = byname::find("test.on_unload.hear")) (*hear)(true);
  });
}
