// Everything.
#ifndef BYNAME_BYNAME_H_
#define BYNAME_BYNAME_H_

#include "byname/array.h"
#include "byname/convert_std.h"
#include "byname/error_kind.h"
#include "byname/factory.h"
#include "byname/listener.h"
#include "byname/map.h"
#include "byname/module.h"
#include "byname/shape.h"
#include "byname/tensor_of.h"
#include "byname/tuple.h"
#include "byname/type_builder.h"

#endif  // BYNAME_BYNAME_H_
