#include "value/convert.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "byname/error.h"

namespace byname::core {
namespace {

constexpr uint8_t kDlUint = 1;
// Up to here every integer is a double, a float.
constexpr int64_t kExactInDouble = int64_t{1} << 53;
constexpr int64_t kExactInFloat = int64_t{1} << 24;

std::atomic<byname_foreign_converter> foreign_converter{nullptr};
std::atomic<void*> foreign_context{nullptr};

using detail::check;

// An owned value that becomes *out when the conversion is complete.
class Draft {
 public:
  explicit Draft(byname_any* out) : out_(out) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() { byname_any_drop(&value_); }
  // Where to write; NULL if only the rank is wanted.
  byname_any* out() { return out_ == nullptr ? nullptr : &value_; }
  int finish(int rank) {
    if (rank >= 0 && out_ != nullptr) {
      *out_ = value_;
      value_ = {};
    }
    return rank;
  }

 private:
  byname_any* out_;
  byname_any value_{};
};

int keep(const byname_any& value, byname_any* out, int rank) {
  if (out != nullptr) check(byname_any_copy(&value, out));
  return rank;
}

int give(byname_any value, byname_any* out, int rank) {
  if (out != nullptr) *out = value;
  return rank;
}

byname_any float_value(double number) {
  byname_any value{BYNAME_FLOAT, 0, {0}};
  value.as_float = number;
  return value;
}

// Breaks ties between types of one kind: an integer's narrowest first, then a double before a float.
int width_rank(const byname_type& type) {
  if (type.kind == BYNAME_KIND_FLOAT) return type.bits == 64 ? 0 : 1;
  if (type.kind != BYNAME_KIND_INT) return 0;
  return 2 * std::countr_zero(static_cast<unsigned>(type.bits / 8)) + type.is_unsigned;
}

// Asks the binding of the language that an opaque object comes from.
int convert_foreign(const byname_any& value, const byname_type& type, byname_any* out, int rank) {
  byname_foreign_converter converter = foreign_converter.load(std::memory_order_acquire);
  if (value.type_index != BYNAME_PY_OBJECT || converter == nullptr) return kNoMatch;
  byname_any made{};
  int status = converter(foreign_context.load(std::memory_order_relaxed),
                         reinterpret_cast<const byname_py_object*>(value.as_object), &type, &made);
  if (status < 0) detail::throw_raised();
  if (status == 0) return kNoMatch;
  // What it made must still fit: an integer's range, a tensor's layout.
  int inner = made.type_index == BYNAME_PY_OBJECT ? kNoMatch : convert(made, type, out);
  byname_any_drop(&made);
  return inner < 0 ? inner : rank + width_rank(type);
}

bool holds(const byname_type& type, const byname_any& number) {
  if (type.kind == BYNAME_KIND_SYMINT) return number.type_index == BYNAME_INT;
  if (number.type_index == BYNAME_UINT) return type.is_unsigned != 0 && type.bits == 64;
  int64_t value = number.as_int;
  if (type.is_unsigned != 0) return value >= 0 && (type.bits == 64 || value < int64_t{1} << type.bits);
  if (type.bits == 64) return true;
  int64_t limit = int64_t{1} << (type.bits - 1);
  return value >= -limit && value < limit;
}

// A number that knows its width goes to that, then to types that hold all of its type, then to those that hold its
// value, all of which fit better than a float.
int integer_rank(const byname_type& type, const byname_dtype* own) {
  int width = width_rank(type);
  if (own == nullptr || own->bits == 0) return kNarrowest + width;
  bool own_unsigned = own->code == kDlUint;
  if (own->bits == type.bits && own_unsigned == (type.is_unsigned != 0)) return kOwnWidth;
  bool holds_all =
      own_unsigned == (type.is_unsigned != 0) ? type.bits > own->bits : own_unsigned && type.bits > own->bits;
  return kLossless + (holds_all ? 0 : 8) + width;
}

int convert_int(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  const byname_dtype* own = value.type_index == BYNAME_SCALAR_VIEW ? &value.as_scalar->dtype : nullptr;
  switch (number.type_index) {
    case BYNAME_INT:
    case BYNAME_UINT:
      if (!holds(type, number)) return kOutOfRange;
      return give(number, out, integer_rank(type, own));
    case BYNAME_BOOL:
      return give({BYNAME_INT, 0, {number.as_int}}, out, kConvertible + 64 + width_rank(type));
    case BYNAME_NONE:
      return value.type_index == BYNAME_SCALAR_VIEW ? kOutOfRange : kNoMatch;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
}

bool is_exact_float(int64_t number, const byname_type& type) {
  int64_t limit = type.bits == 64 ? kExactInDouble : kExactInFloat;
  return number >= -limit && number <= limit;
}

int convert_float(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  const byname_dtype* own = value.type_index == BYNAME_SCALAR_VIEW ? &value.as_scalar->dtype : nullptr;
  double result = 0;
  int rank = kConvertible + 16 + width_rank(type);
  switch (number.type_index) {
    case BYNAME_FLOAT:
      result = number.as_float;
      if (own != nullptr && own->bits != 0) {
        rank = own->bits == type.bits ? kOwnWidth : own->bits > type.bits ? kConvertible : kLossless + type.bits / 64;
      } else {
        rank = type.bits == 64 ? kOwnWidth : kConvertible;
      }
      break;
    case BYNAME_INT:
      result = static_cast<double>(number.as_int);
      if (is_exact_float(number.as_int, type)) rank = kLossless + 16 + width_rank(type);
      break;
    case BYNAME_UINT:
      result = static_cast<double>(number.as_uint);
      break;
    case BYNAME_NONE:
      if (value.type_index != BYNAME_SCALAR_VIEW) return kNoMatch;
      result = value.as_scalar->approximate;
      if (!std::isfinite(result)) return kOutOfRange;
      break;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
  if (type.bits == 32 && std::isfinite(result) && !std::isfinite(static_cast<float>(result))) return kOutOfRange;
  return give(float_value(result), out, rank);
}

int convert_complex(const byname_any& value, byname_any* out) {
  if (value.type_index == BYNAME_COMPLEX) return keep(value, out, kOwnWidth);
  static constexpr byname_type kFloat = {BYNAME_KIND_FLOAT, 64, 0, 0, 0, -1, nullptr, {}, nullptr, nullptr, nullptr};
  byname_any real{};
  int rank = convert_float(value, kFloat, &real);
  if (rank < 0) return rank;
  if (out != nullptr) check(byname_complex_new(real.as_float, 0, out));
  return kConvertible + 32;
}

int convert_scalar(const byname_any& value, const byname_type& type, byname_any* out) {
  const byname_any& number = plain_value(value);
  switch (number.type_index) {
    case BYNAME_INT:
    case BYNAME_BOOL:
    case BYNAME_FLOAT:
    case BYNAME_UINT:
    case BYNAME_COMPLEX:
      return keep(number, out, kLossless + 32);
    case BYNAME_NONE:
      return value.type_index == BYNAME_SCALAR_VIEW ? kOutOfRange : kNoMatch;
    default:
      return convert_foreign(value, type, out, kConvertible + 32);
  }
}

int convert_text(const byname_any& value, const byname_type& type, byname_any* out) {
  byname_str text{};
  bool fits = type.kind == BYNAME_KIND_STR ? byname_any_text(&value, &text) : byname_any_bytes(&value, &text);
  if (fits) return keep(value, out, kOwnWidth);
  return convert_foreign(value, type, out, kConvertible + 32);
}

int convert_shape(const byname_any& value, const byname_type& type, byname_any* out) {
  if (value.type_index == BYNAME_SHAPE) return keep(value, out, kOwnWidth);
  if (value.type_index != BYNAME_ARRAY && value.type_index != BYNAME_TUPLE) {
    return convert_foreign(value, type, out, kConvertible + 32);
  }
  const auto* array = reinterpret_cast<const byname_array*>(value.as_object);
  static constexpr byname_type kInt = {BYNAME_KIND_INT, 64, 0, 0, 0, -1, nullptr, {}, nullptr, nullptr, nullptr};
  auto dims = std::make_unique<int64_t[]>(static_cast<size_t>(array->size));
  for (int64_t i = 0; i < array->size; ++i) {
    byname_any dim{};
    int rank = convert_int(array->data[i], kInt, &dim);
    if (rank < 0) return rank;
    dims[static_cast<size_t>(i)] = dim.as_int;
  }
  if (out != nullptr) check(byname_shape_new(dims.get(), static_cast<size_t>(array->size), out));
  return kConvertible;
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

std::span<const byname_any> items_of(const byname_any& value) {
  const auto* array = reinterpret_cast<const byname_array*>(value.as_object);
  return {array->data, static_cast<size_t>(array->size)};
}

bool is_sequence(const byname_any& value) {
  return value.type_index == BYNAME_ARRAY || value.type_index == BYNAME_TUPLE;
}

// Items under construction.
class Items {
 public:
  explicit Items(size_t capacity) : values_(std::make_unique<byname_any[]>(capacity)) {}
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items() {
    for (size_t i = 0; i < size_; ++i) byname_any_drop(&values_[i]);
  }
  byname_any* next() { return &values_[size_]; }
  void push() { ++size_; }
  const byname_any* data() const { return values_.get(); }
  size_t size() const { return size_; }

 private:
  std::unique_ptr<byname_any[]> values_;
  size_t size_ = 0;
};

// Ranks (and converts) items[i] as element_of(i); the worst rank counts.
template <class ElementOf>
int convert_items(std::span<const byname_any> items, ElementOf element_of, Items* made) {
  int worst = kOwnWidth;
  for (size_t i = 0; i < items.size(); ++i) {
    int rank = convert(items[i], *element_of(i), made != nullptr ? made->next() : nullptr);
    if (rank < 0) return rank;
    if (made != nullptr) made->push();
    worst = std::max(worst, rank);
  }
  return worst;
}

template <class ElementOf>
bool all_pass(std::span<const byname_any> items, ElementOf element_of) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (!passes(items[i], *element_of(i))) return false;
  }
  return true;
}

bool has_size(std::span<const byname_any> items, const byname_type& type) {
  return type.fixed_size < 0 || items.size() == static_cast<size_t>(type.fixed_size);
}

int convert_list(const byname_any& value, const byname_type& type, byname_any* out) {
  auto element_of = [&type](size_t) { return type.elements[0]; };
  if (!is_sequence(value)) {
    if (value.type_index == BYNAME_SHAPE && type.elements[0]->kind == BYNAME_KIND_INT) {
      const auto* shape = reinterpret_cast<const byname_shape*>(value.as_object);
      Items items(shape->size);
      for (size_t i = 0; i < shape->size; ++i) {
        *items.next() = {BYNAME_INT, 0, {shape->data[i]}};
        items.push();
      }
      byname_any array{};
      check(byname_array_new(items.data(), items.size(), &array));
      int rank = convert_list(array, type, out);
      byname_any_drop(&array);
      return rank < 0 ? rank : kConvertible;
    }
    return convert_foreign(value, type, out, kConvertible + 32);
  }
  std::span<const byname_any> items = items_of(value);
  if (!has_size(items, type)) return kNoMatch;
  if (value.type_index == BYNAME_ARRAY && all_pass(items, element_of)) {
    int rank = convert_items(items, element_of, nullptr);
    return rank < 0 ? rank : keep(value, out, rank);
  }
  Items made(items.size());
  int rank = convert_items(items, element_of, out != nullptr ? &made : nullptr);
  if (rank < 0) return rank;
  if (out != nullptr) check(byname_array_new(made.data(), made.size(), out));
  return value.type_index == BYNAME_ARRAY ? rank : std::max<int>(rank, kLossless);
}

int convert_tuple(const byname_any& value, const byname_type& type, byname_any* out) {
  if (!is_sequence(value)) return convert_foreign(value, type, out, kConvertible + 32);
  std::span<const byname_any> items = items_of(value);
  if (items.size() != static_cast<size_t>(type.num_elements)) return kNoMatch;
  auto element_of = [&type](size_t i) { return type.elements[i]; };
  Items made(items.size());
  int rank = convert_items(items, element_of, out != nullptr ? &made : nullptr);
  if (rank < 0) return rank;
  if (out != nullptr) check(byname_tuple_new(made.data(), made.size(), out));
  return value.type_index == BYNAME_TUPLE ? rank : std::max<int>(rank, kLossless);
}

int convert_dict(const byname_any& value, const byname_type& type, byname_any* out) {
  if (value.type_index != BYNAME_MAP) return convert_foreign(value, type, out, kConvertible + 32);
  Draft draft(out);
  if (out != nullptr) check(byname_map_new(byname_map_size(value.as_object), draft.out()));
  int worst = kOwnWidth;
  size_t cursor = 0;
  const byname_any* key = nullptr;
  const byname_any* item = nullptr;
  while (byname_map_next(value.as_object, &cursor, &key, &item)) {
    byname_any new_key{};
    byname_any new_item{};
    int key_rank = convert(*key, *type.elements[0], out != nullptr ? &new_key : nullptr);
    int item_rank = key_rank < 0 ? key_rank : convert(*item, *type.elements[1], out != nullptr ? &new_item : nullptr);
    int status = 0;
    if (item_rank >= 0 && out != nullptr) status = byname_map_put(draft.out()->as_object, &new_key, &new_item);
    byname_any_drop(&new_key);
    byname_any_drop(&new_item);
    check(status);
    if (item_rank < 0) return item_rank;
    worst = std::max({worst, key_rank, item_rank});
  }
  return draft.finish(worst);
}

int convert_optional(const byname_any& value, const byname_type& type, byname_any* out) {
  if (value.type_index == BYNAME_NONE) return give({}, out, kOwnWidth + kThroughOptional);
  int rank = convert(value, *type.elements[0], out);
  return rank < 0 ? rank : rank + kThroughOptional;
}

int convert_union(const byname_any& value, const byname_type& type, byname_any* out) {
  int best = kNoMatch;
  const byname_type* chosen = nullptr;
  for (int32_t i = 0; i < type.num_elements; ++i) {
    int rank = convert(value, *type.elements[i], nullptr);
    if (rank == kOutOfRange && best == kNoMatch) best = kOutOfRange;
    if (rank >= 0 && (best < 0 || rank < best)) {
      best = rank;
      chosen = type.elements[i];
    }
  }
  if (chosen == nullptr) return best;
  if (out != nullptr) convert(value, *chosen, out);
  return best + kThroughUnion;
}

int convert_exactly(const byname_any& value, int32_t type_index, byname_any* out) {
  return value.type_index == type_index ? keep(value, out, kOwnWidth) : kNoMatch;
}

}  // namespace

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
      return value.type_index == BYNAME_ARRAY && has_size(items_of(value), type) &&
             all_pass(items_of(value), [&type](size_t) { return type.elements[0]; });
    default:
      return false;
  }
}

void set_foreign_converter(byname_foreign_converter converter, void* context) {
  foreign_context.store(context, std::memory_order_relaxed);
  foreign_converter.store(converter, std::memory_order_release);
}

}  // namespace byname::core
