// Error objects and the slot of the thread that raises them.
//
// Raising never fails: when memory is out, the error is one that exists from the start.
#ifndef BYNAME_VALUE_ERROR_H_
#define BYNAME_VALUE_ERROR_H_

#include <atomic>
#include <string_view>

#include "byname/c_api.h"

namespace byname::core {

struct Frame;

// What stands behind BYNAME_ERROR in the core's own objects. Kind and message follow it, each with a NUL.
struct ErrorObject {
  byname_error shared;
  std::atomic<Frame*> frames;  // where it was and what it passed, the newest first
};

// An error with the texts copied and the cause shared (NULL: none); the caller owns it. Never NULL: without memory it
// is the MemoryError that exists from the start.
byname_object* make_error(std::string_view kind, std::string_view message, byname_object* cause);

// Puts an error, which it takes, into the thread's slot; returns -1.
int raise_object(byname_object* error);
int raise(std::string_view kind, std::string_view message);
// Needs no memory.
int raise_out_of_memory();

// An own error that may be changed; NULL for foreign ones and for the one that exists from the start.
ErrorObject* changeable(byname_object* error);
const ErrorObject* as_own_error(const byname_object* error);

// Puts the exception that is being handled, as an error, into the thread's slot; returns -1. Rethrows forced unwinding.
int raise_current();

// Runs what may throw, behind a C function; its exceptions are raised.
template <class Body>
int guarded(Body&& body) {
  try {
    return body();
  } catch (...) {
    return raise_current();
  }
}

}  // namespace byname::core

#endif  // BYNAME_VALUE_ERROR_H_
