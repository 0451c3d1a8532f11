// Arrays: sequences of values, all of them T (Any: anything).
#ifndef BYNAME_ARRAY_H_
#define BYNAME_ARRAY_H_

#include <initializer_list>
#include <span>

#include "byname/sequence.h"

namespace byname {

// A value like a vector, but cheap to copy: copies share their items until one of them is changed, which then gets
// items of its own. Items are converted to T when they are looked at, so they come by value; there is no T& into an
// array. Reading one array from several threads is safe, also through copies.
template <class T>
class Array {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = detail::ItemIterator<T>;
  using const_iterator = iterator;

  Array() noexcept = default;
  Array(std::initializer_list<T> items) : Array(items.begin(), items.end()) {}
  template <std::input_iterator First, std::sentinel_for<First> Last>
  Array(First first, Last last) {
    if constexpr (std::sized_sentinel_for<Last, First>) reserve(static_cast<size_t>(last - first));
    for (; first != last; ++first) push_back(*first);
  }
  // Takes a reference to an array whose items are T.
  Array(byname_array* taken, Adopt) noexcept : items_(taken) {}

  size_t size() const noexcept { return items_.size(); }
  bool empty() const noexcept { return size() == 0; }
  // No check.
  T operator[](size_t i) const { return detail::convert_to<T>(items_.data()[i]); }
  // Throws IndexError.
  T at(size_t i) const {
    if (i >= size()) detail::throw_index("array index out of range");
    return (*this)[i];
  }
  // Of an array that is not empty.
  T front() const { return (*this)[0]; }
  T back() const { return (*this)[size() - 1]; }
  iterator begin() const noexcept { return iterator(items_.data()); }
  iterator end() const noexcept { return iterator(items_.data() + size()); }
  // The items as they are stored.
  std::span<const byname_any> raw_items() const noexcept { return {items_.data(), size()}; }

  void reserve(size_t capacity) {
    if (capacity > 0) items_.unshare(capacity);
  }
  void push_back(T item) { insert(size(), std::move(item)); }
  // Throws IndexError.
  void insert(size_t position, T item) {
    if (position > size()) detail::throw_index("array insertion index out of range");
    detail::OwnedSide made;
    Convert<T>::store(&made.value, std::move(item));
    items_.insert(position, made);
  }
  // Throws IndexError.
  void set(size_t position, T item) {
    if (position >= size()) detail::throw_index("array assignment index out of range");
    detail::OwnedSide made;
    Convert<T>::store(&made.value, std::move(item));
    items_.replace(position, made);
  }
  // Throws IndexError.
  void erase(size_t position, size_t count = 1) {
    if (position > size() || count > size() - position) detail::throw_index("array deletion index out of range");
    if (count > 0) items_.remove(position, count);
  }
  // Throws IndexError.
  T pop_back() {
    if (empty()) detail::throw_index("pop from empty array");
    T last = back();
    erase(size() - 1);
    return last;
  }
  void clear() noexcept { items_ = {}; }

  // By content, as byname_any_equal.
  friend bool operator==(const Array& a, const Array& b) { return detail::equal_sequences(a.items_, b.items_); }

 private:
  friend struct Convert<Array<T>>;
  detail::Sequence items_;
};

template <class T>
Array(std::initializer_list<T>) -> Array<T>;
template <class First, class Last>
Array(First, Last) -> Array<std::iter_value_t<First>>;

template <class T>
struct Convert<Array<T>> : detail::HeldByBorrow<Array<T>> {
  static constexpr byname_type kType = detail::compound_type<T>(BYNAME_KIND_LIST);
  using Side = detail::OwnedSide;
  static bool load(const byname_any& from, detail::Borrowed<Array<T>>& to) {
    if (from.type_index != BYNAME_ARRAY) return false;
    auto* array = reinterpret_cast<byname_array*>(from.as_object);
    for (int64_t i = 0; i < array->size; ++i) {
      if (!detail::is_exactly<T>(array->data[i])) return false;
    }
    to.set(array);
    return true;
  }
  static byname_any pack(const Array<T>& value, Side& side) {
    if (value.items_.array() != nullptr) return value.items_.raw();
    store(&side.value, value);
    return side.value;
  }
  static void store(byname_any* out, Array<T> value) {
    if (value.items_.array() == nullptr) value.items_.unshare(0);
    *out = value.items_.leak_raw();
  }
};

}  // namespace byname

#endif  // BYNAME_ARRAY_H_
