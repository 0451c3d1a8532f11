// Hearing of names that come and go.
#ifndef BYNAME_LISTENER_H_
#define BYNAME_LISTENER_H_

#include <functional>
#include <memory>

#include "byname/error.h"

namespace byname {

// Calls a function with every name that is registered (true) or removed (false), in the order in which it happened,
// first with those that are registered now. On whichever thread changes something, without any lock held: it may
// register, remove and listen itself. What it throws is warned about.
//
// Ends with this object; then no other thread is inside the function.
class Listener {
 public:
  using Function = std::function<void(std::string_view name, bool created)>;

  explicit Listener(Function function) : function_(std::make_unique<Shared>(new Function(std::move(function)))) {
    byname_listener listener = {[](void* context, byname_str name, int created) {
                                  Shared keep = *static_cast<Shared*>(context);  // it may end its own listener
                                  (*keep)(detail::from_c(name), created != 0);
                                },
                                function_.get()};
    detail::check(byname_listener_register(listener, &id_));
  }
  Listener(Listener&& other) noexcept : function_(std::move(other.function_)), id_(std::exchange(other.id_, 0)) {}
  Listener& operator=(Listener&& other) noexcept {
    std::swap(function_, other.function_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Listener() {
    if (id_ != 0) byname_listener_remove(id_);
  }

 private:
  using Shared = std::shared_ptr<Function>;
  std::unique_ptr<Shared> function_;  // at one address, which the callback knows
  uint64_t id_ = 0;
};

}  // namespace byname

#endif  // BYNAME_LISTENER_H_
