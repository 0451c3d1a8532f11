#include "registry/trace.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/fork.h"
#include "object/class.h"
#include "registry/module.h"
#include "registry/trace_file.h"
#include "schema/utf8.h"
#include "value/warning.h"

namespace byname::core {
namespace {

constexpr size_t kBufferSize = 64 * 1024;
constexpr size_t kMaxReason = 128;

using Clock = std::chrono::steady_clock;

// Alike in every locale.
void append_microseconds(std::string& json, Clock::duration duration) {
  char digits[64];
  double number = std::chrono::duration<double, std::micro>(duration).count();
  json.append(digits, std::to_chars(digits, std::end(digits), number, std::chars_format::fixed, 3).ptr);
}

// Names are any bytes: those that are no UTF-8 are taken for Latin-1.
void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    size_t size = character_size(text);
    if (size == 0 || is_control(text.front())) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(text.front()));
      json += escaped;
      size = 1;
    } else {
      if (text.front() == '"' || text.front() == '\\') json += '\\';
      json += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  json += '"';
}

// In Chrome's trace format.
class Trace {
 public:
  // Returns why it cannot, or an empty text.
  std::string begin(const char* path) {
    warning_ = "the trace '" + std::string(path) + "' is incomplete: ";
    warning_.reserve(warning_.size() + kMaxReason);
    name_process();
    std::string failure = file_.open(path, buffer_);
    buffer_.clear();
    if (failure.empty()) unlock_in_children(mutex_);
    return failure;
  }

  void add(const byname_function* function, bool has_failed, Clock::time_point begin, Clock::time_point end) {
    std::lock_guard lock(mutex_);
    if (has_ended_) return;
    size_t size = buffer_.size();
    try {
      append(function, has_failed, begin, end);
      if (!is_buffered_ || buffer_.size() >= kBufferSize) write_out();
    } catch (const std::bad_alloc&) {
      buffer_.resize(size);
      fail("out of memory");
    }
  }

  // Once, if events are missing. Without the mutex and outside of Call's destructor: a handler may call, and may end
  // its thread.
  void warn() {
    if (!is_to_warn_.load(std::memory_order_relaxed) || !is_to_warn_.exchange(false)) return;
    struct Raised {
      byname_object* error = byname_error_take();
      ~Raised() {
        if (error != nullptr) byname_error_raise_object(error);
      }
    } raised;
    core::warn("RuntimeWarning", warning_);
  }

  // What the parent has not written yet it writes itself. A child may end without a word, by _exit.
  void go_on_in_child() {
    std::lock_guard lock(mutex_);
    buffer_.clear();
    is_buffered_ = false;
    is_named_ = false;
    file_.join();
  }

  void end() {
    {
      std::lock_guard lock(mutex_);
      is_buffered_ = false;
      if (!buffer_.empty()) write_out();
    }
    warn();
  }

 private:
  void append(const byname_function* function, bool has_failed, Clock::time_point begin, Clock::time_point end) {
    const byname_module* module = byname_object_prefix(&function->header)->owner->module;
    if (!is_named_) name_process();
    buffer_ += ",\n";
    buffer_ += R"({"ph":"X","name":)";
    append_quoted(buffer_, name_of(function));
    buffer_ += R"(,"ts":)";
    append_microseconds(buffer_, begin.time_since_epoch());
    buffer_ += R"(,"dur":)";
    append_microseconds(buffer_, end - begin);
    buffer_ += R"(,"pid":)" + std::to_string(getpid()) + R"(,"tid":)" + std::to_string(gettid());
    buffer_ += R"(,"args":{"module":)";
    append_quoted(buffer_, module == nullptr ? std::string_view() : module->path);
    buffer_ += has_failed ? R"(,"failed":true}})" : "}}";
  }

  void name_process() {
    buffer_ += ",\n";
    buffer_ += R"({"ph":"M","name":"process_name","pid":)" + std::to_string(getpid()) + R"(,"args":{"name":)";
    append_quoted(buffer_, program_invocation_short_name);
    buffer_ += "}}";
    is_named_ = true;
  }

  void write_out() {
    std::string why = file_.append(buffer_);
    buffer_.clear();
    if (!why.empty()) fail(why);
  }

  void fail(std::string_view why) {
    if (std::exchange(has_ended_, true)) return;
    warning_ += why;
    is_to_warn_ = true;
  }

  std::mutex mutex_;  // guards all below but is_to_warn_
  TraceFile file_;
  std::string buffer_;
  bool is_named_ = false;
  bool is_buffered_ = true;
  bool has_ended_ = false;  // once it has, events are dropped and the warning stays
  std::string warning_;     // has room for the reason
  std::atomic<bool> is_to_warn_ = false;
};

// NULL: calls are not traced. Never destroyed: others may call to the very end.
Trace* const trace = []() -> Trace* {
  const char* path = secure_getenv("BYNAME_TRACE");
  if (path == nullptr || *path == '\0') return nullptr;
  auto made = std::make_unique<Trace>();
  if (std::string failure = made->begin(path); !failure.empty()) {
    warn("RuntimeWarning", "cannot write the trace '" + std::string(path) + "' that BYNAME_TRACE names: " + failure);
    return nullptr;
  }
  call_in_children([] { trace->go_on_in_child(); });
  return made.release();
}();

// When the library's static destructors run.
struct EndOfTrace {
  ~EndOfTrace() {
    if (trace != nullptr) trace->end();
  }
} end_of_trace;

int call_traced(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  struct Call {
    const byname_function* function;
    bool has_failed = true;
    Clock::time_point begin = Clock::now();
    ~Call() { trace->add(function, has_failed, begin, Clock::now()); }
  };
  const auto* function = static_cast<const byname_function*>(self);
  int status = -1;
  {
    Call call{function};
    status = own_thunk(function)(self, arguments, num_arguments, result);
    call.has_failed = status != 0;
  }
  trace->warn();
  return status;
}

}  // namespace

void trace_calls_of(byname_function* function) {
  if (__builtin_expect(trace == nullptr, 1)) return;
  const_cast<byname_details*>(function->details)->traced = function->thunk;
  function->thunk = &call_traced;
  function->signature_id = nullptr;
}

}  // namespace byname::core
