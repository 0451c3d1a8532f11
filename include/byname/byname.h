// Everything.
#ifndef BYNAME_BYNAME_H_
#define BYNAME_BYNAME_H_

#include "byname/module.h"
#include "byname/type_builder.h"

#endif  // BYNAME_BYNAME_H_
