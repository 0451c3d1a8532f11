// Making, copying and naming values.
#ifndef BYNAME_VALUE_VALUE_H_
#define BYNAME_VALUE_VALUE_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

namespace byname::core {

// A value that is dropped at the end of its scope.
struct OwnedAny {
  OwnedAny() noexcept : value{} {}
  explicit OwnedAny(byname_any owned) noexcept : value(owned) {}
  OwnedAny(const OwnedAny&) = delete;
  OwnedAny& operator=(const OwnedAny&) = delete;
  ~OwnedAny() { byname_any_drop(&value); }
  // Gives the value away.
  byname_any take() noexcept {
    byname_any taken = value;
    value = {};
    return taken;
  }
  byname_any value;
};

inline byname_any object_value(byname_object* owned) {
  byname_any value{owned->type_index, 0, {0}};
  value.as_object = owned;
  return value;
}

// Whether whoever holds the object is alone with it and may change it.
inline bool is_unshared(const byname_object& object) {
  return byname_is_own(&object) && __atomic_load_n(&object.counts, __ATOMIC_ACQUIRE) == BYNAME_COUNT_UNIQUE;
}

template <class T>
T* object_as(const byname_any& value) {
  return reinterpret_cast<T*>(value.as_object);
}

// The functions below that return int raise an error and return -1 if they fail; `out` owns.

// Text (BYNAME_STR) or bytes (BYNAME_BYTES); up to 7 of them without an object.
int make_text(std::string_view text, int32_t type_index, byname_any* out);

// An owning copy; views become the values they show.
int copy_value(const byname_any& value, byname_any* out);

// The word for a value's type in messages. Lives as long as the process or, of an object of another language, the
// value.
std::string_view type_name(const byname_any& value);

// Arrays (BYNAME_ARRAY) and tuples (BYNAME_TUPLE) of copies.
int make_array(const byname_any* items, size_t size, int32_t type_index, byname_any* out);
// Makes an owned array or tuple one that may be changed: Byname's own, with one reference and room for `capacity` items
// (or its size, if that is more). A copy, if need be.
int unshare_array(byname_any* array, size_t capacity);

// Values for an array, owned until then.
class OwnedItems {
 public:
  OwnedItems() = default;
  OwnedItems(const OwnedItems&) = delete;
  OwnedItems& operator=(const OwnedItems&) = delete;
  ~OwnedItems() {
    for (byname_any& item : items_) byname_any_drop(&item);
  }
  void push(byname_any owned) { items_.push_back(owned); }
  int make_array(byname_any* out) const { return byname_array_new(items_.data(), items_.size(), out); }

 private:
  std::vector<byname_any> items_;
};

// An array of texts. May throw std::bad_alloc.
template <class Texts>
int make_texts(const Texts& texts, byname_any* out) {
  std::vector<byname_str> views;
  std::vector<byname_any> items;
  views.reserve(std::size(texts));  // items point into it
  for (std::string_view text : texts) {
    views.push_back({text.data(), text.size()});
    items.push_back({BYNAME_STR_VIEW, 0, {0}});
    items.back().as_str = &views.back();
  }
  return byname_array_new(items.data(), items.size(), out);
}

int make_shape(const int64_t* dims, size_t size, byname_any* out);
int make_complex(double real, double imag, byname_any* out);

}  // namespace byname::core

#endif  // BYNAME_VALUE_VALUE_H_
