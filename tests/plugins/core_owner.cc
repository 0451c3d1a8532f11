// Claims its namespace.
#include <byname/byname.h>

BYNAME_LIBRARY("core.owned", lib) {
  lib.own("core_owner.cc", 5);
  lib.def("f", [] { return int64_t{1}; });
  lib.def("choose.int", [](int64_t) {});
  lib.def("choose.str", [](std::string_view) {});
}
