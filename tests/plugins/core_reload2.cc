#define BYNAME_TEST_RELOAD 2
#include "core_reload.h"
