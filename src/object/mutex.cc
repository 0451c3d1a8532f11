#include "object/mutex.h"

#include <pthread.h>

namespace byname::core {

constinit std::mutex object_mutex;

namespace {

const int watches_forks =
    pthread_atfork([] { object_mutex.lock(); }, [] { object_mutex.unlock(); }, [] { object_mutex.unlock(); });

}  // namespace
}  // namespace byname::core
