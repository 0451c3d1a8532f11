// Errors: one exception class, whose object crosses every boundary.
#ifndef BYNAME_ERROR_H_
#define BYNAME_ERROR_H_

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "byname/c_api.h"
#include "byname/macros.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

constexpr byname_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }
constexpr std::string_view from_c(byname_str text) noexcept { return {text.data, text.size}; }

}  // namespace detail

// What every failing call throws. `kind` tells the caller what to do next; it is the name of a Python exception
// ("TypeError", "ValueError", "IndexError", "KeyError", "NotFound", "OverflowError", "MemoryError", "OSError",
// "RuntimeError", ...) or a registered kind of a library's own ("zstd.Error").
//
// Copies share one error object. Safe to read from several threads. A standard exception that leaves a registered
// function arrives at the caller as an Error, too: out_of_range as IndexError; invalid_argument, domain_error,
// length_error and range_error as ValueError; overflow_error as OverflowError; bad_alloc as MemoryError; bad_cast and
// bad_variant_access as TypeError; system_error as OSError, "[Errno 2] No such file or directory: ..."; classes of
// register_error as their kind; others as RuntimeError. What std::throw_with_nested nested is the cause.
class Error : public std::exception {
 public:
  // The site is where the constructor is called.
  BYNAME_COLD Error(std::string_view kind, std::string_view message, const char* file = BYNAME_THIS_FILE,
                    int line = BYNAME_THIS_LINE) {
    byname_any made{};
    if (byname_error_new(detail::to_c(kind), detail::to_c(message), nullptr, &made) == 0) {
      object_ = made.as_object;
      byname_error_pass(object_, {nullptr, 0}, file, line);
    } else {
      object_ = byname_error_take();  // out of memory: the preallocated error that says so
    }
  }
  // Takes a reference to an error object, as byname_error_take returns it.
  explicit Error(byname_object* taken) noexcept : object_(taken) {}
  Error(const Error& other) noexcept : object_(other.object_) { byname_object_retain(object_); }
  Error& operator=(const Error& other) noexcept {
    byname_object_retain(other.object_);
    byname_object_release(std::exchange(object_, other.object_));
    return *this;
  }
  ~Error() override { byname_object_release(object_); }

  std::string_view kind() const noexcept { return detail::from_c(byname_error_kind(object_)); }
  std::string_view message() const noexcept { return detail::from_c(byname_error_message(object_)); }
  // The message; NUL-terminated, lives as long as the error.
  const char* what() const noexcept override { return byname_error_message(object_).data; }
  // Whether the kind is `kind` or below it: a NotFound is a LookupError.
  bool is(std::string_view kind) const noexcept {
    return byname_error_kind_is(byname_error_kind(object_), detail::to_c(kind)) != 0;
  }
  // Where it was raised and which calls by name it passed, a line each.
  std::string trace() const {
    byname_any text{};
    byname_str characters{};
    if (byname_error_trace(object_, &text) != 0) return std::string();
    byname_any_text(&text, &characters);
    std::string lines(characters.data, characters.size);
    byname_any_drop(&text);
    return lines;
  }
  // Borrowed.
  byname_object* object() const noexcept { return object_; }

 private:
  byname_object* object_;
};

namespace detail BYNAME_HIDDEN {

// Throws what is in the thread's slot.
[[noreturn]] BYNAME_COLD inline void throw_raised() { throw Error(byname_error_take()); }

inline void check(int status) {
  if (__builtin_expect(status != 0, 0)) throw_raised();
}

// Inside a catch block: throws the current exception again, as an Error.
[[noreturn]] BYNAME_COLD inline void throw_current(const byname_function* function) {
  byname_error_raise_through(function);
  throw_raised();
}

[[noreturn]] BYNAME_COLD inline void throw_error(const char* kind, const char* message) {
  throw Error(kind, message, nullptr, 0);
}

}  // namespace detail

}  // namespace byname

#endif  // BYNAME_ERROR_H_
