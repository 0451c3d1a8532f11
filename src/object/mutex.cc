#include "object/mutex.h"

#include "base/fork.h"

namespace byname::core {

constinit std::mutex object_mutex;

namespace {

[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(object_mutex, ForkOrder::kObjects), true);

}  // namespace
}  // namespace byname::core
