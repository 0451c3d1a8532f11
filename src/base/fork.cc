#include "base/fork.h"

#include <pthread.h>

#include <array>
#include <atomic>

namespace byname::core {
namespace {

struct Watched {
  void* mutex;
  void (*lock)(void* mutex);
  void (*unlock)(void* mutex);
};

// More than there are mutexes in the core.
constexpr size_t kMaxWatched = 32;
constinit std::array<Watched, kMaxWatched> watched = {};
constinit std::atomic<size_t> num_claimed{0};
constinit std::array<std::atomic<bool>, kMaxWatched> is_ready = {};
// Those that the fork which is going on has locked.
constinit std::array<bool, kMaxWatched> is_locked = {};
constinit std::mutex forks;  // guards is_locked: forks take turns

void lock_all() {
  forks.lock();
  for (size_t i = 0; i < kMaxWatched; ++i) {
    is_locked[i] = is_ready[i].load(std::memory_order_acquire);
    if (is_locked[i]) watched[i].lock(watched[i].mutex);
  }
}

void unlock_all() {
  for (size_t i = kMaxWatched; i-- > 0;) {
    if (is_locked[i]) watched[i].unlock(watched[i].mutex);
  }
  forks.unlock();
}

[[maybe_unused]] const int watches_forks = pthread_atfork(lock_all, unlock_all, unlock_all);

template <class Mutex>
void watch(Mutex& mutex) {
  size_t place = num_claimed.fetch_add(1);
  if (place >= kMaxWatched) return;
  watched[place] = {&mutex, [](void* pointer) { static_cast<Mutex*>(pointer)->lock(); },
                    [](void* pointer) { static_cast<Mutex*>(pointer)->unlock(); }};
  is_ready[place].store(true, std::memory_order_release);
}

}  // namespace

void unlock_in_children(std::mutex& mutex) noexcept { watch(mutex); }
void unlock_in_children(std::shared_mutex& mutex) noexcept { watch(mutex); }

}  // namespace byname::core
