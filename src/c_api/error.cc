// Errors and warnings behind the C interface.
#include "byname/error.h"

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "value/error.h"
#include "value/error_kind.h"
#include "value/error_trace.h"
#include "value/warning.h"

using namespace byname;
using detail::from_c;

namespace {

const byname_error* shared(const byname_object* error) { return reinterpret_cast<const byname_error*>(error); }

byname_any error_value(byname_object* owned) {
  byname_any value{owned->type_index, 0, {0}};
  value.as_object = owned;
  return value;
}

}  // namespace

int byname_error_raise(byname_str kind, byname_str message) { return core::raise(from_c(kind), from_c(message)); }

int byname_error_raisef(const char* kind, const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  int size = std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (size < 0) return core::raise(kind, format);
  if (static_cast<size_t>(size) < sizeof buffer) return core::raise(kind, {buffer, static_cast<size_t>(size)});
  try {
    std::string message(static_cast<size_t>(size), '\0');
    va_start(arguments, format);
    std::vsnprintf(message.data(), message.size() + 1, format, arguments);
    va_end(arguments);
    return core::raise(kind, message);
  } catch (const std::bad_alloc&) {
    return core::raise_out_of_memory();
  }
}

int byname_error_raise_object(byname_object* error) { return core::raise_object(error); }

byname_object* byname_error_take(void) { return std::exchange(byname_this_thread.error, nullptr); }

int byname_error_new(byname_str kind, byname_str message, byname_object* cause, byname_any* out) {
  *out = error_value(core::make_error(from_c(kind), from_c(message), cause));
  return 0;
}

byname_str byname_error_kind(const byname_object* error) { return shared(error)->kind; }

byname_str byname_error_message(const byname_object* error) { return shared(error)->message; }

byname_object* byname_error_cause(const byname_object* error) { return shared(error)->cause; }

int byname_error_trace(const byname_object* error, byname_any* out) {
  return core::guarded([&] { return byname_string_new(detail::to_c(core::print_trace(error)), out); });
}

void byname_error_pass(byname_object* error, byname_str function, const char* file, int32_t line) {
  core::pass_error(error, from_c(function), file, line);
}

int byname_error_kind_register(byname_str kind, byname_str parent) {
  return core::guarded([&] {
    core::register_error_kind(from_c(kind), from_c(parent));
    return 0;
  });
}

int byname_error_kind_is(byname_str kind, byname_str ancestor) {
  return core::error_kind_is(from_c(kind), from_c(ancestor)) ? 1 : 0;
}

int byname_error_kind_is_known(byname_str kind) { return core::stable_error_kind(from_c(kind)).empty() ? 0 : 1; }

byname_str byname_error_kind_parent(byname_str kind) { return detail::to_c(core::error_kind_parent(from_c(kind))); }

int byname_error_class_register(const byname_error_class* declared) {
  return core::guarded([&] {
    core::register_error_class(*declared);
    return 0;
  });
}

int byname_error_raise_current(void) { return core::raise_current(); }

int byname_error_raise_through(const byname_function* function) {
  core::raise_current();
  if (function != nullptr) {
    core::FunctionSite site = core::function_site(function);
    core::pass_error(byname_this_thread.error, site.name, site.file, site.line);
  }
  return -1;
}

void byname_warning_handler_set(byname_warning_handler handler, byname_warning_handler* old) {
  byname_warning_handler before = core::set_warning_handler(handler);
  if (old != nullptr) *old = before;
}

void byname_warn(byname_str kind, byname_str message) { core::warn(from_c(kind), from_c(message)); }
