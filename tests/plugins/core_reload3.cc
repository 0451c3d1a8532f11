#define BYNAME_TEST_RELOAD 3
#include "core_reload.h"
