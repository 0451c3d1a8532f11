// Threads that others may cancel.
#ifndef BYNAME_BASE_CANCEL_H_
#define BYNAME_BASE_CANCEL_H_

#include <pthread.h>

namespace byname::core {

// While it lives, the thread is not cancelled.
class NoCancel {
 public:
  NoCancel() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
  NoCancel(const NoCancel&) = delete;
  NoCancel& operator=(const NoCancel&) = delete;
  ~NoCancel() { pthread_setcancelstate(state_, nullptr); }

 private:
  int state_ = 0;
};

}  // namespace byname::core

#endif  // BYNAME_BASE_CANCEL_H_
