// Arbitrary bytes as an element type and as a device: an error, or what prints as it was written.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "value/dtype.h"

namespace {

void require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  byname_dtype dtype{};
  if (byname::core::parse_dtype(text, dtype)) {
    require(byname::core::print_dtype(dtype) == text, "a dtype prints as something else", text);
  }
  byname_device device{};
  if (byname::core::parse_device(text, device)) {
    std::string printed = byname::core::print_device(device);
    require(printed == text || printed == std::string(text) + ":0" || printed + ":0" == text,
            "a device prints as something else", text);
    byname_device again{};
    require(byname::core::parse_device(printed, again) && again.type == device.type && again.id == device.id,
            "the print of a device means something else", printed);
  }
  // Numbers without a name must not read as something that has one.
  if (size >= sizeof dtype) {
    __builtin_memcpy(&dtype, data, sizeof dtype);
    byname_dtype again{};
    std::string printed = byname::core::print_dtype(dtype);
    bool is_read = byname::core::parse_dtype(printed, again);
    require(!is_read || (again.code == dtype.code && again.bits == dtype.bits && again.lanes == dtype.lanes),
            "the print of a dtype means something else", printed);
  }
  return 0;
}
