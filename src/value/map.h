// Maps: insertion-ordered hash tables.
//
// Entries stand in an array in the order in which they came; a removed one leaves a gap there until the array is
// written anew. Beyond kMaxUnindexed entries a table of 32-bit slots, probed linearly, tells where the entry of a hash
// is.
#ifndef BYNAME_VALUE_MAP_H_
#define BYNAME_VALUE_MAP_H_

#include <cstddef>
#include <cstdint>

#include "byname/c_api.h"

namespace byname::core {

struct MapEntry {
  uint64_t hash;
  byname_any key;  // of a gap: kGap
  byname_any value;
};

// What stands behind BYNAME_MAP.
struct MapObject {
  byname_object header;
  MapEntry* entries;
  uint32_t* slots;  // kEmptySlot, kRemovedSlot, or the number of an entry; NULL: looked for one by one
  uint32_t slot_mask;
  uint32_t size;   // entries that are no gaps
  uint32_t end;    // entries and gaps
  uint32_t begin;  // before it are only gaps
  uint32_t capacity;
};

inline constexpr uint32_t kMinCapacity = 4;
inline constexpr uint32_t kMaxUnindexed = 8;
inline constexpr int32_t kGap = -1;

// The functions that return int raise an error and return -1 if they fail; `out` owns.
int make_map(size_t capacity, byname_any* out);
// Makes an owned map one that may be changed: with one reference. A copy, if need be.
int unshare_map(byname_any* map);
// The map must be one that may be changed (refused otherwise, which keeps a map from containing itself). The key of an
// entry that is there stays as it is.
int put_entry(MapObject* map, const byname_any& key, const byname_any& value);
// 1 if it was there, -1 if the map may not be changed.
int remove_entry(MapObject* map, const byname_any& key);

// NULL if it is not there or cannot be hashed. Throws bad_alloc for a deeply nested key without memory.
const MapEntry* find_entry(const MapObject* map, const byname_any& key);
// With the key's hash at hand.
const MapEntry* find_entry(const MapObject* map, const byname_any& key, uint64_t hash);

// The entry at or behind `position`, which is moved behind it; NULL at the end.
inline const MapEntry* next_entry(const MapObject* map, size_t& position) {
  if (position < map->begin) position = map->begin;
  while (position < map->end) {
    const MapEntry* entry = &map->entries[position++];
    if (entry->key.type_index != kGap) return entry;
  }
  return nullptr;
}

}  // namespace byname::core

#endif  // BYNAME_VALUE_MAP_H_
