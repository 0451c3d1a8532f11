#include "value/warning.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include "base/fork.h"
#include "value/error.h"

namespace byname::core {
namespace {

constinit std::mutex mutex;  // guards current
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(mutex), true);
byname_warning_handler current = {nullptr, nullptr};

int length_of(std::string_view text) { return static_cast<int>(text.size() < 1 << 20 ? text.size() : 1 << 20); }

}  // namespace

byname_warning_handler set_warning_handler(byname_warning_handler handler) {
  std::lock_guard lock(mutex);
  return std::exchange(current, handler);
}

bool is_warning_handler_in(uintptr_t begin, uintptr_t end) {
  std::lock_guard lock(mutex);
  auto place = reinterpret_cast<uintptr_t>(current.function);
  return place >= begin && place < end;
}

void warn(std::string_view kind, std::string_view message) {
  byname_warning_handler handler;
  {
    std::lock_guard lock(mutex);
    handler = current;
  }
  if (handler.function == nullptr) {
    std::fprintf(stderr, "byname: %.*s: %.*s\n", length_of(kind), kind.data(), length_of(message), message.data());
    return;
  }
  try {
    handler.function(handler.context, {kind.data(), kind.size()}, {message.data(), message.size()});
  } catch (...) {
    // A warning is no reason to fail; the forced unwinding of a thread that ends goes on.
    raise_current();
    byname_object_release(byname_error_take());
  }
}

}  // namespace byname::core
