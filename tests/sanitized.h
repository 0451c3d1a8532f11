// Whether a sanitizer makes each step cost many times as much.
#ifndef BYNAME_TESTS_SANITIZED_H_
#define BYNAME_TESTS_SANITIZED_H_

namespace byname {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

}  // namespace byname

#endif  // BYNAME_TESTS_SANITIZED_H_
