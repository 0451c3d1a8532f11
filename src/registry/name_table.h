// The table of names: a hash table that is read without locks and only grows.
#ifndef BYNAME_REGISTRY_NAME_TABLE_H_
#define BYNAME_REGISTRY_NAME_TABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

namespace byname::core {

struct Packet;

// A name and what is registered under it. Stays where it is for the life of the process; the name follows it in memory.
struct Entry {
  byname_entry shared;        // what callers see
  uint32_t serial = 0;        // counts registrations under the name; changes with each
  uint32_t batch : 31 = 0;    // the batch that is about to fill it
  uint32_t is_local : 1 = 0;  // in a table of a module's own names
  Packet* packet = nullptr;   // its overloads, if it has any
  std::string_view name() const { return {shared.name, shared.name_size}; }
  byname_function* cell() const { return __atomic_load_n(&shared.cell, __ATOMIC_ACQUIRE); }
};
static_assert(sizeof(Entry) == 40);

// Readers: any thread, no lock. Writers: one at a time (the registry's mutex).
class NameTable {
 public:
  explicit NameTable(bool is_local = false);
  // nullptr: the name was never there.
  Entry* find(std::string_view name) const;
  // Makes the entry if need be.
  Entry* find_or_make(std::string_view name);
  // Every entry that was ever made, in the order in which they were. For writers.
  const std::vector<Entry*>& entries() const { return entries_; }
  // The same for readers that hold no lock: calls `visit` for entries that are there now.
  template <class Visit>
  void for_each(Visit visit) const {
    const Slots* slots = slots_.load(std::memory_order_acquire);
    for (uint64_t i = 0; i <= slots->mask; ++i) {
      uint64_t word = slots->words[i].load(std::memory_order_acquire);
      if (word != 0) visit(entry_of(word));
    }
  }

 private:
  // The upper 16 bits of a word are the upper 16 of the hash, the lower 48 the entry's address.
  static constexpr int kTagShift = 48;
  struct Slots {
    uint64_t mask;
    std::unique_ptr<std::atomic<uint64_t>[]> words;
  };
  static Entry* entry_of(uint64_t word) { return reinterpret_cast<Entry*>(word & ((uint64_t{1} << kTagShift) - 1)); }
  static std::unique_ptr<Slots> make_slots(uint64_t capacity);
  static void place(const Slots& slots, uint64_t hash, Entry* entry);
  Entry* make_entry(std::string_view name);
  void grow();

  std::atomic<const Slots*> slots_;
  std::vector<std::unique_ptr<Slots>> all_slots_;  // outgrown ones stay: readers may be in them
  std::vector<Entry*> entries_;
  const bool is_local_;
  char* arena_ = nullptr;
  size_t arena_left_ = 0;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_NAME_TABLE_H_
