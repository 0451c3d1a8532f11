#include "value/dtype.h"

#include <cstdint>
#include <string>

namespace byname::core {
namespace {

// Types of one width have it in the name; the others take one of a few.
struct DTypeName {
  std::string_view name;
  uint8_t code;
  uint8_t bits;  // 0: follows the name
};

constexpr DTypeName kDTypeNames[] = {
    {"bool", kDlBool, 8},     {"bfloat16", kDlBfloat, 16},  {"handle", kDlHandle, 64}, {"float8_e3m4", 7, 8},
    {"float8_e4m3", 8, 8},    {"float8_e4m3b11fnuz", 9, 8}, {"float8_e4m3fn", 10, 8},  {"float8_e4m3fnuz", 11, 8},
    {"float8_e5m2", 12, 8},   {"float8_e5m2fnuz", 13, 8},   {"float8_e8m0fnu", 14, 8}, {"float6_e2m3fn", 15, 6},
    {"float6_e3m2fn", 16, 6}, {"float4_e2m1fn", 17, 4},     {"uint", kDlUint, 0},      {"int", kDlInt, 0},
    {"float", kDlFloat, 0},   {"complex", kDlComplex, 0}};

constexpr std::string_view kDeviceNames[] = {
    "",     "cpu",       "cuda",    "cuda_host",    "opencl", "",       "",        "vulkan", "metal", "vpi",
    "rocm", "rocm_host", "ext_dev", "cuda_managed", "oneapi", "webgpu", "hexagon", "maia",   "trn"};

constexpr int32_t kCpu = 1;

bool is_width(uint8_t code, uint64_t bits) {
  switch (code) {
    case kDlInt:
    case kDlUint:
      return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
    case kDlFloat:
      return bits == 16 || bits == 32 || bits == 64;
    case kDlComplex:
      return bits == 32 || bits == 64 || bits == 128;
    default:
      return false;
  }
}

// Takes a number without leading zeros off the front; false if there is none up to `most`.
bool take_number(std::string_view& text, uint64_t most, uint64_t& out) {
  size_t size = 0;
  out = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') {
    out = out * 10 + static_cast<uint64_t>(text[size++] - '0');
    if (out > most) return false;
  }
  if (size == 0 || (text[0] == '0' && size > 1)) return false;
  text.remove_prefix(size);
  return true;
}

// What follows the name of an element type: nothing or "x4", but no "x1", for one type has one name.
bool take_lanes(std::string_view text, byname_dtype& out) {
  uint64_t lanes = 1;
  if (!text.empty()) {
    if (text[0] != 'x') return false;
    text.remove_prefix(1);
    if (!take_number(text, UINT16_MAX, lanes) || lanes < 2 || !text.empty()) return false;
  }
  out.lanes = static_cast<uint16_t>(lanes);
  return true;
}

}  // namespace

bool parse_dtype(std::string_view text, byname_dtype& out) {
  for (const DTypeName& one : kDTypeNames) {
    if (!text.starts_with(one.name)) continue;
    std::string_view rest = text.substr(one.name.size());
    uint64_t bits = one.bits;
    if (bits == 0 && !(take_number(rest, UINT8_MAX, bits) && is_width(one.code, bits))) continue;
    byname_dtype parsed{one.code, static_cast<uint8_t>(bits), 1};
    // Of "float8_e4m3" and "float8_e4m3fn" only one leaves nothing.
    if (!take_lanes(rest, parsed)) continue;
    out = parsed;
    return true;
  }
  return false;
}

std::string print_dtype(byname_dtype dtype) {
  std::string text;
  for (const DTypeName& one : kDTypeNames) {
    if (one.code != dtype.code || !(one.bits != 0 ? one.bits == dtype.bits : is_width(one.code, dtype.bits))) continue;
    text = one.name;
    if (one.bits == 0) text.append(std::to_string(dtype.bits));
    break;
  }
  if (text.empty()) {
    text = "dtype(code=" + std::to_string(dtype.code) + ", bits=" + std::to_string(dtype.bits) + ")";
  }
  if (dtype.lanes != 1) text.append("x").append(std::to_string(dtype.lanes));
  return text;
}

bool parse_device(std::string_view text, byname_device& out) {
  size_t colon = text.find(':');
  std::string_view name = text.substr(0, colon);
  uint64_t id = 0;
  if (colon != text.npos) {
    std::string_view rest = text.substr(colon + 1);
    if (!take_number(rest, INT32_MAX, id) || !rest.empty()) return false;
  }
  int32_t type = 0;
  for (std::string_view known : kDeviceNames) {
    if (!name.empty() && known == name) {
      out = {type, static_cast<int32_t>(id)};
      return true;
    }
    ++type;
  }
  return false;
}

std::string print_device(byname_device device) {
  std::string text;
  if (device.type >= 0 && static_cast<size_t>(device.type) < std::size(kDeviceNames)) text = kDeviceNames[device.type];
  if (text.empty()) text = "device(" + std::to_string(device.type) + ")";
  if (device.type != kCpu || device.id != 0) text.append(":").append(std::to_string(device.id));
  return text;
}

}  // namespace byname::core
