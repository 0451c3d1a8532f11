#include "value/error_kind.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>

#include "base/fork.h"
#include "byname/error.h"

namespace byname::core {
namespace {

struct BuiltinKind {
  std::string_view kind;
  std::string_view parent;
  std::string_view second_parent = {};
};

// Sorted by kind. IOError and EnvironmentError are OSError by other names.
constexpr BuiltinKind kBuiltinKinds[] = {
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BaseException", ""},
    {"BaseExceptionGroup", "BaseException"},
    {"BlockingIOError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"BufferError", "Exception"},
    {"BytesWarning", "Warning"},
    {"ChildProcessError", "OSError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionError", "OSError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"DeprecationWarning", "Warning"},
    {"EOFError", "Exception"},
    {"EncodingWarning", "Warning"},
    {"EnvironmentError", "OSError"},
    {"Exception", "BaseException"},
    {"ExceptionGroup", "BaseExceptionGroup", "Exception"},
    {"FileExistsError", "OSError"},
    {"FileNotFoundError", "OSError"},
    {"FloatingPointError", "ArithmeticError"},
    {"FutureWarning", "Warning"},
    {"GeneratorExit", "BaseException"},
    {"IOError", "OSError"},
    {"ImportError", "Exception"},
    {"ImportWarning", "Warning"},
    {"IndentationError", "SyntaxError"},
    {"IndexError", "LookupError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"KeyError", "LookupError"},
    {"KeyboardInterrupt", "BaseException"},
    {"LookupError", "Exception"},
    {"MemoryError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"NameError", "Exception"},
    {"NotADirectoryError", "OSError"},
    {"NotFound", "LookupError", "AttributeError"},
    {"NotImplementedError", "RuntimeError"},
    {"OSError", "Exception"},
    {"OverflowError", "ArithmeticError"},
    {"PendingDeprecationWarning", "Warning"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"RecursionError", "RuntimeError"},
    {"ReferenceError", "Exception"},
    {"ResourceWarning", "Warning"},
    {"RuntimeError", "Exception"},
    {"RuntimeWarning", "Warning"},
    {"StopAsyncIteration", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SyntaxWarning", "Warning"},
    {"SystemError", "Exception"},
    {"SystemExit", "BaseException"},
    {"TabError", "IndentationError"},
    {"TimeoutError", "OSError"},
    {"TypeError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"UnicodeError", "ValueError"},
    {"UnicodeTranslateError", "UnicodeError"},
    {"UnicodeWarning", "Warning"},
    {"UserWarning", "Warning"},
    {"ValueError", "Exception"},
    {"Warning", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
};
static_assert(std::ranges::is_sorted(kBuiltinKinds, {}, &BuiltinKind::kind));

const BuiltinKind* find_builtin(std::string_view kind) {
  const BuiltinKind* place = std::ranges::lower_bound(kBuiltinKinds, kind, {}, &BuiltinKind::kind);
  return place != std::end(kBuiltinKinds) && place->kind == kind ? place : nullptr;
}

// Kinds are never removed, so that texts and parents stay valid.
struct Kinds {
  std::shared_mutex mutex;  // guards parents
  std::map<std::string, std::string, std::less<>> parents;
};

Kinds& kinds() {
  alignas(Kinds) static char memory[sizeof(Kinds)];
  static Kinds* instance = ::new (memory) Kinds();
  return *instance;
}
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(kinds().mutex), true);

const std::pair<const std::string, std::string>* find_registered(std::string_view kind) {
  Kinds& all = kinds();
  std::shared_lock lock(all.mutex);
  auto place = all.parents.find(kind);
  return place == all.parents.end() ? nullptr : &*place;
}

std::string_view other_name(std::string_view kind) {
  return kind == "IOError" || kind == "EnvironmentError" ? std::string_view("OSError") : kind;
}

[[noreturn]] void throw_other_parent(std::string_view kind, std::string_view known, std::string_view parent) {
  std::string message = "error kind '";
  message.append(kind).append("' is below '").append(known).append("' already, it cannot be below '");
  message.append(parent).append("'");
  throw Error("ValueError", message);
}

}  // namespace

std::string_view error_kind_parent(std::string_view kind) {
  if (const BuiltinKind* builtin = find_builtin(kind)) return builtin->parent;
  const auto* registered = find_registered(kind);
  return registered != nullptr ? std::string_view(registered->second) : std::string_view("RuntimeError");
}

std::string_view stable_error_kind(std::string_view kind) {
  if (const BuiltinKind* builtin = find_builtin(kind)) return builtin->kind;
  const auto* registered = find_registered(kind);
  return registered != nullptr ? std::string_view(registered->first) : std::string_view();
}

bool error_kind_is(std::string_view kind, std::string_view ancestor) {
  ancestor = other_name(ancestor);
  for (std::string_view at = kind; !at.empty(); at = error_kind_parent(at)) {
    if (at == ancestor) return true;
    const BuiltinKind* builtin = find_builtin(at);
    if (builtin != nullptr && !builtin->second_parent.empty() && error_kind_is(builtin->second_parent, ancestor)) {
      return true;
    }
  }
  return false;
}

void register_error_kind(std::string_view kind, std::string_view parent) {
  parent = other_name(parent);
  if (kind.empty()) throw Error("ValueError", "an error kind needs a name");
  if (const BuiltinKind* builtin = find_builtin(kind)) {
    if (builtin->parent != parent) throw_other_parent(kind, builtin->parent, parent);
    return;
  }
  if (find_builtin(parent) == nullptr && find_registered(parent) == nullptr) {
    std::string message = "error kind '";
    message.append(kind).append("' needs a parent that is known, got '").append(parent).append("'");
    throw Error("ValueError", message);
  }
  std::string_view known;
  {
    Kinds& all = kinds();
    std::unique_lock lock(all.mutex);
    known = all.parents.try_emplace(std::string(kind), parent).first->second;
  }
  if (known != parent) throw_other_parent(kind, known, parent);
}

}  // namespace byname::core
