// Structs of the interface that may grow say how large they are.
#ifndef BYNAME_BASE_STRUCT_SIZE_H_
#define BYNAME_BASE_STRUCT_SIZE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "byname/error.h"

namespace byname::core {

// Throws ValueError for a struct that is smaller than its first version: most likely nobody set its size.
inline void check_struct_size(uint32_t size, size_t least, std::string_view name) {
  if (size >= least) return;
  throw Error("ValueError", "expected struct_size of " + std::string(name) + " to be at least " +
                                std::to_string(least) + ", got " + std::to_string(size));
}

}  // namespace byname::core

#endif  // BYNAME_BASE_STRUCT_SIZE_H_
