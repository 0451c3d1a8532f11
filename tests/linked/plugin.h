#ifndef BYNAME_TESTS_LINKED_PLUGIN_H_
#define BYNAME_TESTS_LINKED_PLUGIN_H_

#include <cstdint>

int64_t twice(int64_t a);

#endif  // BYNAME_TESTS_LINKED_PLUGIN_H_
