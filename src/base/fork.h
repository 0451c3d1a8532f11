// Mutexes across fork: a child has one thread, and nobody who would unlock what another thread had locked.
#ifndef BYNAME_BASE_FORK_H_
#define BYNAME_BASE_FORK_H_

#include <mutex>
#include <shared_mutex>

namespace byname::core {

// Whoever forks holds the mutex meanwhile, so that the child finds it unlocked and what it guards whole. For mutexes
// that live as long as the process and under which no other one of these is taken. Never fails; any thread.
void unlock_in_children(std::mutex& mutex) noexcept;
void unlock_in_children(std::shared_mutex& mutex) noexcept;

}  // namespace byname::core

#endif  // BYNAME_BASE_FORK_H_
