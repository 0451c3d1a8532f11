// What arrays and tuples share: a reference to items that are changed by whoever is alone with them. Not for direct
// use.
#ifndef BYNAME_SEQUENCE_H_
#define BYNAME_SEQUENCE_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "byname/any.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

// Whether the value is a T as it stands.
template <class T>
bool is_exactly(const byname_any& value) {
  if constexpr (std::is_same_v<T, Any> || std::is_same_v<T, AnyView>) {
    return true;
  } else {
    typename Convert<T>::Held held{};
    return Convert<T>::load(value, held);
  }
}

[[noreturn]] BYNAME_COLD inline void throw_index(const char* message) { throw_error("IndexError", message); }

}  // namespace detail

// As visible as the containers they are part of.
namespace detail {

// Items of an array or tuple; NULL stands for none. Copies share; changing makes a copy unless this is the only
// reference.
class Sequence {
 public:
  Sequence() noexcept = default;
  // Takes a reference.
  explicit Sequence(byname_array* taken) noexcept : array_(taken) {}
  Sequence(const Sequence& other) noexcept : array_(other.array_) {
    if (array_ != nullptr) byname_object_retain(&array_->header);
  }
  Sequence(Sequence&& other) noexcept : array_(std::exchange(other.array_, nullptr)) {}
  Sequence& operator=(Sequence other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~Sequence() {
    if (array_ != nullptr) byname_object_release(&array_->header);
  }

  size_t size() const noexcept { return array_ == nullptr ? 0 : static_cast<size_t>(array_->size); }
  const byname_any* data() const noexcept { return array_ == nullptr ? nullptr : array_->data; }
  byname_array* array() const noexcept { return array_; }
  // As a value, borrowed or given away; None where it is NULL.
  byname_any raw() const noexcept { return array_ == nullptr ? any_none() : any_object(&array_->header); }
  byname_any leak_raw() noexcept {
    byname_any value = raw();
    array_ = nullptr;
    return value;
  }

  // Room for changes up to `capacity` items.
  void unshare(size_t capacity) {
    byname_any value = raw();
    check(byname_array_unshare(&value, capacity));
    array_ = reinterpret_cast<byname_array*>(value.as_object);
  }
  // Takes the item.
  void insert(size_t position, OwnedSide& item) {
    size_t count = size();
    unshare(array_ != nullptr && count < static_cast<size_t>(array_->capacity) ? count + 1
                                                                               : std::max<size_t>(4, 2 * count));
    byname_any* place = array_->data + position;
    std::memmove(static_cast<void*>(place + 1), place, (count - position) * sizeof(byname_any));
    *place = std::exchange(item.value, any_none());
    ++array_->size;
  }
  void replace(size_t position, OwnedSide& item) {
    unshare(size());
    std::swap(array_->data[position], item.value);
  }
  void remove(size_t first, size_t count) {
    unshare(size());
    Sequence dropped = with_capacity(count);
    byname_any* place = array_->data + first;
    std::memcpy(static_cast<void*>(dropped.array_->data), place, count * sizeof(byname_any));
    std::memmove(static_cast<void*>(place), place + count, (size() - first - count) * sizeof(byname_any));
    array_->size -= static_cast<int64_t>(count);
    dropped.array_->size = static_cast<int64_t>(count);
  }
  static Sequence with_capacity(size_t capacity) {
    Sequence made;
    made.unshare(capacity);
    return made;
  }
  // Behind the last one, for which there is room.
  template <class T, class Item>
  void append(Item&& item) {
    byname_any* place = array_->data + array_->size;
    *place = any_none();
    ++array_->size;
    Convert<T>::store(place, std::forward<Item>(item));
  }

 private:
  byname_array* array_ = nullptr;
};

inline bool equal_sequences(const Sequence& a, const Sequence& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == b.size();
  byname_any raw_a = a.raw();
  byname_any raw_b = b.raw();
  return byname_any_equal(&raw_a, &raw_b) != 0;
}

// Over items, by value: an item is converted when it is looked at.
template <class T>
class ItemIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;

  ItemIterator() noexcept = default;
  explicit ItemIterator(const byname_any* at) noexcept : at_(at) {}
  T operator*() const { return convert_to<T>(*at_); }
  T operator[](difference_type n) const { return convert_to<T>(at_[n]); }
  ItemIterator& operator++() noexcept { return *this += 1; }
  ItemIterator operator++(int) noexcept { return ItemIterator(at_++); }
  ItemIterator& operator--() noexcept { return *this -= 1; }
  ItemIterator operator--(int) noexcept { return ItemIterator(at_--); }
  ItemIterator& operator+=(difference_type n) noexcept {
    at_ += n;
    return *this;
  }
  ItemIterator& operator-=(difference_type n) noexcept {
    at_ -= n;
    return *this;
  }
  friend ItemIterator operator+(ItemIterator i, difference_type n) noexcept { return ItemIterator(i.at_ + n); }
  friend ItemIterator operator+(difference_type n, ItemIterator i) noexcept { return ItemIterator(i.at_ + n); }
  friend ItemIterator operator-(ItemIterator i, difference_type n) noexcept { return ItemIterator(i.at_ - n); }
  friend difference_type operator-(ItemIterator a, ItemIterator b) noexcept { return a.at_ - b.at_; }
  friend bool operator==(ItemIterator, ItemIterator) noexcept = default;
  friend auto operator<=>(ItemIterator, ItemIterator) noexcept = default;

 private:
  const byname_any* at_ = nullptr;
};

}  // namespace detail

}  // namespace byname

#endif  // BYNAME_SEQUENCE_H_
