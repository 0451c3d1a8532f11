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

// Forks that wait or go on, for which new threads without forks wait, and such threads, for which forks wait.
constinit std::atomic<int> num_forks{0};
constinit std::atomic<int> num_without_forks{0};
__thread int depth_without_forks __attribute__((tls_model("initial-exec"))) = 0;
constinit std::mutex forks;  // guards the following: forks take turns
// What the fork that is going on has locked.
constinit std::array<bool, kMaxWatched> is_locked = {};

int is_without_forks() { return depth_without_forks > 0 ? 1 : 0; }
void wait_a_little() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

template <class Visit>
void for_each_locked(ForkOrder order, Visit visit) {
  for (size_t i = 0; i < kMaxWatched; ++i) {
    if (is_locked[i] && watched[i].order == order) visit(watched[i]);
  }
}

void lock_all() {
  // Before all mutexes: threads without forks need them.
  ++num_forks;
  auto last = std::chrono::steady_clock::now() + kMostPatience;
  while (num_without_forks > is_without_forks() && std::chrono::steady_clock::now() < last) wait_a_little();
  forks.lock();
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
  forks.unlock();
  --num_forks;
}

void unlock_in_child() {
  unlock_all(&Watched::unlock_in_child);
  forks.unlock();
  num_forks = 0;
  num_without_forks = is_without_forks();
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

bool RecursiveMutex::try_lock() {
  if (is_mine()) {
    ++depth_;
    return true;
  }
  if (!mutex_.try_lock()) return false;
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
  if (++depth_without_forks > 1) return;
  for (;; --num_without_forks) {
    while (num_forks > 0) wait_a_little();
    ++num_without_forks;
    if (num_forks == 0) return;
  }
}
NoForks::~NoForks() {
  if (--depth_without_forks == 0) --num_without_forks;
}

}  // namespace byname::core
