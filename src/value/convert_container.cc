// Containers of the conversion table: item by item.
#include <algorithm>
#include <memory>

#include "value/convert_parts.h"

namespace byname::core {
namespace {

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

}  // namespace

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

bool list_passes(const byname_any& value, const byname_type& type) {
  return value.type_index == BYNAME_ARRAY && has_size(items_of(value), type) &&
         all_pass(items_of(value), [&type](size_t) { return type.elements[0]; });
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
      detail::OwnedSide array;
      check(byname_array_new(items.data(), items.size(), &array.value));
      int rank = convert_list(array.value, type, out);
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
    detail::OwnedSide new_key;
    detail::OwnedSide new_item;
    int key_rank = convert(*key, *type.elements[0], out != nullptr ? &new_key.value : nullptr);
    if (key_rank < 0) return key_rank;
    int item_rank = convert(*item, *type.elements[1], out != nullptr ? &new_item.value : nullptr);
    if (item_rank < 0) return item_rank;
    if (out != nullptr) check(byname_map_put(draft.out()->as_object, &new_key.value, &new_item.value));
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

}  // namespace byname::core
