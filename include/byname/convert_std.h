// Conversions of the standard library's types.
#ifndef BYNAME_CONVERT_STD_H_
#define BYNAME_CONVERT_STD_H_

#include "byname/convert_chrono.h"
#include "byname/convert_container.h"
#include "byname/convert_path.h"
#include "byname/convert_variant.h"

#endif  // BYNAME_CONVERT_STD_H_
