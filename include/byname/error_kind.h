// Kinds of errors of a library's own, and the C++ exception classes that stand for them.
//
//   BYNAME_LIBRARY("zstd", lib) {
//     byname::register_error<ZstdError>("zstd.Error", "ValueError");
//   }
#ifndef BYNAME_ERROR_KIND_H_
#define BYNAME_ERROR_KIND_H_

#include <type_traits>
#include <typeinfo>

#include "byname/object.h"

namespace byname {

// Makes `kind` known below `parent`: who catches the parent catches it. Any number of times; throws ValueError if it is
// known below another parent or the parent is unknown.
inline void register_error_kind(std::string_view kind, std::string_view parent = "RuntimeError") {
  detail::check(byname_error_kind_register(detail::to_c(kind), detail::to_c(parent)));
}

namespace detail BYNAME_HIDDEN {

using Emit = void (*)(void* context, byname_str message);

template <class E>
void describe_exception(const void* exception, Emit emit, void* context) {
  emit(context, to_c(std::string_view(static_cast<const E*>(exception)->what())));
}

}  // namespace detail

// From now on an E (or what derives from it, unless that is registered itself) that leaves a registered function of any
// module arrives as an error of `kind`, with what() as its message. Ends with the module. Throws as
// register_error_kind, and ValueError if E stands for another kind.
template <class E>
void register_error(std::string_view kind, std::string_view parent = "RuntimeError") {
  static_assert(std::is_class_v<E>, "byname: register_error<E> takes an exception class");
  static_assert(
      requires(const E& e) { std::string_view(e.what()); }, "byname: the message of an exception class is its what()");
  byname_error_class declared = {sizeof(byname_error_class),     detail::to_c(kind), detail::to_c(parent), &typeid(E),
                                 &detail::describe_exception<E>, &detail::this_dso};
  detail::check(byname_error_class_register(&declared));
}

}  // namespace byname

#endif  // BYNAME_ERROR_KIND_H_
