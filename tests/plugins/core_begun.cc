// A block that begins what must not outlive its code: a thread. Calls what the test registers for it meanwhile.
#include <byname/byname.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

std::atomic<bool> is_wanted = true;
std::thread worker;

void tell(const char* name) {
  if (auto hear = byname::find(name)) (*hear)();
}

}  // namespace

BYNAME_LIBRARY("core.begun", lib) {
  lib.on_unload([] {
    is_wanted = false;
    worker.join();
    tell("test.begun.end");
  });
  worker = std::thread([] {
    while (is_wanted) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  tell("test.begun.during");
  lib.def("f", [] { return int64_t{1}; });
}
