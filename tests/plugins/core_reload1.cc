#define BYNAME_TEST_RELOAD 1
#include "core_reload.h"
