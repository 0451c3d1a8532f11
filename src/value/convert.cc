#include "value/convert.h"

#include <algorithm>
#include <atomic>

#include "byname/error.h"
#include "value/convert_parts.h"

namespace byname::core {
namespace {

std::atomic<byname_foreign_converter> foreign_converter{nullptr};
std::atomic<void*> foreign_context{nullptr};

int convert_text(const byname_any& value, const byname_type& type, byname_any* out) {
  byname_str text{};
  bool fits = type.kind == BYNAME_KIND_STR ? byname_any_text(&value, &text) : byname_any_bytes(&value, &text);
  if (fits) return keep(value, out, kOwnWidth);
  return convert_foreign(value, type, out, kConvertible + 32);
}

int convert_named(const byname_any& value, const byname_type& type, byname_any* out) {
  const bool is_dtype = type.kind == BYNAME_KIND_DTYPE;
  if (value.type_index == (is_dtype ? BYNAME_DTYPE : BYNAME_DEVICE)) return keep(value, out, kOwnWidth);
  byname_str text{};
  if (!byname_any_text(&value, &text)) return convert_foreign(value, type, out, kConvertible);
  byname_any parsed{is_dtype ? BYNAME_DTYPE : BYNAME_DEVICE, 0, {0}};
  int status = is_dtype ? byname_dtype_parse(text, &parsed.as_dtype) : byname_device_parse(text, &parsed.as_device);
  if (status != 0) {
    byname_object_release(byname_error_take());
    return kNoMatch;
  }
  return give(parsed, out, kConvertible);
}

// What a schema can name but nothing makes yet, and enumerations that travel as integers or words.
int convert_constant(const byname_any& value, byname_any* out) {
  byname_str text{};
  if (value.type_index == BYNAME_INT || byname_any_text(&value, &text)) return keep(value, out, kOwnWidth);
  return kNoMatch;
}

// A class's bases beyond the first are not in the type table.
int convert_box(const byname_any& value, const byname_type& type, byname_any* out) {
  int32_t wanted = byname_box_find(type.cpp_type);
  if (wanted == 0 || byname_box_cast(value.as_object, wanted) == nullptr) return kNoMatch;
  if (value.type_index == wanted) return keep(value, out, kOwnWidth);
  int levels = byname_type_get(value.type_index)->depth - byname_type_get(wanted)->depth;
  return keep(value, out, kAncestor + std::max(levels, 1));
}

int convert_object(const byname_any& value, const byname_type& type, byname_any* out) {
  if (value.type_index < BYNAME_OBJECT) return kNoMatch;
  if (type.cpp_type != nullptr) return convert_box(value, type, out);
  if (type.key.size == 0) {
    // Short text is no object, so long text is none either.
    bool is_text = value.type_index == BYNAME_STR || value.type_index == BYNAME_BYTES;
    return is_text ? kNoMatch : keep(value, out, kAnything - 1);
  }
  const byname_type_info* wanted = byname_type_find(type.key);
  if (wanted == nullptr || !byname_type_is(value.type_index, wanted->type_index)) {
    return convert_foreign(value, type, out, kConvertible + 32);
  }
  int levels = byname_type_get(value.type_index)->depth - wanted->depth;
  return keep(value, out, levels == 0 ? kOwnWidth : kAncestor + levels);
}

bool fits(const byname_dl_tensor& tensor, bool read_only, const byname_tensor_spec& spec) {
  if (spec.dtype.bits != 0 && (tensor.dtype.code != spec.dtype.code || tensor.dtype.bits != spec.dtype.bits ||
                               tensor.dtype.lanes != spec.dtype.lanes)) {
    return false;
  }
  if (spec.ndim >= 0 && tensor.ndim != spec.ndim) return false;
  if (spec.device_type != 0 && tensor.device.type != spec.device_type) return false;
  if (spec.writable && read_only) return false;
  if (is_misaligned(tensor, spec)) return false;
  if (!spec.contiguous) return true;
  int64_t expected = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 0) return true;
    if (tensor.shape[i] != 1 && tensor.strides != nullptr && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

int convert_tensor(const byname_any& value, const byname_type& type, byname_any* out) {
  if (value.type_index != BYNAME_TENSOR) return convert_foreign(value, type, out, kLossless);
  const auto* tensor = reinterpret_cast<const byname_tensor*>(value.as_object);
  bool read_only = (byname_tensor_flags(value.as_object) & BYNAME_DL_READ_ONLY) != 0;
  if (type.tensor != nullptr && !fits(tensor->dl, read_only, *type.tensor)) return kNoMatch;
  return keep(value, out, type.tensor != nullptr ? kOwnWidth : kAncestor);
}

int convert_exactly(const byname_any& value, int32_t type_index, byname_any* out) {
  return value.type_index == type_index ? keep(value, out, kOwnWidth) : kNoMatch;
}

}  // namespace

int convert_foreign(const byname_any& value, const byname_type& type, byname_any* out, int rank) {
  detail::OwnedSide made;
  if (!foreign_value(value, type, &made.value)) return kNoMatch;
  // What it made must still fit: an integer's range, a tensor's layout.
  int inner = made.value.type_index == BYNAME_PY_OBJECT ? kNoMatch : convert(made.value, type, out);
  return inner < 0 ? inner : rank + width_rank(type);
}

bool foreign_value(const byname_any& value, const byname_type& type, byname_any* out) {
  byname_foreign_converter converter = foreign_converter.load(std::memory_order_acquire);
  if (value.type_index != BYNAME_PY_OBJECT || converter == nullptr) return false;
  int status = converter(foreign_context.load(std::memory_order_relaxed),
                         reinterpret_cast<const byname_py_object*>(value.as_object), &type, out);
  if (status < 0) detail::throw_raised();
  return status > 0;
}

bool is_misaligned(const byname_dl_tensor& tensor, const byname_tensor_spec& spec) {
  if (spec.alignment == 0) return false;
  return (reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset) % spec.alignment != 0;
}

const byname_any& plain_value(const byname_any& value) {
  return value.type_index == BYNAME_SCALAR_VIEW ? value.as_scalar->value : value;
}

int convert(const byname_any& value, const byname_type& type, byname_any* out) {
  switch (type.kind) {
    case BYNAME_KIND_ANY:
      return keep(value, out, kAnything);
    case BYNAME_KIND_NONE:
      return convert_exactly(value, BYNAME_NONE, out);
    case BYNAME_KIND_BOOL:
      return convert_exactly(plain_value(value), BYNAME_BOOL, out);
    case BYNAME_KIND_INT:
    case BYNAME_KIND_SYMINT:
      return convert_int(value, type, out);
    case BYNAME_KIND_FLOAT:
      return convert_float(value, type, out);
    case BYNAME_KIND_COMPLEX:
      return convert_complex(value, out);
    case BYNAME_KIND_SCALAR:
      return convert_scalar(value, type, out);
    case BYNAME_KIND_STR:
    case BYNAME_KIND_BYTES:
      return convert_text(value, type, out);
    case BYNAME_KIND_TENSOR:
      return convert_tensor(value, type, out);
    case BYNAME_KIND_SHAPE:
      return convert_shape(value, type, out);
    case BYNAME_KIND_DTYPE:
    case BYNAME_KIND_DEVICE:
      return convert_named(value, type, out);
    case BYNAME_KIND_LAYOUT:
    case BYNAME_KIND_MEMORY_FORMAT:
      return convert_constant(value, out);
    case BYNAME_KIND_FUNCTION:
      if (value.type_index != BYNAME_FUNCTION) return convert_foreign(value, type, out, kConvertible + 32);
      return keep(value, out, kOwnWidth);
    case BYNAME_KIND_POINTER:
      if (value.type_index == BYNAME_NONE) return give({}, out, kOwnWidth);
      return convert_exactly(value, BYNAME_POINTER, out);
    case BYNAME_KIND_OBJECT:
      return convert_object(value, type, out);
    case BYNAME_KIND_OPTIONAL:
      return convert_optional(value, type, out);
    case BYNAME_KIND_LIST:
      return convert_list(value, type, out);
    case BYNAME_KIND_DICT:
      return convert_dict(value, type, out);
    case BYNAME_KIND_TUPLE:
      return convert_tuple(value, type, out);
    case BYNAME_KIND_UNION:
      return convert_union(value, type, out);
    default:  // Generator, Chain, Future: nothing makes values of these types yet
      return kNoMatch;
  }
}

bool passes(const byname_any& value, const byname_type& type) {
  byname_str text{};
  switch (type.kind) {
    case BYNAME_KIND_ANY:
      return value.type_index != BYNAME_SCALAR_VIEW;
    case BYNAME_KIND_NONE:
      return value.type_index == BYNAME_NONE;
    case BYNAME_KIND_BOOL:
      return value.type_index == BYNAME_BOOL;
    case BYNAME_KIND_INT:
      return (value.type_index == BYNAME_INT || value.type_index == BYNAME_UINT) && holds(type, value);
    case BYNAME_KIND_FLOAT:
      return value.type_index == BYNAME_FLOAT && type.bits == 64;
    case BYNAME_KIND_STR:
      return byname_any_text(&value, &text) != 0;
    case BYNAME_KIND_BYTES:
      return byname_any_bytes(&value, &text) != 0;
    case BYNAME_KIND_FUNCTION:
      return value.type_index == BYNAME_FUNCTION;
    case BYNAME_KIND_TENSOR:
      return value.type_index == BYNAME_TENSOR && type.tensor == nullptr;
    case BYNAME_KIND_OBJECT:
      return convert_object(value, type, nullptr) >= 0;
    case BYNAME_KIND_OPTIONAL:
      return value.type_index == BYNAME_NONE || passes(value, *type.elements[0]);
    case BYNAME_KIND_LIST:
      return list_passes(value, type);
    default:
      return false;
  }
}

void set_foreign_converter(byname_foreign_converter converter, void* context) {
  foreign_context.store(context, std::memory_order_relaxed);
  foreign_converter.store(converter, std::memory_order_release);
}

}  // namespace byname::core
