#include "registry/name_table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/hash.h"

namespace byname::core {
namespace {

constexpr size_t kFirstCapacity = 1024;
constexpr size_t kLine = 64;
constexpr size_t kArena = 64 * 1024;

}  // namespace

NameTable::NameTable(bool is_local) : is_local_(is_local) {
  all_slots_.push_back(make_slots(kFirstCapacity));
  slots_.store(all_slots_.back().get(), std::memory_order_release);
}

std::unique_ptr<NameTable::Slots> NameTable::make_slots(uint64_t capacity) {
  auto slots = std::make_unique<Slots>();
  slots->mask = capacity - 1;
  slots->words = std::make_unique<std::atomic<uint64_t>[]>(capacity);
  return slots;
}

Entry* NameTable::find(std::string_view name) const {
  const uint64_t hash = hash_bytes(name);
  const uint64_t tag = hash >> kTagShift;
  const Slots* slots = slots_.load(std::memory_order_acquire);
  const uint64_t mask = slots->mask;
  const std::atomic<uint64_t>* words = slots->words.get();
  for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
    uint64_t word = words[i].load(std::memory_order_acquire);
    if (word == 0) return nullptr;
    if (word >> kTagShift != tag) continue;
    Entry* entry = entry_of(word);
    // The name stands behind its entry: one cache line for both, as a rule.
    const char* characters = reinterpret_cast<const char*>(entry + 1);
    if (entry->shared.name_size == name.size() && std::memcmp(characters, name.data(), name.size()) == 0) return entry;
  }
}

Entry* NameTable::find_or_make(std::string_view name) {
  if (Entry* entry = find(name)) return entry;
  if (2 * (entries_.size() + 1) > slots_.load(std::memory_order_relaxed)->mask) grow();
  Entry* entry = make_entry(name);
  entries_.push_back(entry);
  place(*slots_.load(std::memory_order_relaxed), hash_bytes(name), entry);
  return entry;
}

void NameTable::place(const Slots& slots, uint64_t hash, Entry* entry) {
  uint64_t i = hash & slots.mask;
  while (slots.words[i].load(std::memory_order_relaxed) != 0) i = (i + 1) & slots.mask;
  uint64_t word = (hash >> kTagShift) << kTagShift | reinterpret_cast<uint64_t>(entry);
  slots.words[i].store(word, std::memory_order_release);
}

void NameTable::grow() {
  auto slots = make_slots(2 * (slots_.load(std::memory_order_relaxed)->mask + 1));
  for (Entry* entry : entries_) place(*slots, hash_bytes(entry->name()), entry);
  all_slots_.push_back(std::move(slots));
  slots_.store(all_slots_.back().get(), std::memory_order_release);
}

Entry* NameTable::make_entry(std::string_view name) {
  size_t size = (sizeof(Entry) + name.size() + 1 + alignof(Entry) - 1) / alignof(Entry) * alignof(Entry);
  // A small entry does not straddle a cache line.
  size_t offset = arena_left_ % kLine;
  if (size <= kLine && size > (offset == 0 ? kLine : offset)) {
    arena_ += offset;
    arena_left_ -= offset;
  }
  if (size > arena_left_) {
    size_t wanted = std::max(kArena, (size + kLine - 1) / kLine * kLine);
    void* memory = std::aligned_alloc(kLine, wanted);
    if (memory == nullptr) throw std::bad_alloc();
    arena_ = static_cast<char*>(memory);
    arena_left_ = wanted;
  }
  auto* entry = ::new (arena_) Entry{};
  entry->is_local = is_local_ ? 1 : 0;
  char* characters = reinterpret_cast<char*>(entry + 1);
  std::memcpy(characters, name.data(), name.size());
  characters[name.size()] = '\0';
  entry->shared.name = characters;
  entry->shared.name_size = name.size();
  arena_ += size;
  arena_left_ -= size;
  return entry;
}

}  // namespace byname::core
