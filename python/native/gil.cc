#include "gil.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace byname::python {
namespace {

std::atomic<bool> closed{true};
// Threads between their look at `closed` and their hold of the GIL.
std::atomic<int> entering{0};

struct Waiting {
  Waiting* next;
  PyObject* object;
};
std::atomic<Waiting*> waiting{nullptr};

// Held while a thread gets its state, for which CPython 3.11 takes a lock, without the GIL, that its own part of a fork
// waits for in the child before it is made anew: no fork meanwhile.
constinit std::mutex making_state;

void before_fork() { making_state.lock(); }
void after_fork_in_parent() { making_state.unlock(); }
// The child has one thread, whatever the others were at.
void after_fork_in_child() {
  making_state.unlock();
  entering.store(0, std::memory_order_relaxed);
}

// As PyGILState_Ensure would make it, which then counts it up to 1; its release deletes it at 0.
void make_state() {
  std::lock_guard lock(making_state);
  PyThreadState* made = PyThreadState_New(PyInterpreterState_Main());
  if (made != nullptr) made->gilstate_counter = 0;
}

bool begin_entering() {
  entering.fetch_add(1);
  if (!closed.load()) return true;
  entering.fetch_sub(1);
  return false;
}

int drop_waiting_at_leisure(void*) {
  drop_waiting();
  return 0;
}

}  // namespace

MainThread main_thread = {nullptr, nullptr};

bool GilScope::enter() {
  if (!begin_entering()) return false;
  if (PyGILState_GetThisThreadState() == nullptr) make_state();
  state_ = PyGILState_Ensure();
  entering.fetch_sub(1);
  if (!closed.load()) {
    if (waiting.load(std::memory_order_relaxed) != nullptr) drop_waiting();
    return true;
  }
  PyGILState_Release(state_);
  return false;
}

void GilScope::leave() { PyGILState_Release(state_); }

void drop_waiting() {
  Waiting* first = waiting.exchange(nullptr, std::memory_order_acquire);
  if (first == nullptr) return;
  KeepException keep;
  while (first != nullptr) {
    Waiting* next = first->next;
    Py_DECREF(first->object);
    std::free(first);
    first = next;
  }
}

void drop_reference(PyObject* owned) {
  if (holds_gil()) {
    Py_DECREF(owned);
    return;
  }
  if (!begin_entering()) return;
  auto* node = static_cast<Waiting*>(std::malloc(sizeof(Waiting)));
  if (node != nullptr) {
    node->object = owned;
    node->next = waiting.load(std::memory_order_relaxed);
    while (!waiting.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
    // If Python's own queue is full, the next thread that enters sees to it.
    Py_AddPendingCall(&drop_waiting_at_leisure, nullptr);
  }
  entering.fetch_sub(1);
}

void close_gate() {
  closed.store(true);
  Py_BEGIN_ALLOW_THREADS;
  while (entering.load() != 0) sched_yield();
  Py_END_ALLOW_THREADS;
  drop_waiting();
}

int open_gate() {
  if (pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child) != 0) {
    PyErr_SetString(PyExc_MemoryError, "out of memory");
    return -1;
  }
  if (_PyOS_IsMainThread() != 0) main_thread = {&byname_this_thread, PyThreadState_Get()};
  closed.store(false);
  return 0;
}

}  // namespace byname::python
