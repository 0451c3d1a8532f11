// Registers by a static object, whose constructor the loader runs, and takes its time before.
#include <byname/byname.h>

#include <chrono>
#include <thread>

namespace {

[[maybe_unused]] const bool is_late = (std::this_thread::sleep_for(std::chrono::milliseconds(20)), true);
const byname::Registration registration = byname::register_function("core.static.one", [] { return int64_t{1}; });

}  // namespace
