// Forks: a child has one thread, and nobody who would unlock or finish what another thread had begun.
#ifndef BYNAME_BASE_FORK_H_
#define BYNAME_BASE_FORK_H_

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "byname/c_api.h"

namespace byname::core {

// Under a mutex of one of these orders only mutexes of later ones are taken.
enum class ForkOrder { kRegistry, kEvents, kOthers, kObjects, kThreads, kCount };

// Whoever forks holds the mutex meanwhile, so that the child finds it unlocked and what it guards whole. For mutexes
// that live as long as the process, that are held for moments and under which nobody forks. Called while the library is
// initialised: a mutex that another thread locked before would not be known. Never fails.
void unlock_in_children(std::mutex& mutex, ForkOrder order = ForkOrder::kOthers) noexcept;
void unlock_in_children(std::shared_mutex& mutex, ForkOrder order = ForkOrder::kOthers) noexcept;

// Called in each child, in the order of these calls, once the mutexes are unlocked.
void call_in_children(void (*hook)()) noexcept;

// A mutex that its thread may lock again. In a child it is still locked if the thread that forked had locked it (which
// std::recursive_mutex would take for another one), and free if another thread had. For what is held while foreign code
// runs: no fork waits for it.
class RecursiveMutex {
 public:
  constexpr RecursiveMutex() = default;
  RecursiveMutex(const RecursiveMutex&) = delete;
  RecursiveMutex& operator=(const RecursiveMutex&) = delete;

  void lock();
  bool try_lock();
  void unlock();
  bool is_mine() const { return owner_.load(std::memory_order_relaxed) == &byname_this_thread; }
  // To be called in each child before it is used there.
  void renew_in_child();

 private:
  void take();

  std::mutex mutex_;
  std::atomic<const byname_thread*> owner_ = nullptr;  // NULL for a moment after locking and before unlocking
  int depth_ = 0;                                      // the owner's
};

// While it lives, forks on other threads wait: for changes that a child must find done or not begun and that no single
// mutex covers. Constructors and destructors of shared objects may run meanwhile, which may wait for whoever forks, so
// forks wait for a second at most. It is no mutex: threads that have one do not wait for each other, since one may be
// inside the loader, for which the other waits.
class NoForks {
 public:
  NoForks();
  NoForks(const NoForks&) = delete;
  NoForks& operator=(const NoForks&) = delete;
  ~NoForks();
};

}  // namespace byname::core

#endif  // BYNAME_BASE_FORK_H_
