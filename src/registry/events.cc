#include "registry/events.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/fork.h"
#include "byname/error.h"
#include "value/warning.h"

namespace byname::core {

namespace {

void call(const byname_listener& listener, const Entry* entry, bool created) {
  try {
    listener.function(listener.context, {entry->shared.name, entry->shared.name_size}, created);
  } catch (...) {
    byname_error_raise_current();  // lets the forced unwinding of a thread that is cancelled go on
    Error error(byname_error_take());
    warn("RuntimeWarning", "what a listener threw is ignored: " + std::string(error.message()));
  }
}

}  // namespace

Events::Events() { unlock_in_children(mutex_, ForkOrder::kEvents); }

void Events::note(const Entry* entry, bool created, Noted& noted) {
  if (entry->is_local != 0) return;
  std::lock_guard lock(mutex_);
  if (!listeners_.empty()) noted.push_back({entry, created, 1, last_id_});
}

void Events::push(Noted&& noted) noexcept {
  if (noted.empty()) return;
  std::lock_guard lock(mutex_);
  queue_.splice(queue_.end(), noted);
}

const Events::Listener* Events::find_from(uint64_t id) const {
  auto place = std::lower_bound(listeners_.begin(), listeners_.end(), id,
                                [](const Listener& listener, uint64_t wanted) { return listener.id < wanted; });
  return place == listeners_.end() ? nullptr : &*place;
}

// The turn of a thread that delivers. It ends also when the thread is cancelled inside a listener.
class Events::Turn {
 public:
  Turn(Events& events, std::unique_lock<std::mutex>& lock) : events_(events), lock_(lock) {
    events_.delivering_ = true;
    events_.deliverer_ = std::this_thread::get_id();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (!lock_.owns_lock()) lock_.lock();
    events_.inside_ = 0;
    events_.delivering_ = false;
    events_.idle_.notify_all();
  }

 private:
  Events& events_;
  std::unique_lock<std::mutex>& lock_;
};

void Events::deliver() {
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  Turn turn(*this, lock);
  while (!queue_.empty()) {
    // It stays at the front until all have heard it: should this thread be cancelled, the next one goes on.
    Event& event = queue_.front();
    // Listeners come and go while others are called: go on by id.
    const Listener* next = find_from(event.next);
    if (next == nullptr || next->id > event.last) {
      queue_.pop_front();
      continue;
    }
    event.next = next->id + 1;
    inside_ = next->id;
    byname_listener listener = next->listener;
    const Entry* entry = event.entry;
    bool created = event.created;
    lock.unlock();
    call(listener, entry, created);
    lock.lock();
    inside_ = 0;
    idle_.notify_all();
  }
}

void Events::go_on_in_child() {
  ::new (&idle_) std::condition_variable();  // which would wait for those who waited to wake up
  if (delivering_ && deliverer_ != std::this_thread::get_id()) {
    delivering_ = false;
    inside_ = 0;
  }
}

uint64_t Events::register_listener(byname_listener listener, const std::vector<const Entry*>& present) {
  std::lock_guard lock(mutex_);
  uint64_t id = ++last_id_;
  listeners_.push_back({id, listener});
  for (const Entry* entry : present) queue_.push_back({entry, true, id, id});
  return id;
}

size_t Events::num_listeners_in(uintptr_t begin, uintptr_t end) {
  std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(listeners_.begin(), listeners_.end(), [&](const Listener& one) {
    auto place = reinterpret_cast<uintptr_t>(one.listener.function);
    return place >= begin && place < end;
  }));
}

void Events::remove_listener(uint64_t id) {
  std::unique_lock lock(mutex_);
  std::erase_if(listeners_, [id](const Listener& l) { return l.id == id; });
  if (inside_ != id || deliverer_ == std::this_thread::get_id()) return;
  idle_.wait(lock, [&] { return inside_ != id; });
}

}  // namespace byname::core
