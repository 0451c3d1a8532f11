// Telling listeners of names that come and go.
#ifndef BYNAME_REGISTRY_EVENTS_H_
#define BYNAME_REGISTRY_EVENTS_H_

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "byname/c_api.h"
#include "registry/name_table.h"

namespace byname::core {

class Events {
 public:
  struct Event {
    const Entry* entry;
    bool created;
    uint64_t next;  // who hears of it next: the first listener with at least this id
    uint64_t last;  // and who last: the newest listener that was there then
  };
  using Noted = std::list<Event>;

  Events();
  // Notes an event of a change that is planned, if it is one and somebody listens. With the registry's mutex held, as
  // until the change is made.
  void note(const Entry* entry, bool created, Noted& noted);
  // The change is made. Calls nobody.
  void push(Noted&& noted) noexcept;
  // Calls the listeners for what has been noted, in order; without the mutex. One thread delivers at a time: if another
  // one (or this one, further up) does, it delivers these, too.
  void deliver();

  // `present` are the names that are there at this moment, noted for the new listener alone.
  uint64_t register_listener(byname_listener listener, const std::vector<const Entry*>& present);
  // When it returns, no other thread is inside the listener or will be. From inside the listener itself it is fine,
  // too.
  void remove_listener(uint64_t id);

  size_t num_listeners_in(uintptr_t begin, uintptr_t end);

  // In a child, whoever delivered there is no more, nor who waited, but what had not been delivered yet is.
  void go_on_in_child();

 private:
  struct Listener {
    uint64_t id;
    byname_listener listener;
  };
  class Turn;
  // The first listener whose id is at least `id`.
  const Listener* find_from(uint64_t id) const;

  std::mutex mutex_;  // guards all below
  std::condition_variable idle_;
  Noted queue_;
  std::vector<Listener> listeners_;
  uint64_t last_id_ = 0;
  uint64_t inside_ = 0;  // the listener that is being called
  bool delivering_ = false;
  std::thread::id deliverer_;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_EVENTS_H_
