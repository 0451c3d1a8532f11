/* CHECK for tests in C: says what failed and ends the program. */
#ifndef BYNAME_TESTS_ABI_CHECK_H_
#define BYNAME_TESTS_ABI_CHECK_H_

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

#endif /* BYNAME_TESTS_ABI_CHECK_H_ */
