// From C++ exceptions to errors. Nothing is thrown again to find out what was thrown: that would double the price.
#include <cxxabi.h>

#include <any>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>

#include "base/demangle.h"
#include "byname/error.h"
#include "value/error.h"
#include "value/error_kind.h"

namespace byname::core {
namespace {

// What std::throw_with_nested nests deeper is left out.
constexpr int kMaxCauses = 64;

struct StandardClass {
  const std::type_info* type;
  std::string_view kind;
};

// The frequent ones first.
const StandardClass kStandardClasses[] = {
    {&typeid(std::runtime_error), "RuntimeError"},   {&typeid(std::invalid_argument), "ValueError"},
    {&typeid(std::out_of_range), "IndexError"},      {&typeid(std::bad_alloc), "MemoryError"},
    {&typeid(std::overflow_error), "OverflowError"}, {&typeid(std::domain_error), "ValueError"},
    {&typeid(std::length_error), "ValueError"},      {&typeid(std::range_error), "ValueError"},
    {&typeid(std::system_error), "OSError"},         {&typeid(std::bad_cast), "TypeError"},
    {&typeid(std::bad_variant_access), "TypeError"}, {&typeid(std::logic_error), "RuntimeError"},
    {&typeid(std::exception), "RuntimeError"},
};

// A thrown object and what it is.
struct Thrown {
  const std::type_info* type;
  void* object;

  template <class T>
  T* as() const {
    void* adjusted = object;
    return typeid(T).__do_catch(type, &adjusted, 1) ? static_cast<T*>(adjusted) : nullptr;
  }
};

Thrown thrown_in(const std::exception_ptr& exception) {
  static_assert(sizeof(std::exception_ptr) == sizeof(void*));
  void* object = nullptr;
  // Its one member, by the ABI that all of its users share.
  std::memcpy(&object, static_cast<const void*>(&exception), sizeof object);
  return {exception.__cxa_exception_type(), object};
}

std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : text; }

std::string paths_of(const std::filesystem::filesystem_error& error) {
  if (error.path1().empty()) return std::string();
  std::string text = "'" + error.path1().native() + "'";
  if (!error.path2().empty()) text.append(" -> '").append(error.path2().native()).append("'");
  return text;
}

// As Python writes it: "[Errno 2] No such file or directory: 'x'". Only the codes of the system are errnos.
std::string system_text(const std::system_error& error, const std::filesystem::filesystem_error* file) {
  const std::error_category& category = error.code().category();
  std::string_view what = text_or_empty(error.what());
  if (category != std::system_category() && category != std::generic_category()) return std::string(what);
  std::string reason = error.code().message();
  std::string text = "[Errno " + std::to_string(error.code().value()) + "] " + reason;
  std::string detail;
  if (file != nullptr) {
    detail = paths_of(*file);
  } else if (what.ends_with(": " + reason)) {
    detail = what.substr(0, what.size() - reason.size() - 2);
  } else if (what != reason) {
    detail = what;
  }
  if (!detail.empty()) text.append(": ").append(detail);
  return text;
}

void assign_text(void* to, byname_str text) { static_cast<std::string*>(to)->assign(text.data, text.size); }

// What the standard library itself throws, recognised by its address alone.
const StandardClass* exactly_standard(const std::type_info* type) {
  for (const StandardClass& one : kStandardClasses) {
    if (one.type == type) return &one;
  }
  return nullptr;
}

// Of the standard classes that the object is, one that derives from the others.
const StandardClass* standard_class(const Thrown& thrown) {
  const StandardClass* nearest = nullptr;
  for (const StandardClass& one : kStandardClasses) {
    void* adjusted = thrown.object;
    if (!one.type->__do_catch(thrown.type, &adjusted, 1)) continue;
    if (nearest == nullptr || is_base(*nearest->type, *one.type)) nearest = &one;
  }
  return nearest;
}

// False: no registered class fits, or the standard one derives from it.
bool describe_registered(const Thrown& thrown, const StandardClass* standard, std::string_view& kind,
                         std::string& message) {
  ErrorClass found{};
  void* as_class = nullptr;
  if (!find_error_class(*thrown.type, thrown.object, found, as_class)) return false;
  if (standard != nullptr && *found.type != *standard->type && is_base(*found.type, *standard->type)) return false;
  kind = found.kind;
  try {
    found.describe(as_class, &assign_text, &message);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    message = "exception of type '" + demangled(*thrown.type) + "' whose description failed";
  }
  return true;
}

byname_object* translate(const std::exception_ptr& exception, int depth);

// The cause of an exception that std::throw_with_nested threw; the caller owns it.
byname_object* cause_of(const Thrown& thrown, int depth) {
  auto* nested = thrown.as<std::nested_exception>();
  if (nested == nullptr || nested->nested_ptr() == nullptr || depth >= kMaxCauses) return nullptr;
  return translate(nested->nested_ptr(), depth + 1);
}

// NULL: not an object of a standard class itself, or one of those has to be looked at more closely.
byname_object* translate_exactly_standard(const Thrown& thrown) {
  const StandardClass* standard = exactly_standard(thrown.type);
  if (standard == nullptr || standard->kind == "OSError" || standard_classes_are_registered()) return nullptr;
  if (standard->kind == "MemoryError") return make_error(standard->kind, "out of memory", nullptr);
  return make_error(standard->kind, text_or_empty(static_cast<std::exception*>(thrown.object)->what()), nullptr);
}

byname_object* translate(const std::exception_ptr& exception, int depth) {
  Thrown thrown = thrown_in(exception);
  if (byname_object* made = translate_exactly_standard(thrown)) return made;
  if (auto* error = thrown.as<Error>()) {
    byname_object_retain(error->object());
    return error->object();
  }
  const StandardClass* standard = standard_class(thrown);
  std::string_view kind = standard != nullptr ? standard->kind : std::string_view("RuntimeError");
  std::string message;
  std::string_view text;
  if (describe_registered(thrown, standard, kind, message)) {
    text = message;
  } else if (auto* system = thrown.as<std::system_error>()) {
    text = message = system_text(*system, thrown.as<std::filesystem::filesystem_error>());
  } else if (kind == "MemoryError") {
    text = "out of memory";  // of a class that derives from bad_alloc
  } else if (auto* any_exception = thrown.as<std::exception>()) {
    text = text_or_empty(any_exception->what());
  } else {
    text = message = "unknown C++ exception of type '" + demangled(*thrown.type) + "'";
  }
  byname_object* cause = cause_of(thrown, depth);
  byname_object* made = make_error(kind, text, cause);
  byname_object_release(cause);
  return made;
}

// Of another language, or the forced unwinding of a thread that ends, which must go on. The reference to the latter is
// one to nothing.
__attribute__((noinline, no_sanitize("undefined"))) int raise_foreign() {
  try {
    throw;
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return raise("RuntimeError", "unknown exception of another language than C++");
  }
}

}  // namespace

int raise_current() {
  std::exception_ptr exception = std::current_exception();
  if (exception == nullptr) {
    // The first word of the globals is the stack of what is being handled.
    void* handled = nullptr;
    std::memcpy(&handled, static_cast<const void*>(abi::__cxa_get_globals()), sizeof handled);
    return handled == nullptr ? raise("RuntimeError", "no exception is being handled") : raise_foreign();
  }
  try {
    return raise_object(translate(exception, 0));
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory();
  }
}

}  // namespace byname::core
