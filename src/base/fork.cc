#include "base/fork.h"

#include <pthread.h>

#include <array>
#include <new>
#include <thread>

namespace byname::core {
namespace {

struct Watched {
  void* mutex;
  ForkOrder order;
  void (*lock)(void* mutex);
  void (*unlock)(void* mutex);
  void (*unlock_in_child)(void* mutex);
};

// More than there are in the core.
constexpr size_t kMaxWatched = 32;
constexpr size_t kMaxHooks = 8;
constexpr std::chrono::milliseconds kMostPatience{1000};

constinit std::array<Watched, kMaxWatched> watched = {};
constinit std::atomic<size_t> num_claimed{0};
constinit std::array<std::atomic<bool>, kMaxWatched> is_ready = {};
constinit std::array<std::atomic<void (*)()>, kMaxHooks> hooks = {};
constinit std::atomic<size_t> num_hooks{0};

constinit RecursiveMutex no_forks;
constinit std::atomic<int> num_waiting{0};  // forks that wait for it
constinit std::mutex forks;                 // guards the following: forks take turns
// What the fork that is going on has locked.
constinit std::array<bool, kMaxWatched> is_locked = {};
constinit bool has_no_forks = false;

template <class Visit>
void for_each_locked(ForkOrder order, Visit visit) {
  for (size_t i = 0; i < kMaxWatched; ++i) {
    if (is_locked[i] && watched[i].order == order) visit(watched[i]);
  }
}

void lock_all() {
  // Before all mutexes: whoever has it needs them.
  ++num_waiting;
  bool is_waited_for = no_forks.try_lock_for(kMostPatience);
  --num_waiting;
  forks.lock();
  has_no_forks = is_waited_for;
  for (size_t i = 0; i < kMaxWatched; ++i) is_locked[i] = is_ready[i].load(std::memory_order_acquire);
  for (int order = 0; order < static_cast<int>(ForkOrder::kCount); ++order) {
    for_each_locked(static_cast<ForkOrder>(order), [](const Watched& one) { one.lock(one.mutex); });
  }
}

void unlock_all(void (*Watched::*unlock)(void* mutex)) {
  for (int order = static_cast<int>(ForkOrder::kCount); order-- > 0;) {
    for_each_locked(static_cast<ForkOrder>(order), [unlock](const Watched& one) { (one.*unlock)(one.mutex); });
  }
}

void unlock_in_parent() {
  unlock_all(&Watched::unlock);
  bool was_waited_for = has_no_forks;
  forks.unlock();
  if (was_waited_for) no_forks.unlock();
}

void unlock_in_child() {
  unlock_all(&Watched::unlock_in_child);
  bool was_waited_for = has_no_forks;
  forks.unlock();
  num_waiting = 0;
  no_forks.renew_in_child();
  if (was_waited_for) no_forks.unlock();
  for (const auto& hook : hooks) {
    if (auto* function = hook.load(std::memory_order_acquire)) function();
  }
}

[[maybe_unused]] const int watches_forks = pthread_atfork(lock_all, unlock_in_parent, unlock_in_child);

void watch(const Watched& one) {
  size_t place = num_claimed.fetch_add(1);
  if (place >= kMaxWatched) return;
  watched[place] = one;
  is_ready[place].store(true, std::memory_order_release);
}

}  // namespace

void unlock_in_children(std::mutex& mutex, ForkOrder order) noexcept {
  auto unlock = [](void* pointer) { static_cast<std::mutex*>(pointer)->unlock(); };
  watch({&mutex, order, [](void* pointer) { static_cast<std::mutex*>(pointer)->lock(); }, unlock, unlock});
}

void unlock_in_children(std::shared_mutex& mutex, ForkOrder order) noexcept {
  auto unlock = [](void* pointer) { static_cast<std::shared_mutex*>(pointer)->unlock_shared(); };
  // As a reader, for whom nobody writes: a writer could wait long for others who read all the time.
  watch({&mutex, order, [](void* pointer) { static_cast<std::shared_mutex*>(pointer)->lock_shared(); }, unlock,
         [](void* pointer) {
           static_cast<std::shared_mutex*>(pointer)->unlock_shared();
           ::new (pointer) std::shared_mutex();  // without the readers that are not there
         }});
}

void call_in_children(void (*hook)()) noexcept {
  size_t place = num_hooks.fetch_add(1);
  if (place < kMaxHooks) hooks[place].store(hook, std::memory_order_release);
}

void RecursiveMutex::take() {
  owner_.store(&byname_this_thread, std::memory_order_relaxed);
  depth_ = 1;
}

void RecursiveMutex::lock() {
  if (is_mine()) {
    ++depth_;
    return;
  }
  mutex_.lock();
  take();
}

bool RecursiveMutex::try_lock_for(std::chrono::milliseconds most) {
  if (is_mine()) {
    ++depth_;
    return true;
  }
  // By trying again: ThreadSanitizer does not know the waiting of a timed mutex.
  auto last = std::chrono::steady_clock::now() + most;
  while (!mutex_.try_lock()) {
    if (std::chrono::steady_clock::now() >= last) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  take();
  return true;
}

void RecursiveMutex::unlock() {
  if (--depth_ > 0) return;
  owner_.store(nullptr, std::memory_order_relaxed);
  mutex_.unlock();
}

void RecursiveMutex::renew_in_child() {
  if (is_mine()) return;
  ::new (&mutex_) std::mutex();
  owner_.store(nullptr, std::memory_order_relaxed);
  depth_ = 0;
}

NoForks::NoForks() {
  // A thread that takes it again and again would leave forks no moment. They wait for no other lock here.
  while (!no_forks.is_mine() && num_waiting > 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
  no_forks.lock();
}
NoForks::~NoForks() { no_forks.unlock(); }

}  // namespace byname::core
