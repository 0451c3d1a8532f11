// A block that begins what must not outlive its code: a thread.
#include <byname/byname.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

std::atomic<bool> is_wanted = true;
std::thread worker;

}  // namespace

BYNAME_LIBRARY("core.begun", lib) {
  lib.on_unload([] {
    is_wanted = false;
    worker.join();
  });
  worker = std::thread([] {
    while (is_wanted) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  lib.def("f", [] { return int64_t{1}; });
}
