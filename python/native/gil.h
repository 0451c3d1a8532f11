// Who may touch Python when: the GIL, threads of C++, the end of the interpreter.
#ifndef BYNAME_PYTHON_GIL_H_
#define BYNAME_PYTHON_GIL_H_

#include "base.h"

namespace byname::python {

// Python's main thread, whose state is there from the interpreter's start to its end. NULL where the extension was
// imported by another thread.
struct MainThread {
  const byname_thread* thread;
  PyThreadState* state;
};
extern MainThread main_thread;

// This thread's state if it holds the GIL, else NULL. PyGILState_Check would say yes to all once there was a second
// interpreter.
inline PyThreadState* state_with_gil() {
  PyThreadState* holder = _PyThreadState_UncheckedGet();
  if (BYNAME_LIKELY(&byname_this_thread == main_thread.thread)) {
    return holder == main_thread.state ? holder : nullptr;
  }
  return holder != nullptr && holder == PyGILState_GetThisThreadState() ? holder : nullptr;
}
inline bool holds_gil() { return state_with_gil() != nullptr; }

// Takes the GIL if this thread lacks it, and gives it back. False once the interpreter ends: then nothing of Python may
// be touched.
class GilScope {
 public:
  GilScope() : held_(holds_gil()), open_(held_ || enter()) {}
  GilScope(const GilScope&) = delete;
  GilScope& operator=(const GilScope&) = delete;
  ~GilScope() {
    if (BYNAME_UNLIKELY(open_ && !held_)) leave();
  }
  explicit operator bool() const { return open_; }

 private:
  bool enter();
  void leave();
  PyGILState_STATE state_{};  // before those whose initialisation sets it
  bool held_;
  bool open_;
};

// Drops a reference from any thread, whatever locks it holds: without the GIL the reference waits for a thread that has
// it; once the interpreter ends it is leaked.
void drop_reference(PyObject* owned);
// Drops what waits. Needs the GIL.
void drop_waiting();

// Ends calls of C++ threads into Python: waits for those that are about to enter; later ones fail. Needs the GIL.
void close_gate();
// Once, when the module is made.
int open_gate();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_GIL_H_
