// Maps from keys to values, in the order in which the keys came.
#ifndef BYNAME_MAP_H_
#define BYNAME_MAP_H_

#include <initializer_list>
#include <iterator>
#include <utility>

#include "byname/sequence.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_key(const byname_any& key) { throw Error("KeyError", AnyView(key).print()); }

}  // namespace detail

// As visible as the maps it is part of.
namespace detail {

// A map object; NULL stands for an empty one. Copies share; changing makes a copy unless this is the only reference.
class MapCore {
 public:
  MapCore() noexcept = default;
  explicit MapCore(byname_object* taken) noexcept : map_(taken) {}
  MapCore(const MapCore& other) noexcept : map_(other.map_) {
    if (map_ != nullptr) byname_object_retain(map_);
  }
  MapCore(MapCore&& other) noexcept : map_(std::exchange(other.map_, nullptr)) {}
  MapCore& operator=(MapCore other) noexcept {
    std::swap(map_, other.map_);
    return *this;
  }
  ~MapCore() { byname_object_release(map_); }

  byname_object* map() const noexcept { return map_; }
  byname_any raw() const noexcept { return map_ == nullptr ? any_none() : any_object(map_); }
  byname_any leak_raw() noexcept {
    byname_any value = raw();
    map_ = nullptr;
    return value;
  }
  size_t size() const noexcept { return map_ == nullptr ? 0 : byname_map_size(map_); }
  const byname_any* get(const byname_any& key) const { return map_ == nullptr ? nullptr : byname_map_get(map_, &key); }
  // One that may be changed, with room for `capacity` if it is made now.
  void unshare(size_t capacity = 0) {
    byname_any value = raw();
    check(map_ == nullptr ? byname_map_new(capacity, &value) : byname_map_unshare(&value));
    map_ = value.as_object;
  }
  void put(const byname_any& key, const byname_any& value) {
    unshare();
    check(byname_map_put(map_, &key, &value));
  }
  bool remove(const byname_any& key) {
    if (get(key) == nullptr) return false;
    unshare();
    int removed = byname_map_remove(map_, &key);
    if (removed < 0) throw_raised();
    return removed != 0;
  }

 private:
  byname_object* map_ = nullptr;
};

}  // namespace detail

// A value like an ordered dictionary, but cheap to copy: copies share their entries until one of them is changed, which
// then gets entries of its own. Keys are whatever can be hashed (no maps); 1, 1.0 and true are one key. Look-up,
// insertion and removal take constant time on average. Keys and values come by value. Reading one map from several
// threads is safe, also through copies; changing one that is walked through is not.
template <class K, class V>
class Map {
 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using size_type = size_t;

  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<K, V>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;

    iterator() noexcept = default;
    explicit iterator(const byname_object* map) noexcept : map_(map) { ++*this; }
    value_type operator*() const { return {detail::convert_to<K>(*key_), detail::convert_to<V>(*value_)}; }
    iterator& operator++() noexcept {
      if (map_ == nullptr || byname_map_next(map_, &cursor_, &key_, &value_) == 0) key_ = nullptr;
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.key_ == b.key_; }

   private:
    const byname_object* map_ = nullptr;
    size_t cursor_ = 0;
    const byname_any* key_ = nullptr;
    const byname_any* value_ = nullptr;
  };
  using const_iterator = iterator;

  Map() noexcept = default;
  // Of equal keys the last one's value counts.
  Map(std::initializer_list<value_type> entries) : Map(entries.begin(), entries.end()) {}
  template <std::input_iterator First, std::sentinel_for<First> Last>
  Map(First first, Last last) {
    for (; first != last; ++first) {
      const auto& [key, value] = *first;
      set(key, value);
    }
  }
  // Takes a reference to a map of these types.
  Map(byname_object* taken, Adopt) noexcept : entries_(taken) {}

  size_t size() const noexcept { return entries_.size(); }
  bool empty() const noexcept { return size() == 0; }
  iterator begin() const noexcept { return iterator(entries_.map()); }
  iterator end() const noexcept { return iterator(); }

  // A key may be given as anything that is equal to it: a string literal for a String.
  template <Convertible Key>
  bool contains(const Key& key) const {
    typename Convert<Key>::Side side{};
    return entries_.get(Convert<Key>::pack(key, side)) != nullptr;
  }
  template <Convertible Key>
  std::optional<V> find(const Key& key) const {
    typename Convert<Key>::Side side{};
    const byname_any* value = entries_.get(Convert<Key>::pack(key, side));
    if (value == nullptr) return std::nullopt;
    return detail::convert_to<V>(*value);
  }
  // Throws KeyError, whose message is the key.
  template <Convertible Key>
  V at(const Key& key) const {
    typename Convert<Key>::Side side{};
    byname_any packed = Convert<Key>::pack(key, side);
    const byname_any* value = entries_.get(packed);
    if (value == nullptr) detail::throw_key(packed);
    return detail::convert_to<V>(*value);
  }
  // As at: looking at a key does not make it.
  template <Convertible Key>
  V operator[](const Key& key) const {
    return at(key);
  }

  // Makes an entry, or replaces the value of the one that is there. Throws TypeError for a key that cannot be hashed.
  void set(const K& key, const V& value) {
    typename Convert<K>::Side key_side{};
    typename Convert<V>::Side value_side{};
    entries_.put(Convert<K>::pack(key, key_side), Convert<V>::pack(value, value_side));
  }
  // Makes an entry unless the key is there; whether it did.
  bool insert(const K& key, const V& value) {
    if (contains(key)) return false;
    set(key, value);
    return true;
  }
  // Whether it was there.
  template <Convertible Key>
  bool erase(const Key& key) {
    typename Convert<Key>::Side side{};
    return entries_.remove(Convert<Key>::pack(key, side));
  }
  void clear() noexcept { entries_ = {}; }

  // Whether both have equal values for the same keys, in any order.
  friend bool operator==(const Map& a, const Map& b) {
    if (a.empty() || b.empty()) return a.size() == b.size();
    byname_any raw_a = a.entries_.raw();
    byname_any raw_b = b.entries_.raw();
    return byname_any_equal(&raw_a, &raw_b) != 0;
  }

 private:
  friend struct Convert<Map<K, V>>;
  detail::MapCore entries_;
};

template <class K, class V>
struct Convert<Map<K, V>> : detail::HeldByBorrow<Map<K, V>> {
  static constexpr byname_type kType = detail::compound_type<K, V>(BYNAME_KIND_DICT);
  using Side = detail::OwnedSide;
  static bool load(const byname_any& from, detail::Borrowed<Map<K, V>>& to) {
    if (from.type_index != BYNAME_MAP) return false;
    size_t cursor = 0;
    const byname_any* key = nullptr;
    const byname_any* value = nullptr;
    while (byname_map_next(from.as_object, &cursor, &key, &value) != 0) {
      if (!detail::is_exactly<K>(*key) || !detail::is_exactly<V>(*value)) return false;
    }
    to.set(from.as_object);
    return true;
  }
  static byname_any pack(const Map<K, V>& value, Side& side) {
    if (value.entries_.map() != nullptr) return value.entries_.raw();
    store(&side.value, value);
    return side.value;
  }
  static void store(byname_any* out, Map<K, V> value) {
    if (value.entries_.map() == nullptr) value.entries_.unshare();
    *out = value.entries_.leak_raw();
  }
};

}  // namespace byname

#endif  // BYNAME_MAP_H_
