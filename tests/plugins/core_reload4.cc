#define BYNAME_TEST_RELOAD 4
#include "core_reload.h"
