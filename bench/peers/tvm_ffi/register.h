// Registers one function, with metadata and documentation, under each of `names`.
#pragma once

#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

inline constexpr std::string_view kDoc = "Add two integers.";

inline void register_many(const std::vector<std::string>& names) {
  tvm::ffi::reflection::GlobalDef definitions;
  for (const std::string& name : names) {
    definitions.def(name.c_str(), [](int64_t a, int64_t b) { return a + b; }, kDoc.data());
  }
}

}  // namespace peer
