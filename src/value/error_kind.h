// Kinds of errors: Python's exceptions, NotFound, and those that libraries register. What C++ classes they stand for.
#ifndef BYNAME_VALUE_ERROR_KIND_H_
#define BYNAME_VALUE_ERROR_KIND_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>

#include "byname/c_api.h"

namespace byname::core {

// Makes `kind` known below `parent`; again is harmless. Throws ValueError for an empty kind, an unknown parent, a kind
// that is known below another parent. Any thread.
void register_error_kind(std::string_view kind, std::string_view parent);

// Whether `kind` is `ancestor` or below it. A kind that nobody registered is taken for a RuntimeError.
bool error_kind_is(std::string_view kind, std::string_view ancestor);

// The parent, the first of several; empty for BaseException. Lives as long as the process.
std::string_view error_kind_parent(std::string_view kind);

// The same text, living as long as the process; empty for a kind that nobody registered.
std::string_view stable_error_kind(std::string_view kind);

// An exception class that stands for a kind. `describe` is the module's code.
struct ErrorClass {
  const std::type_info* type;
  std::string_view kind;
  void (*describe)(const void* exception, void (*emit)(void* context, byname_str message), void* context);
  const byname_dso* dso;
};

// Registers the kind, too. The same class again with the same kind is harmless. Throws as register_error_kind, and
// ValueError for a class that stands for another kind already. Any thread.
void register_error_class(const byname_error_class& declared);
// Those of the shared object at [begin, end), which will be unmapped.
void remove_error_classes(uintptr_t begin, uintptr_t end);

// The nearest class of a thrown object, and the object as that class. False if there is none.
bool find_error_class(const std::type_info& thrown, void* object, ErrorClass& found, void*& as_class);

// Whether one of the standard library's classes was ever registered, which then stands for what derives from it.
bool standard_classes_are_registered();

// Whether a catch clause for `base` takes a `derived`.
inline bool is_base(const std::type_info& base, const std::type_info& derived) {
  void* no_object = nullptr;
  return base.__do_catch(&derived, &no_object, 1);
}

}  // namespace byname::core

#endif  // BYNAME_VALUE_ERROR_KIND_H_
