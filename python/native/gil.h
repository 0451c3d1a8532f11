// Who may touch Python when: the GIL, threads of C++, the end of the interpreter.
#ifndef BYNAME_PYTHON_GIL_H_
#define BYNAME_PYTHON_GIL_H_

#include "base.h"

namespace byname::python {

// Whether this thread holds the GIL. PyGILState_Check would say yes to all once there was a second interpreter.
inline bool holds_gil() {
  PyThreadState* mine = PyGILState_GetThisThreadState();
  return mine != nullptr && mine == _PyThreadState_UncheckedGet();
}

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
  bool held_;
  bool open_;
  PyGILState_STATE state_{};
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
