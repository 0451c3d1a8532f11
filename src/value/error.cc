#include "value/error.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/thread.h"
#include "object/pool.h"
#include "value/error_trace.h"

namespace byname::core {
namespace {

constexpr const char* kNoText = "";
constexpr std::string_view kMemoryError = "MemoryError";
constexpr std::string_view kOutOfMemory = "out of memory";

// Of the TVM interface: others tell an error where it was. `mode` 0 replaces, 1 appends.
void update_backtrace(byname_object* self, const byname_str* more, int32_t mode) {
  ErrorObject* error = changeable(self);
  if (error == nullptr || more == nullptr) return;
  byname_str& text = error->shared.backtrace;
  size_t kept = mode == 1 ? text.size : 0;
  auto* joined = static_cast<char*>(std::malloc(kept + more->size + 1));
  if (joined == nullptr) return;
  std::memcpy(joined, text.data, kept);
  if (more->size > 0) std::memcpy(joined + kept, more->data, more->size);
  joined[kept + more->size] = '\0';
  if (text.data != kNoText) std::free(const_cast<char*>(text.data));
  text = {joined, kept + more->size};
}

void destroy_error(void* object) {
  auto* error = static_cast<ErrorObject*>(object);
  free_frames(error->frames.load(std::memory_order_acquire));
  if (error->shared.backtrace.data != kNoText) std::free(const_cast<char*>(error->shared.backtrace.data));
  byname_object_release(error->shared.cause);
  byname_object_release(error->shared.extra);
}

constinit CoreClass error_class(BYNAME_ERROR, sizeof(ErrorObject), alignof(ErrorObject), &destroy_error);

// What is raised when there is no memory for an error. Its own reference is never dropped. Shared by all threads, so it
// takes no frames; `extra` is set, so that bindings, which fill that only where it is NULL, attach nothing either.
struct Reserve {
  byname_prefix prefix;
  ErrorObject error;
};

constinit Reserve reserve = {{&error_class, nullptr},
                             {{{BYNAME_COUNT_UNIQUE, BYNAME_ERROR, 0, &byname_object_delete},
                               {kMemoryError.data(), kMemoryError.size()},
                               {kOutOfMemory.data(), kOutOfMemory.size()},
                               {kNoText, 0},
                               &update_backtrace,
                               nullptr,
                               &reserve.error.shared.header},
                              nullptr}};

// NULL without memory; nothing is raised then.
ErrorObject* allocate_error(size_t kind_size, size_t message_size) {
  if (kind_size > PTRDIFF_MAX / 4 || message_size > PTRDIFF_MAX / 4) return nullptr;
  void* memory = try_allocate(&error_class, kind_size + message_size + 2);
  if (memory == nullptr) return nullptr;
  byname_object_init(memory, BYNAME_ERROR);
  auto* error = static_cast<ErrorObject*>(memory);
  auto* texts = reinterpret_cast<char*>(error + 1);
  error->shared.kind = {texts, kind_size};
  error->shared.message = {texts + kind_size + 1, message_size};
  texts[kind_size] = '\0';
  texts[kind_size + 1 + message_size] = '\0';
  error->shared.backtrace = {kNoText, 0};
  error->shared.update_backtrace = &update_backtrace;
  error->shared.cause = nullptr;
  error->shared.extra = nullptr;
  ::new (&error->frames) std::atomic<Frame*>(nullptr);
  return error;
}

byname_object* out_of_memory() {
  byname_object* error = &reserve.error.shared.header;
  byname_object_retain(error);
  return error;
}

void copy_text(byname_str to, std::string_view from) {
  if (!from.empty()) std::memcpy(const_cast<char*>(to.data), from.data(), from.size());
}

}  // namespace

byname_object* make_error(std::string_view kind, std::string_view message, byname_object* cause) {
  ErrorObject* error = allocate_error(kind.size(), message.size());
  if (error == nullptr) return out_of_memory();
  copy_text(error->shared.kind, kind);
  copy_text(error->shared.message, message);
  if (cause != nullptr) {
    byname_object_retain(cause);
    error->shared.cause = cause;
  }
  return &error->shared.header;
}

int raise_object(byname_object* error) {
  byname_thread& thread = byname_this_thread;
  // So that the slot is emptied when the thread ends.
  this_local();
  // Dropping an error may run deleters of others, which raise and take errors of their own.
  if (thread.error != nullptr) byname_object_release(std::exchange(thread.error, nullptr));
  byname_object_release(std::exchange(thread.error, error));
  return -1;
}

int raise(std::string_view kind, std::string_view message) { return raise_object(make_error(kind, message, nullptr)); }

int raise_out_of_memory() { return raise_object(out_of_memory()); }

const ErrorObject* as_own_error(const byname_object* error) {
  bool own = error->type_index == BYNAME_ERROR && byname_is_own(error);
  return own ? reinterpret_cast<const ErrorObject*>(error) : nullptr;
}

ErrorObject* changeable(byname_object* error) {
  if (error == nullptr || error == &reserve.error.shared.header) return nullptr;
  return const_cast<ErrorObject*>(as_own_error(error));
}

}  // namespace byname::core
