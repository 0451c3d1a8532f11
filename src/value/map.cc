#include "value/map.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "object/pool.h"
#include "value/equal.h"
#include "value/error.h"
#include "value/hash.h"
#include "value/value.h"

namespace byname::core {
namespace {

constexpr uint32_t kEmptySlot = UINT32_MAX;
constexpr uint32_t kRemovedSlot = UINT32_MAX - 1;
constexpr size_t kMaxCapacity = size_t{1} << 30;
constexpr uint32_t kNotFound = UINT32_MAX;

void destroy_map(void* object) {
  auto* map = static_cast<MapObject*>(object);
  size_t position = 0;
  while (const MapEntry* entry = next_entry(map, position)) {
    byname_any_drop(const_cast<byname_any*>(&entry->key));
    byname_any_drop(const_cast<byname_any*>(&entry->value));
  }
  std::free(map->entries);
}

constinit CoreClass map_class(BYNAME_MAP, sizeof(MapObject), alignof(MapObject), &destroy_map);

// Of a map's own place for a hash.
uint32_t first_slot(const MapObject* map, uint64_t hash) { return static_cast<uint32_t>(hash) & map->slot_mask; }

void fill_slot(MapObject* map, uint64_t hash, uint32_t number) {
  uint32_t at = first_slot(map, hash);
  while (map->slots[at] != kEmptySlot) at = (at + 1) & map->slot_mask;
  map->slots[at] = number;
}

// Writes entries and slots anew, without gaps and with room for `capacity` entries. Slots are at most half full: every
// one in use was given an entry since the last time.
int rewrite(MapObject* map, size_t capacity) {
  if (capacity > kMaxCapacity) return raise_out_of_memory();
  capacity = std::bit_ceil(std::max<size_t>(capacity, kMinCapacity));
  size_t num_slots = capacity > kMaxUnindexed ? 2 * capacity : 0;
  void* memory = std::malloc(capacity * sizeof(MapEntry) + num_slots * sizeof(uint32_t));
  if (memory == nullptr) return raise_out_of_memory();
  auto* entries = static_cast<MapEntry*>(memory);
  uint32_t count = 0;
  size_t position = 0;
  while (const MapEntry* entry = next_entry(map, position)) entries[count++] = *entry;
  std::free(map->entries);
  map->entries = entries;
  map->begin = 0;
  map->end = count;
  map->capacity = static_cast<uint32_t>(capacity);
  map->slots = nullptr;
  if (num_slots == 0) return 0;
  map->slots = reinterpret_cast<uint32_t*>(entries + capacity);
  map->slot_mask = static_cast<uint32_t>(num_slots - 1);
  std::fill_n(map->slots, num_slots, kEmptySlot);
  for (uint32_t i = 0; i < count; ++i) fill_slot(map, entries[i].hash, i);
  return 0;
}

MapObject* allocate_map(size_t capacity) {
  void* memory = allocate(&map_class, 0);
  if (memory == nullptr) return nullptr;
  byname_object_init(memory, BYNAME_MAP);
  auto* map = static_cast<MapObject*>(memory);
  map->entries = nullptr;
  map->slots = nullptr;
  map->slot_mask = map->size = map->end = map->begin = map->capacity = 0;
  if (capacity == 0 || rewrite(map, capacity) == 0) return map;
  byname_object_release(&map->header);
  return nullptr;
}

bool is_entry_of(const MapEntry& entry, const byname_any& key, uint64_t hash) {
  return entry.hash == hash && entry.key.type_index != kGap && equal_values(entry.key, key);
}

// The number of the key's entry, or kNotFound; `slot` is then unchanged.
uint32_t find_number(const MapObject* map, const byname_any& key, uint64_t hash, uint32_t* slot) {
  if (map->slots == nullptr) {
    for (uint32_t i = map->begin; i < map->end; ++i) {
      if (is_entry_of(map->entries[i], key, hash)) return i;
    }
    return kNotFound;
  }
  for (uint32_t at = first_slot(map, hash); map->slots[at] != kEmptySlot; at = (at + 1) & map->slot_mask) {
    uint32_t number = map->slots[at];
    if (number == kRemovedSlot || !is_entry_of(map->entries[number], key, hash)) continue;
    if (slot != nullptr) *slot = at;
    return number;
  }
  return kNotFound;
}

int check_unshared(const MapObject* map) {
  if (map->header.type_index == BYNAME_MAP && is_unshared(map->header)) return 0;
  return raise("RuntimeError", "a map that is shared cannot be changed (copy it first)");
}

int append_entry(MapObject* map, const byname_any& key, const byname_any& value, uint64_t hash) {
  OwnedAny new_key;
  OwnedAny new_value;
  // First: they may be borrowed from this very map.
  if (copy_value(key, &new_key.value) != 0 || copy_value(value, &new_value.value) != 0) return -1;
  if (map->end == map->capacity && rewrite(map, 2 * static_cast<size_t>(map->size)) != 0) return -1;
  map->entries[map->end] = {hash, new_key.take(), new_value.take()};
  if (map->slots != nullptr) fill_slot(map, hash, map->end);
  ++map->end;
  ++map->size;
  return 0;
}

}  // namespace

int make_map(size_t capacity, byname_any* out) {
  MapObject* map = allocate_map(capacity);
  if (map == nullptr) return -1;
  *out = object_value(&map->header);
  return 0;
}

int unshare_map(byname_any* value) {
  auto* map = object_as<MapObject>(*value);
  if (is_unshared(map->header)) return 0;
  MapObject* copy = allocate_map(map->size);
  if (copy == nullptr) return -1;
  OwnedAny made(object_value(&copy->header));
  size_t position = 0;
  while (const MapEntry* entry = next_entry(map, position)) {
    if (append_entry(copy, entry->key, entry->value, entry->hash) != 0) return -1;
  }
  byname_any_drop(value);
  *value = made.take();
  return 0;
}

int put_entry(MapObject* map, const byname_any& key, const byname_any& value) {
  uint64_t hash = 0;
  if (check_unshared(map) != 0 || hash_or_raise(key, hash) != 0) return -1;
  // Nothing else that holds the map could be the value, for the map has one reference.
  if (value.type_index == BYNAME_MAP && value.as_object == &map->header) {
    return raise("ValueError", "a map cannot contain itself");
  }
  uint32_t number = find_number(map, key, hash, nullptr);
  if (number == kNotFound) return append_entry(map, key, value, hash);
  OwnedAny replaced;
  if (copy_value(value, &replaced.value) != 0) return -1;
  std::swap(replaced.value, map->entries[number].value);
  return 0;
}

int remove_entry(MapObject* map, const byname_any& key) {
  uint64_t hash = 0;
  if (check_unshared(map) != 0) return -1;
  if (!hash_value(key, hash)) return 0;
  uint32_t slot = 0;
  uint32_t number = find_number(map, key, hash, &slot);
  if (number == kNotFound) return 0;
  MapEntry& entry = map->entries[number];
  OwnedAny old_key(entry.key);
  OwnedAny old_value(entry.value);
  entry.key = {kGap, 0, {0}};
  if (map->slots != nullptr) map->slots[slot] = kRemovedSlot;
  --map->size;
  while (map->begin < map->end && map->entries[map->begin].key.type_index == kGap) ++map->begin;
  return 1;
}

const MapEntry* find_entry(const MapObject* map, const byname_any& key, uint64_t hash) {
  uint32_t number = find_number(map, key, hash, nullptr);
  return number == kNotFound ? nullptr : &map->entries[number];
}

const MapEntry* find_entry(const MapObject* map, const byname_any& key) {
  uint64_t hash = 0;
  return hash_value(key, hash) ? find_entry(map, key, hash) : nullptr;
}

}  // namespace byname::core
