// The one mutex of the object layer.
#ifndef BYNAME_OBJECT_MUTEX_H_
#define BYNAME_OBJECT_MUTEX_H_

#include <mutex>

namespace byname::core {

// Guards what the object layer changes rarely: the type table's writers, the list of classes, the list of threads with
// their counters, and what ended threads have counted. Looking up types, making and dropping objects do not lock it.
// Held for moments only: no user code, no raising of errors and no object's allocation under it. A forked child finds
// it unlocked.
extern constinit std::mutex object_mutex;

}  // namespace byname::core

#endif  // BYNAME_OBJECT_MUTEX_H_
