// Devices: where memory is.
#ifndef BYNAME_DEVICE_H_
#define BYNAME_DEVICE_H_

#include "byname/any.h"

namespace byname {

// DLPack's.
enum class DeviceType : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kOpenCl = 4,
  kVulkan = 7,
  kMetal = 8,
  kVpi = 9,
  kRocm = 10,
  kRocmHost = 11,
  kExtDev = 12,
  kCudaManaged = 13,
  kOneApi = 14,
  kWebGpu = 15,
  kHexagon = 16,
  kMaia = 17,
  kTrn = 18
};

// Eight bytes. The default is the CPU.
class Device {
 public:
  constexpr Device(DeviceType type = DeviceType::kCpu, int32_t id = 0) noexcept  // NOLINT
      : raw_{static_cast<int32_t>(type), id} {}
  constexpr explicit Device(byname_device raw) noexcept : raw_(raw) {}
  // Of "cpu", "cuda:1", ... Throws ValueError.
  explicit Device(std::string_view text) : raw_{} { detail::check(byname_device_parse(detail::to_c(text), &raw_)); }

  constexpr DeviceType type() const noexcept { return static_cast<DeviceType>(raw_.type); }
  constexpr int32_t id() const noexcept { return raw_.id; }
  constexpr byname_device raw() const noexcept { return raw_; }
  std::string print() const {
    Any text;
    detail::check(byname_device_print(raw_, text.out()));
    return text.to<std::string>();
  }
  friend constexpr bool operator==(Device a, Device b) noexcept {
    return a.raw_.type == b.raw_.type && a.raw_.id == b.raw_.id;
  }

 private:
  byname_device raw_;
};

template <>
inline constexpr const char* kPortableName<Device> = "device";

template <>
struct Convert<Device> : detail::ConvertWord<Device, BYNAME_KIND_DEVICE, BYNAME_DEVICE, &byname_any::as_device> {};

}  // namespace byname

#endif  // BYNAME_DEVICE_H_
