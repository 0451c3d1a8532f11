#include "registry/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "base/fork.h"
#include "object/class.h"
#include "registry/module.h"
#include "schema/utf8.h"
#include "value/warning.h"

namespace byname::core {
namespace {

constexpr size_t kBufferSize = 64 * 1024;

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

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

// The file, in Chrome's trace format: a JSON array with an event a line. Lines of children of a fork go to the same
// file; the process that opened it ends the array.
class Trace {
 public:
  explicit Trace(const char* path) : file_(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      std::string text = "cannot write the trace '" + std::string(path) + "' that BYNAME_TRACE names: ";
      byname_warn({"RuntimeWarning", 14}, detail::to_c(text + std::generic_category().message(errno)));
      return;
    }
    buffer_ = "[\n";
    write_out();  // before what any child writes
    unlock_in_children(mutex_);
  }
  bool is_open() const { return file_ >= 0; }

  void add(const byname_function* function, bool has_failed, Clock::time_point begin, Clock::time_point end) {
    const byname_module* module = byname_object_prefix(&function->header)->owner->module;
    std::lock_guard lock(mutex_);
    if (has_ended_) return;
    buffer_ += R"({"ph":"X","name":)";
    append_quoted(buffer_, name_of(function));
    char numbers[128];
    std::snprintf(numbers, sizeof numbers, R"(,"ts":%.3f,"dur":%.3f,"pid":%d,"tid":%d,"args":{"module":)",
                  microseconds(begin.time_since_epoch()), microseconds(end - begin), getpid(), gettid());
    buffer_ += numbers;
    append_quoted(buffer_, module == nullptr ? std::string_view() : module->path);
    buffer_ += has_failed ? ",\"failed\":true}},\n" : "}},\n";
    if (buffer_.size() >= kBufferSize) write_out();
  }

  // What the parent has not written yet it writes itself.
  void go_on_in_child() { buffer_.clear(); }

  void end() {
    if (!is_open()) return;
    std::lock_guard lock(mutex_);
    if (getpid() == owner_) {
      buffer_ += R"({"ph":"M","name":"process_name","pid":)" + std::to_string(owner_) + R"(,"args":{"name":)";
      append_quoted(buffer_, program_invocation_short_name);
      buffer_ += "}}]\n";
    }
    write_out();
    has_ended_ = true;
  }

 private:
  void write_out() {
    for (size_t done = 0; done < buffer_.size();) {
      ssize_t written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) break;  // a full disk: the trace has a gap, the program goes on
      done += static_cast<size_t>(written);
    }
    buffer_.clear();
  }

  std::mutex mutex_;  // guards all below
  std::string buffer_;
  bool has_ended_ = false;
  const pid_t owner_ = getpid();
  const int file_;
};

// NULL: calls are not traced. Never destroyed: others may call to the very end.
Trace* const trace = [] {
  const char* path = std::getenv("BYNAME_TRACE");
  auto* made = path == nullptr || *path == '\0' ? nullptr : new Trace(path);
  if (made == nullptr || !made->is_open()) return static_cast<Trace*>(nullptr);
  call_in_children([] { trace->go_on_in_child(); });
  return made;
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
  Call call{function};
  int status = own_thunk(function)(self, arguments, num_arguments, result);
  call.has_failed = status != 0;
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
