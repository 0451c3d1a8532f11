// Declares a factory for a type that the program has one for.
#include "core_shapes.h"

BYNAME_LIBRARY("core.second_factory", lib) { lib.factory<core_shapes::Shape>({"other", "second.cc", 5}); }
