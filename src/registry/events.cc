#include "registry/events.h"

#include <cxxabi.h>

#include <algorithm>

namespace byname::core {

namespace {

void call(const byname_listener& listener, const Entry* entry, bool created) {
  try {
    listener.function(listener.context, {entry->shared.name, entry->shared.name_size}, created);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    constexpr std::string_view kText = "a listener threw an exception, which is ignored";
    byname_warn({"RuntimeWarning", 14}, {kText.data(), kText.size()});
  }
}

}  // namespace

void Events::push(const Entry* entry, bool created) {
  std::lock_guard lock(mutex_);
  if (!listeners_.empty()) queue_.push_back({entry, created, 0, last_id_});
}

const Events::Listener* Events::find_from(uint64_t id) const {
  auto place = std::lower_bound(listeners_.begin(), listeners_.end(), id,
                                [](const Listener& listener, uint64_t wanted) { return listener.id < wanted; });
  return place == listeners_.end() ? nullptr : &*place;
}

void Events::deliver() {
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  deliverer_ = std::this_thread::get_id();
  while (!queue_.empty()) {
    Event event = queue_.front();
    queue_.pop_front();
    // Listeners come and go while others are called: go on by id.
    uint64_t first = event.only != 0 ? event.only : 1;
    uint64_t last = event.only != 0 ? event.only : event.last;
    for (const Listener* next = find_from(first); next != nullptr && next->id <= last; next = find_from(inside_ + 1)) {
      byname_listener listener = next->listener;
      inside_ = next->id;
      lock.unlock();
      call(listener, event.entry, event.created);
      lock.lock();
      idle_.notify_all();
    }
    inside_ = 0;
  }
  delivering_ = false;
}

uint64_t Events::register_listener(byname_listener listener, const std::vector<const Entry*>& present) {
  std::lock_guard lock(mutex_);
  uint64_t id = ++last_id_;
  listeners_.push_back({id, listener});
  for (const Entry* entry : present) queue_.push_back({entry, true, id, id});
  return id;
}

void Events::remove_listener(uint64_t id) {
  std::unique_lock lock(mutex_);
  std::erase_if(listeners_, [id](const Listener& l) { return l.id == id; });
  if (inside_ != id || deliverer_ == std::this_thread::get_id()) return;
  idle_.wait(lock, [&] { return inside_ != id; });
}

}  // namespace byname::core
