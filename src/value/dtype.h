// Element types and devices as text.
#ifndef BYNAME_VALUE_DTYPE_H_
#define BYNAME_VALUE_DTYPE_H_

#include <string>
#include <string_view>

#include "byname/c_api.h"

namespace byname::core {

// DLPack's codes.
enum DTypeCode : uint8_t {
  kDlInt = 0,
  kDlUint = 1,
  kDlFloat = 2,
  kDlHandle = 3,
  kDlBfloat = 4,
  kDlComplex = 5,
  kDlBool = 6
};

// False: no such type. "int32", "uint8x4", "bool", "bfloat16", "float8_e4m3fn", ...
bool parse_dtype(std::string_view text, byname_dtype& out);
// What parse_dtype reads back; for a code that has no name something that it does not.
std::string print_dtype(byname_dtype dtype);

// False: no such device. "cpu", "cuda:1", ...
bool parse_device(std::string_view text, byname_device& out);
// What parse_device reads back; for a type that has no name something that it does not.
std::string print_device(byname_device device);

}  // namespace byname::core

#endif  // BYNAME_VALUE_DTYPE_H_
