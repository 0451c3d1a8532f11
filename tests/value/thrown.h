// What a call throws, or raises, as one text: "ValueError: the message".
#ifndef BYNAME_TESTS_VALUE_THROWN_H_
#define BYNAME_TESTS_VALUE_THROWN_H_

#include <string>

#include "byname/any.h"

namespace byname {

inline std::string text_of(const Error& error) {
  return std::string(error.kind()) + ": " + std::string(error.message());
}

template <class Call>
std::string thrown(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return text_of(error);
  }
  return "nothing";
}

// What is in the thread's slot, which is then empty.
inline std::string raised() {
  byname_object* error = byname_error_take();
  return error == nullptr ? "nothing" : text_of(Error(error));
}

inline byname_str str(std::string_view text) { return {text.data(), text.size()}; }

inline byname_any view_of(const byname_str& text) {
  byname_any value{BYNAME_STR_VIEW, 0, {0}};
  value.as_str = &text;
  return value;
}

}  // namespace byname

#endif  // BYNAME_TESTS_VALUE_THROWN_H_
