// The macros of the C++ headers, all of them but BYNAME_LIBRARY's registration block (library.h).
#ifndef BYNAME_MACROS_H_
#define BYNAME_MACROS_H_

// Types whose type_info is compared across shared objects.
#define BYNAME_PUBLIC __attribute__((visibility("default")))
// What every shared object has its own copy of, so that none runs another's code.
#define BYNAME_HIDDEN __attribute__((visibility("hidden")))
// Out of line and away from the hot path.
#define BYNAME_COLD __attribute__((cold, noinline))

#endif  // BYNAME_MACROS_H_
