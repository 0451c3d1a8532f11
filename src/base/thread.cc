#include "base/thread.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "base/fork.h"

BYNAME_THREAD_LOCAL byname_thread byname_this_thread __attribute__((tls_model("initial-exec"))) = {};

namespace byname::core {
namespace {

// A destructor of another library may call in after ours ran; the fourth time, pthread stops asking us.
constexpr int kMaxEnds = 3;

struct Threads {
  std::mutex mutex;  // guards all
  std::vector<Local*> locals;
  pthread_key_t key = 0;
  bool has_key = false;
  std::array<std::atomic<ExitHook>, static_cast<size_t>(LocalSlot::kCount)> hooks = {};
};

// Never destroyed: threads end after static destructors, too.
Threads& threads() {
  alignas(Threads) static char memory[sizeof(Threads)];
  static Threads* instance = ::new (memory) Threads();
  return *instance;
}

__thread int ends __attribute__((tls_model("initial-exec"))) = 0;

void run_exit_hooks(Local* local) {
  for (size_t i = threads().hooks.size(); i-- > 0;) {  // later layers drop what earlier ones keep
    ExitHook hook = threads().hooks[i].load(std::memory_order_acquire);
    // A hook that drops objects may fill its slot again.
    while (hook != nullptr && local->slots[i] != nullptr) hook(std::exchange(local->slots[i], nullptr));
  }
}

extern "C" void end_thread(void* pointer) {
  auto* local = static_cast<Local*>(pointer);
  ++ends;
  run_exit_hooks(local);
  Threads& all = threads();
  {
    std::lock_guard lock(all.mutex);
    auto place = std::find(all.locals.begin(), all.locals.end(), local);
    if (place != all.locals.end()) all.locals.erase(place);
    byname_this_thread.limit = nullptr;
    byname_this_thread.local = nullptr;
  }
  byname_object_release(std::exchange(byname_this_thread.error, nullptr));
  // Releasing the error may have entered the thread again; then pthread calls this once more.
  delete local;
}

// A forked child has one thread; the others' records are no threads' any more and must not protect anything.
void keep_only_this_thread() {
  Threads& all = threads();
  std::erase_if(all.locals, [](Local* local) { return local != byname_this_thread.local; });
}

[[maybe_unused]] const bool is_fork_safe = [] {
  unlock_in_children(threads().mutex, ForkOrder::kThreads);
  call_in_children(keep_only_this_thread);
  return true;
}();

}  // namespace

Local* enter_thread() {
  if (byname_this_thread.local != nullptr) return static_cast<Local*>(byname_this_thread.local);
  if (ends >= kMaxEnds) return nullptr;
  Threads& all = threads();
  auto* local = new (std::nothrow) Local{&byname_this_thread, {}};
  if (local == nullptr) return nullptr;
  std::lock_guard lock(all.mutex);
  if (!all.has_key) {
    if (pthread_key_create(&all.key, end_thread) != 0) {
      delete local;
      return nullptr;
    }
    all.has_key = true;
  }
  pthread_setspecific(all.key, local);
  all.locals.push_back(local);
  byname_this_thread.local = local;
  // A thread that comes back at its end may be inside of calls.
  if (byname_this_thread.top == nullptr) byname_this_thread.top = byname_this_thread.hazards;
  byname_this_thread.limit = &byname_this_thread.hazards[BYNAME_NUM_HAZARDS - 1];
  return local;
}

void set_exit_hook(LocalSlot slot, ExitHook hook) {
  threads().hooks[static_cast<size_t>(slot)].store(hook, std::memory_order_release);
}

void for_each_thread(LocalVisitor visit, void* context) {
  Threads& all = threads();
  std::lock_guard lock(all.mutex);
  for (Local* local : all.locals) visit(context, local);
}

}  // namespace byname::core
