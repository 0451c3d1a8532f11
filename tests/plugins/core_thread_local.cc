// Leaves an object in each thread that calls it, which is destroyed when the thread ends.
#include <byname/byname.h>

namespace {

struct Last {
  int64_t num_calls = 0;
  ~Last() { num_calls = -1; }
};

}  // namespace

BYNAME_LIBRARY("core.thread_local", lib) {
  lib.def("count", [] {
    thread_local Last last;
    return ++last.num_calls;
  });
}
