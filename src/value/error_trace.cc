#include "value/error_trace.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace byname::core {

namespace {

// An error that unwinds an endless recursion need not keep all of it.
constexpr uint32_t kMaxDepth = 64;

}  // namespace

// One place. The function's and the file's text follow it.
struct Frame {
  Frame* older;
  uint32_t function_size;
  uint32_t file_size;
  int32_t line;
  uint32_t depth;                 // how many are older
  std::atomic<uint32_t> repeats;  // how often the error passed here again, at once
  std::atomic<uint32_t> dropped;  // places after this one that were not kept

  bool is_last() const { return depth + 1 >= kMaxDepth; }
  char* texts() { return reinterpret_cast<char*>(this + 1); }
  std::string_view function() const { return {reinterpret_cast<const char*>(this + 1), function_size}; }
  std::string_view file() const { return {reinterpret_cast<const char*>(this + 1) + function_size, file_size}; }
};

namespace {

constexpr size_t kMaxText = 1 << 16;

constinit std::atomic<FunctionSiteHook> function_site_hook{nullptr};

Frame* make_frame(std::string_view function, std::string_view file, int32_t line) {
  void* memory = std::malloc(sizeof(Frame) + function.size() + file.size());
  if (memory == nullptr) return nullptr;
  auto* frame = ::new (memory)
      Frame{nullptr, static_cast<uint32_t>(function.size()), static_cast<uint32_t>(file.size()), line, 0, 0, 0};
  if (!function.empty()) std::memcpy(frame->texts(), function.data(), function.size());
  if (!file.empty()) std::memcpy(frame->texts() + function.size(), file.data(), file.size());
  return frame;
}

void append_frame(std::string& out, const Frame& frame) {
  out.append(frame.function());
  if (frame.file_size > 0) {
    if (frame.function_size > 0) out.append(" (");
    out.append(frame.file()).append(":").append(std::to_string(frame.line));
    if (frame.function_size > 0) out.append(")");
  }
  if (uint32_t repeats = frame.repeats.load(std::memory_order_relaxed); repeats > 0) {
    out.append("\n[the same ").append(std::to_string(repeats)).append(repeats == 1 ? " more time]" : " more times]");
  }
}

void append_line(std::string& out) {
  if (!out.empty()) out.append("\n");
}

}  // namespace

void pass_error(byname_object* object, std::string_view function, const char* path, int32_t line) {
  ErrorObject* error = changeable(object);
  if (error == nullptr) return;
  std::string_view file = path == nullptr ? std::string_view() : std::string_view(path);
  if (function.empty() && file.empty()) return;
  function = function.substr(0, kMaxText);
  file = file.substr(0, kMaxText);
  Frame* newest = error->frames.load(std::memory_order_acquire);
  if (newest != nullptr && newest->is_last()) {
    newest->dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (newest != nullptr && newest->line == line && newest->function() == function && newest->file() == file) {
    newest->repeats.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Frame* frame = make_frame(function, file, line);
  if (frame == nullptr) return;
  do {
    frame->older = newest;
    frame->depth = newest == nullptr ? 0 : newest->depth + 1;
  } while (!error->frames.compare_exchange_weak(newest, frame, std::memory_order_acq_rel, std::memory_order_acquire));
}

std::string print_trace(const byname_object* object) {
  std::string out;
  const ErrorObject* error = as_own_error(object);
  if (error != nullptr) {
    for (const Frame* frame = error->frames.load(std::memory_order_acquire); frame != nullptr; frame = frame->older) {
      if (uint32_t dropped = frame->dropped.load(std::memory_order_relaxed); dropped > 0) {
        append_line(out);
        out.append("[").append(std::to_string(dropped)).append(" more]");
      }
      append_line(out);
      append_frame(out, *frame);
    }
  }
  byname_str backtrace = reinterpret_cast<const byname_error*>(object)->backtrace;
  if (backtrace.size > 0) {
    append_line(out);
    out.append(backtrace.data, backtrace.size);
  }
  return out;
}

void free_frames(Frame* frames) {
  while (frames != nullptr) {
    Frame* frame = frames;
    frames = frame->older;
    std::free(frame);
  }
}

void set_function_site_hook(FunctionSiteHook hook) { function_site_hook.store(hook, std::memory_order_release); }

FunctionSite function_site(const byname_function* function) {
  FunctionSiteHook hook = function_site_hook.load(std::memory_order_acquire);
  return hook == nullptr || function == nullptr ? FunctionSite{} : hook(function);
}

}  // namespace byname::core
