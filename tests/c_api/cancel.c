/* Threads that end inside of callbacks: by pthread_cancel and by pthread_exit. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_inside = 0;
static int num_dropped = 0;

static void count_drop(void* context) {
  (void)context;
  ++num_dropped;
}

static int hang(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)arguments;
  (void)num_arguments;
  (void)result;
  pthread_mutex_lock(&mutex);
  is_inside = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  while (num_dropped >= 0) pause(); /* for ever */
  return 0;
}

static int leave(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)num_arguments;
  (void)result;
  pthread_exit((void*)(intptr_t)arguments[0].as_int);
}

/* Calls a function by name from a callback, so that C++ frames of several calls are unwound. */
static int nest(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  return byname_call((byname_entry*)context, arguments, num_arguments, result);
}

static void leave_by_warning(void* context, byname_str kind, byname_str message) {
  (void)context;
  (void)kind;
  (void)message;
  pthread_exit((void*)8);
}

static void* warn(void* unused) {
  (void)unused;
  byname_warn(str("UserWarning"), str("the last one"));
  return NULL;
}

static void a_thread_may_end_in_a_warning_handler(void) {
  byname_warning_handler handler = {leave_by_warning, NULL};
  byname_warning_handler old;
  pthread_t thread;
  void* result = NULL;
  byname_warning_handler_set(handler, &old);
  CHECK(pthread_create(&thread, NULL, warn, NULL) == 0);
  CHECK(pthread_join(thread, &result) == 0 && result == (void*)8);
  byname_warning_handler_set(old, NULL);
}

static struct byname_registration* register_function(const char* text, byname_call_fn callback, void* context) {
  byname_definition definition;
  struct byname_registration* registration = NULL;
  memset(&definition, 0, sizeof definition);
  definition.struct_size = sizeof definition;
  definition.text = str(text);
  definition.callback = callback;
  definition.context = context;
  definition.context_deleter = count_drop;
  CHECK(byname_register(&definition, &registration) == 0);
  return registration;
}

static void* call(void* name) {
  byname_any argument = int_value(7);
  byname_any result = none_value();
  CHECK(byname_call(byname_get(str(name)), &argument, 1, &result) == 0);
  return NULL;
}

static void* run(const char* name, int cancels) {
  pthread_t thread;
  void* result = NULL;
  CHECK(pthread_create(&thread, NULL, call, (void*)(intptr_t)name) == 0);
  if (cancels) {
    pthread_mutex_lock(&mutex);
    while (!is_inside) pthread_cond_wait(&changed, &mutex);
    is_inside = 0;
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_cancel(thread) == 0);
  }
  CHECK(pthread_join(thread, &result) == 0);
  return result;
}

int main(void) {
  struct byname_registration* registrations[4];
  int i;
#ifdef __SANITIZE_ADDRESS__ /* its own bookkeeping trips over frames that were unwound by force */
  return 77;
#endif
  registrations[0] = register_function("test.cancel.hang(int a) -> ()", hang, NULL);
  registrations[1] = register_function("test.cancel.leave(int a) -> ()", leave, NULL);
  registrations[2] =
      register_function("test.cancel.nest_hang(int a) -> ()", nest, byname_find(str("test.cancel.hang")));
  registrations[3] =
      register_function("test.cancel.nest_leave(int a) -> ()", nest, byname_find(str("test.cancel.leave")));
  CHECK(run("test.cancel.hang", 1) == PTHREAD_CANCELED);
  CHECK(run("test.cancel.nest_hang", 1) == PTHREAD_CANCELED);
  CHECK(run("test.cancel.leave", 0) == (void*)7);
  CHECK(run("test.cancel.nest_leave", 0) == (void*)7);
  a_thread_may_end_in_a_warning_handler();
  /* The threads that ended inside of them hold nothing. */
  for (i = 0; i < 4; ++i) byname_registration_remove(registrations[i]);
  byname_collect();
  CHECK(num_dropped == 4);
  CHECK(byname_error_take() == NULL);
  return 0;
}
