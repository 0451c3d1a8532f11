// The macros of the C++ headers, all of them but BYNAME_LIBRARY's registration block (library.h).
#ifndef BYNAME_MACROS_H_
#define BYNAME_MACROS_H_

#if __cplusplus < 202002L
#error "Byname needs C++20 (-std=c++20)"
#endif

// What other shared objects see: functions that they call, types whose type_info is compared across them.
#define BYNAME_PUBLIC __attribute__((visibility("default")))
// What every shared object has its own copy of, so that none runs another's code.
#define BYNAME_HIDDEN __attribute__((visibility("hidden")))
// Out of line and away from the hot path.
#define BYNAME_COLD __attribute__((cold, noinline))

// Where an Error is thrown, as default arguments. The core's own errors are about its caller's doing, not about a place
// in the core.
#ifdef BYNAME_CORE
#define BYNAME_THIS_FILE nullptr
#define BYNAME_THIS_LINE 0
#else
#define BYNAME_THIS_FILE __builtin_FILE()
#define BYNAME_THIS_LINE __builtin_LINE()
#endif

#endif  // BYNAME_MACROS_H_
