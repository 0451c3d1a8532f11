#include "value/equal.h"

#include <cstring>
#include <vector>

#include "value/map.h"
#include "value/number.h"
#include "value/walk.h"

namespace byname::core {
namespace {

// Pairs that are yet to be compared: items of two sequences, or entries of a map with what another has for their keys.
struct Pairs {
  const byname_any* a = nullptr;
  const byname_any* b = nullptr;
  const MapObject* map = nullptr;
  const MapObject* other = nullptr;
  size_t position = 0;
  int64_t left = 0;

  // False: there is no partner.
  bool next(const byname_any*& from_a, const byname_any*& from_b) {
    --left;
    if (map == nullptr) {
      from_a = a++;
      from_b = b++;
      return true;
    }
    const MapEntry* entry = next_entry(map, position);
    const MapEntry* partner = find_entry(other, entry->key, entry->hash);
    if (partner == nullptr) return false;
    from_a = &entry->value;
    from_b = &partner->value;
    return true;
  }
};

bool same_text(byname_str a, byname_str b) {
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

bool same_shape(const byname_any& a, const byname_any& b) {
  const auto* x = reinterpret_cast<const byname_shape*>(a.as_object);
  const auto* y = reinterpret_cast<const byname_shape*>(b.as_object);
  return same_text({reinterpret_cast<const char*>(x->data), x->size * sizeof(int64_t)},
                   {reinterpret_cast<const char*>(y->data), y->size * sizeof(int64_t)});
}

// All but two containers of one kind.
bool equal_leaves(const byname_any& a, const byname_any& b) {
  Number number_a{};
  Number number_b{};
  byname_str text_a{};
  byname_str text_b{};
  if (number_in(a, number_a)) return number_in(b, number_b) && number_a == number_b;
  if (byname_any_text(&a, &text_a) != 0) return byname_any_text(&b, &text_b) != 0 && same_text(text_a, text_b);
  if (byname_any_bytes(&a, &text_a) != 0) return byname_any_bytes(&b, &text_b) != 0 && same_text(text_a, text_b);
  if (a.type_index != b.type_index) return false;
  if (a.type_index == BYNAME_SHAPE) return same_shape(a, b);
  return a.type_index == BYNAME_NONE || a.as_uint == b.as_uint;
}

enum class Outcome { kEqual, kUnequal, kOpen };

// Equal or not, or `inner` says what that depends on.
Outcome compare(const byname_any& a, const byname_any& b, Pairs& inner) {
  bool is_map = a.type_index == BYNAME_MAP;
  if (a.type_index != b.type_index || !(is_map || is_sequence(a))) {
    return equal_leaves(a, b) ? Outcome::kEqual : Outcome::kUnequal;
  }
  if (a.as_object == b.as_object) return Outcome::kEqual;
  inner = {};
  if (is_map) {
    inner.map = reinterpret_cast<const MapObject*>(a.as_object);
    inner.other = reinterpret_cast<const MapObject*>(b.as_object);
    inner.left = inner.map->size;
    return inner.map->size == inner.other->size ? Outcome::kOpen : Outcome::kUnequal;
  }
  Items items_a(a);
  Items items_b(b);
  inner.a = items_a.next;
  inner.b = items_b.next;
  inner.left = items_a.left;
  return items_a.left == items_b.left ? Outcome::kOpen : Outcome::kUnequal;
}

}  // namespace

bool equal_values(const byname_any& a, const byname_any& b) {
  Pairs pairs;
  Outcome outcome = compare(a, b, pairs);
  if (outcome != Outcome::kOpen) return outcome == Outcome::kEqual;
  std::vector<Pairs> outer;
  for (;;) {
    while (pairs.left == 0) {
      if (outer.empty()) return true;
      pairs = outer.back();
      outer.pop_back();
    }
    const byname_any* from_a = nullptr;
    const byname_any* from_b = nullptr;
    if (!pairs.next(from_a, from_b)) return false;
    Pairs inner;
    outcome = compare(*from_a, *from_b, inner);
    if (outcome == Outcome::kUnequal) return false;
    if (outcome == Outcome::kEqual) continue;
    // What has nothing left need not be come back to: a chain of any depth takes no room.
    if (pairs.left > 0) outer.push_back(pairs);
    pairs = inner;
  }
}

}  // namespace byname::core
