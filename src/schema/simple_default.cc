#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "byname/error.h"
#include "schema/default_value.h"
#include "schema/diagnostic.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {

namespace {

constexpr std::string_view kLayouts[] = {"strided",    "sparse_coo", "sparse_csr", "sparse_csc",
                                         "sparse_bsr", "sparse_bsc", "jagged"};
constexpr std::string_view kMemoryFormats[] = {"contiguous_format", "preserve_format", "channels_last",
                                               "channels_last_3d"};

// Second names of dtypes, as tensor libraries use them: here `float` has 32 bits, though the type `float` has 64.
struct DtypeAlias {
  std::string_view name;
  byname_dtype dtype;
};
constexpr DtypeAlias kDtypeAliases[] = {
    {"float", {2, 32, 1}},  {"double", {2, 64, 1}},   {"half", {2, 16, 1}}, {"long", {0, 64, 1}},
    {"int", {0, 32, 1}},    {"short", {0, 16, 1}},    {"char", {0, 8, 1}},  {"byte", {1, 8, 1}},
    {"cfloat", {5, 64, 1}}, {"cdouble", {5, 128, 1}},
};

std::string_view word_for(const byname_any& value) {
  switch (value.type_index) {
    case BYNAME_NONE:
      return "None";
    case BYNAME_INT:
    case BYNAME_UINT:
    case BYNAME_SCALAR_VIEW:
      return "int";
    case BYNAME_SMALL_STR:
    case BYNAME_STR:
    case BYNAME_STR_VIEW:
    case BYNAME_CHARS:
      return "str";
    case BYNAME_SMALL_BYTES:
    case BYNAME_BYTES:
    case BYNAME_BYTE_VIEW:
      return "bytes";
    case BYNAME_ARRAY:
      return "list";
    default:
      return detail::from_c(byname_any_type_name(&value));
  }
}

}  // namespace

std::string expects(const byname_type& type, const byname_any& value) {
  std::string_view got = word_for(value);
  return "expects " + print_type(type) + ", got " + std::string(got);
}

namespace {

std::string out_of_range(const byname_type& type, const byname_any& value, const std::string& range) {
  return "is out of range: expects " + print_type(type) + range + ", got " + print_default(type, value);
}

std::string make_int(const byname_type& type, const byname_any& value, byname_any* out) {
  bool known = value.type_index == BYNAME_INT || value.type_index == BYNAME_UINT || value.type_index == BYNAME_BOOL;
  if (!known && value.type_index != BYNAME_SCALAR_VIEW) return expects(type, value);
  int bits = type.kind == BYNAME_KIND_SYMINT ? 64 : type.bits;
  uint64_t most = std::numeric_limits<uint64_t>::max() >> (64 - bits + (type.is_unsigned != 0 ? 0 : 1));
  int64_t least = type.is_unsigned != 0 ? 0 : -static_cast<int64_t>(most) - 1;
  bool fits =
      known && (value.type_index == BYNAME_UINT || value.as_int >= 0 ? value.as_uint <= most : value.as_int >= least);
  if (!fits) {
    return out_of_range(type, value, " (" + std::to_string(least) + " to " + std::to_string(most) + ")");
  }
  *out = value;
  if (value.type_index == BYNAME_BOOL) out->type_index = BYNAME_INT;
  return {};
}

std::optional<double> number_of(const byname_any& value) {
  switch (value.type_index) {
    case BYNAME_INT:
      return static_cast<double>(value.as_int);
    case BYNAME_UINT:
      return static_cast<double>(value.as_uint);
    case BYNAME_FLOAT:
      return value.as_float;
    case BYNAME_SCALAR_VIEW:
      return value.as_scalar->approximate;
    default:
      return std::nullopt;
  }
}

std::string make_float(const byname_type& type, const byname_any& value, byname_any* out) {
  std::optional<double> number = number_of(value);
  if (!number) return expects(type, value);
  bool too_great = type.bits == 32 ? std::abs(*number) > std::numeric_limits<float>::max() : std::isinf(*number);
  if (too_great && (value.type_index != BYNAME_FLOAT || !std::isinf(*number))) return out_of_range(type, value, "");
  *out = {BYNAME_FLOAT, 0, {0}};
  out->as_float = *number;
  return {};
}

std::string make_complex(const byname_type& type, const byname_any& value, byname_any* out) {
  if (value.type_index == BYNAME_COMPLEX) {
    detail::check(byname_any_copy(&value, out));
    return {};
  }
  std::optional<double> number = number_of(value);
  if (!number) return expects(type, value);
  if (std::isinf(*number) && value.type_index != BYNAME_FLOAT) return out_of_range(type, value, "");
  detail::check(byname_complex_new(*number, 0.0, out));
  return {};
}

// Keeps the kind that was written.
std::string make_scalar(const byname_type& type, const byname_any& value, byname_any* out) {
  switch (value.type_index) {
    case BYNAME_INT:
    case BYNAME_UINT:
    case BYNAME_BOOL:
    case BYNAME_FLOAT:
      *out = value;
      return {};
    case BYNAME_COMPLEX:
      return make_complex(type, value, out);
    case BYNAME_SCALAR_VIEW:
      return out_of_range(type, value, " (64 bits)");
    default:
      return expects(type, value);
  }
}

std::string make_text(const byname_type& type, const byname_any& value, byname_any* out) {
  byname_str text{};
  if (byname_any_text(&value, &text) == 0) return expects(type, value);
  detail::check(byname_string_new(text, out));
  return {};
}

std::string make_bytes(const byname_type& type, const byname_any& value, byname_any* out) {
  byname_str bytes{};
  if (byname_any_bytes(&value, &bytes) == 0) return expects(type, value);
  detail::check(byname_bytes_new(bytes, out));
  return {};
}

void forget_raised() { byname_object_release(byname_error_take()); }

std::string make_device(const byname_type& type, const byname_any& value, byname_any* out) {
  byname_str text{};
  byname_any device{BYNAME_DEVICE, 0, {0}};
  if (value.type_index == BYNAME_DEVICE) {
    device = value;
  } else if (byname_any_text(&value, &text) == 0) {
    return expects(type, value);
  } else if (byname_device_parse(text, &device.as_device) != 0) {
    forget_raised();
    return "expects a device such as 'cpu' or 'cuda:1', got " + quoted(detail::from_c(text));
  }
  *out = device;
  return {};
}

std::string make_dtype(const byname_type& type, const byname_any& value, byname_any* out) {
  byname_str text{};
  byname_any dtype{BYNAME_DTYPE, 0, {0}};
  if (value.type_index == BYNAME_DTYPE) {
    dtype = value;
  } else if (byname_any_text(&value, &text) == 0) {
    return expects(type, value);
  } else {
    const auto* alias = std::ranges::find(kDtypeAliases, detail::from_c(text), &DtypeAlias::name);
    if (alias != std::end(kDtypeAliases)) {
      dtype.as_dtype = alias->dtype;
    } else if (byname_dtype_parse(text, &dtype.as_dtype) != 0) {
      forget_raised();
      return "expects a dtype such as float32, got " + quoted(detail::from_c(text));
    }
  }
  *out = dtype;
  return {};
}

std::string make_one_of(std::span<const std::string_view> names, const byname_type& type, const byname_any& value,
                        byname_any* out) {
  byname_str text{};
  if (byname_any_text(&value, &text) == 0) return expects(type, value);
  if (std::ranges::find(names, detail::from_c(text)) != names.end()) return make_text(type, value, out);
  std::string list;
  for (std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return "expects one of " + list + "; got " + quoted(detail::from_c(text));
}

}  // namespace

std::string make_simple_default(const byname_type& type, const byname_any& value, byname_any* out) {
  switch (type.kind) {
    case BYNAME_KIND_BOOL:
      if (value.type_index != BYNAME_BOOL) return expects(type, value);
      *out = value;
      return {};
    case BYNAME_KIND_INT:
    case BYNAME_KIND_SYMINT:
      return make_int(type, value, out);
    case BYNAME_KIND_FLOAT:
      return make_float(type, value, out);
    case BYNAME_KIND_COMPLEX:
      return make_complex(type, value, out);
    case BYNAME_KIND_SCALAR:
      return make_scalar(type, value, out);
    case BYNAME_KIND_STR:
      return make_text(type, value, out);
    case BYNAME_KIND_BYTES:
      return make_bytes(type, value, out);
    case BYNAME_KIND_DEVICE:
      return make_device(type, value, out);
    case BYNAME_KIND_DTYPE:
      return make_dtype(type, value, out);
    case BYNAME_KIND_LAYOUT:
      return make_one_of(kLayouts, type, value, out);
    case BYNAME_KIND_MEMORY_FORMAT:
      return make_one_of(kMemoryFormats, type, value, out);
    case BYNAME_KIND_TENSOR:
    case BYNAME_KIND_GENERATOR:
      if (value.type_index != BYNAME_NONE) return "expects None, got " + std::string(word_for(value));
      *out = byname_any{};
      return {};
    default:
      return expects(type, value);
  }
}

}  // namespace byname::core
