#include "object/type_table.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "base/struct_size.h"
#include "object/mutex.h"

namespace byname::core {
namespace {

// The same in every process.
constexpr uint64_t hash_of(std::string_view key) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (char character : key) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
  return hash;
}

// A type as the table keeps it. The ancestors and the key's characters lie behind those that are made at run time.
struct Type {
  byname_type_info info;
  int32_t num_reserved;  // for descendants, right behind its index
  int32_t num_taken;     // of them; guarded by object_mutex
};

constexpr Type built_in(int32_t index, std::string_view key, const byname_type_info* const* ancestors) {
  Type type{};
  type.info.type_index = index;
  type.info.depth = ancestors == nullptr ? 0 : 1;
  type.info.key = {key.data(), key.size()};
  type.info.ancestors = ancestors;
  type.info.key_hash = hash_of(key);
  type.info.run_begin = BYNAME_NO_RUN;
  type.info.scatter = ancestors == nullptr ? 2 : 0;
  return type;
}

constinit Type object_type = built_in(BYNAME_OBJECT, "Object", nullptr);
constexpr const byname_type_info* kOnlyObject[] = {&object_type.info};

// Those whose keys begin with "ffi." are made by foreign modules only and known so that they can be named.
constinit Type built_in_types[] = {
    built_in(BYNAME_STR, "byname.Str", kOnlyObject),
    built_in(BYNAME_BYTES, "byname.Bytes", kOnlyObject),
    built_in(BYNAME_ERROR, "byname.Error", kOnlyObject),
    built_in(BYNAME_FUNCTION, "byname.Function", kOnlyObject),
    built_in(BYNAME_SHAPE, "byname.Shape", kOnlyObject),
    built_in(BYNAME_TENSOR, "byname.Tensor", kOnlyObject),
    built_in(BYNAME_ARRAY, "byname.Array", kOnlyObject),
    built_in(BYNAME_FOREIGN_MAP, "ffi.Map", kOnlyObject),
    built_in(BYNAME_FOREIGN_MODULE, "ffi.Module", kOnlyObject),
    built_in(BYNAME_PY_OBJECT, "byname.PyObject", kOnlyObject),
    built_in(BYNAME_FOREIGN_LIST, "ffi.List", kOnlyObject),
    built_in(BYNAME_FOREIGN_DICT, "ffi.Dict", kOnlyObject),
    built_in(BYNAME_MAP, "byname.Map", kOnlyObject),
    built_in(BYNAME_TUPLE, "byname.Tuple", kOnlyObject),
    built_in(BYNAME_COMPLEX, "byname.Complex", kOnlyObject),
    built_in(BYNAME_MODULE, "byname.Module", kOnlyObject),
    built_in(BYNAME_BOX, "byname.Box", kOnlyObject),
};

// Eight megabytes of address space, of which only what is used is ever touched. Static, so that it cannot fail.
constinit const byname_type_info* table[BYNAME_MAX_TYPES] = {};
constinit std::atomic<int32_t> table_end = BYNAME_FIRST_FREE;

// The same types by key: open addressing, at most half full. An outgrown one stays, for readers that are in it.
struct KeyTable {
  size_t mask;
  const KeyTable* outgrown;
  std::atomic<const byname_type_info*> slots[1];  // mask + 1
};
constinit std::atomic<KeyTable*> keys = nullptr;
constinit size_t num_keys = 0;  // guarded by object_mutex

Type* type_of(const byname_type_info* info) { return reinterpret_cast<Type*>(const_cast<byname_type_info*>(info)); }

KeyTable* new_key_table(size_t size, const KeyTable* outgrown) {
  void* memory = std::calloc(1, sizeof(KeyTable) + (size - 1) * sizeof(KeyTable::slots[0]));
  if (memory == nullptr) return nullptr;
  auto* made = static_cast<KeyTable*>(memory);
  made->mask = size - 1;
  made->outgrown = outgrown;
  return made;
}

void put_key(KeyTable& into, const byname_type_info* info) {
  size_t i = info->key_hash & into.mask;
  while (into.slots[i].load(std::memory_order_relaxed) != nullptr) i = (i + 1) & into.mask;
  into.slots[i].store(info, std::memory_order_release);
}

// Room for one more key; false if there is no memory for it. Under the mutex.
bool reserve_key() {
  KeyTable* now = keys.load(std::memory_order_relaxed);
  if (now != nullptr && (num_keys + 1) * 2 <= now->mask + 1) return true;
  KeyTable* greater = new_key_table(now == nullptr ? 64 : (now->mask + 1) * 2, now);
  if (greater == nullptr) return false;
  for (size_t i = 0; now != nullptr && i <= now->mask; ++i) {
    const byname_type_info* info = now->slots[i].load(std::memory_order_relaxed);
    if (info != nullptr) put_key(*greater, info);
  }
  keys.store(greater, std::memory_order_release);
  return true;
}

// Under the mutex, after reserve_key.
void publish(const byname_type_info* info) {
  __atomic_store_n(&table[info->type_index], info, __ATOMIC_RELEASE);
  put_key(*keys.load(std::memory_order_relaxed), info);
  ++num_keys;
}

bool publish_built_in(const Type& type) {
  if (!reserve_key()) return false;
  publish(&type.info);
  return true;
}

// Before every other initialiser of the library and of those that use it.
struct BuiltIns {
  BuiltIns() {
    bool fits = publish_built_in(object_type);
    for (const Type& type : built_in_types) fits = fits && publish_built_in(type);
    if (!fits) std::abort();  // no kilobyte at the start of the process: nothing has been promised yet
  }
};
__attribute__((init_priority(101))) BuiltIns built_ins;

// A new type behind `parent`, not yet in the table; NULL if there is no memory.
Type* new_type(const byname_type_decl& decl, const byname_type_info& parent) {
  auto depth = static_cast<size_t>(parent.depth) + 1;
  size_t ancestors_size = depth * sizeof(byname_type_info*);
  void* memory = std::malloc(sizeof(Type) + ancestors_size + decl.key.size + 1);
  if (memory == nullptr) return nullptr;
  auto* type = ::new (memory) Type{};
  auto* ancestors = reinterpret_cast<const byname_type_info**>(type + 1);
  std::copy_n(parent.ancestors, parent.depth, ancestors);
  ancestors[parent.depth] = &parent;
  char* key = reinterpret_cast<char*>(ancestors + depth);
  std::memcpy(key, decl.key.data, decl.key.size);
  key[decl.key.size] = '\0';
  type->info.depth = static_cast<int32_t>(depth);
  type->info.key = {key, decl.key.size};
  type->info.ancestors = ancestors;
  type->info.key_hash = hash_of({key, decl.key.size});
  type->info.slots = static_cast<uint32_t>(decl.child_slots);
  type->info.run_begin = BYNAME_NO_RUN;
  type->num_reserved = decl.child_slots;
  return type;
}

void set(uint32_t& field, uint32_t value) { __atomic_store_n(&field, value, __ATOMIC_RELEASE); }

// Tells an ancestor that the indices from `begin` on are a descendant's and its reserved ones.
void extend_ancestor(byname_type_info& ancestor, uint32_t begin, uint32_t count) {
  uint32_t end = static_cast<uint32_t>(ancestor.type_index) + 1 + ancestor.slots;
  if (begin < end) return;  // in a reserved slot
  if (begin == end) {
    set(ancestor.slots, ancestor.slots + count);
  } else if (ancestor.scatter == 0) {
    set(ancestor.run_begin, begin);
    set(ancestor.run_slots, count);
    set(ancestor.scatter, 1);
  } else if (begin == ancestor.run_begin + ancestor.run_slots) {
    set(ancestor.run_slots, ancestor.run_slots + count);
  } else if (begin < ancestor.run_begin || begin > ancestor.run_begin + ancestor.run_slots) {
    set(ancestor.scatter, 2);
  }
}

// Under the mutex, before the type can be found.
void extend_ancestors(const byname_type_info& info) {
  for (int32_t i = info.depth - 1; i > 0; --i) {  // every type is an Object, wherever it lies
    extend_ancestor(type_of(info.ancestors[i])->info, static_cast<uint32_t>(info.type_index), info.slots + 1);
  }
}

enum class Outcome { kDone, kFull, kNoMemory };

// Gives a type its index and puts it into the table. Under the mutex.
Outcome number_type(Type& type, Type& parent) {
  if (!reserve_key()) return Outcome::kNoMemory;
  int32_t needed = type.num_reserved + 1;  // at most BYNAME_MAX_TYPES
  int32_t end = table_end.load(std::memory_order_relaxed);
  if (needed <= parent.num_reserved - parent.num_taken) {
    type.info.type_index = parent.info.type_index + 1 + parent.num_taken;
    parent.num_taken += needed;
  } else if (needed <= BYNAME_MAX_TYPES - end) {
    type.info.type_index = end;
    table_end.store(end + needed, std::memory_order_release);
  } else {
    return Outcome::kFull;
  }
  extend_ancestors(type.info);
  publish(&type.info);
  return Outcome::kDone;
}

std::string quoted(byname_str text) {
  std::string result = "'";
  return result.append(text.data, text.size).append("'");
}

const byname_type_info& parent_of(const byname_type_info& info) { return *info.ancestors[info.depth - 1]; }

// The index of a type that is there already.
int32_t known_type(const byname_type_info& info, const byname_type_info& parent) {
  if (info.depth > 0 && &parent_of(info) == &parent) return info.type_index;
  std::string known = info.depth > 0 ? "parent " + quoted(parent_of(info).key) : "no parent";
  throw Error("TypeError", "type " + quoted(info.key) + " is registered already: expected " + known + ", got parent " +
                               quoted(parent.key));
}

void check_decl(const byname_type_decl& decl) {
  check_struct_size(decl.struct_size, sizeof(byname_type_decl), "byname_type_decl");
  if (decl.key.size == 0) throw Error("ValueError", "expected the key of a type, got an empty text");
  if (decl.child_slots < 0 || decl.child_slots >= BYNAME_MAX_TYPES) {
    throw Error("ValueError", "type " + quoted(decl.key) + ": expected 0 to " + std::to_string(BYNAME_MAX_TYPES - 1) +
                                  " slots for descendants, got " + std::to_string(decl.child_slots));
  }
}

}  // namespace

int32_t register_type(const byname_type_decl& decl) {
  check_decl(decl);
  const byname_type_info* parent = type_info(decl.parent);
  if (parent == nullptr) {
    throw Error("ValueError", "parent of type " + quoted(decl.key) + ": expected the index of a type, got " +
                                  std::to_string(decl.parent));
  }
  std::string_view key(decl.key.data, decl.key.size);
  const byname_type_info* known = find_type(key);
  if (known != nullptr) return known_type(*known, *parent);
  std::unique_ptr<Type, void (*)(void*)> made(new_type(decl, *parent), &std::free);
  Outcome outcome = Outcome::kNoMemory;
  if (made != nullptr) {
    std::lock_guard lock(object_mutex);
    known = find_type(key);  // another thread may have been faster
    if (known == nullptr) outcome = number_type(*made, *type_of(parent));
  }
  if (known != nullptr) return known_type(*known, *parent);
  if (outcome == Outcome::kNoMemory) throw std::bad_alloc();
  if (outcome == Outcome::kFull) {
    throw Error("RuntimeError", "type " + quoted(decl.key) + ": no room for it and its " +
                                    std::to_string(decl.child_slots) + " slots in the table of " +
                                    std::to_string(BYNAME_MAX_TYPES) + " types");
  }
  return made.release()->info.type_index;
}

const byname_type_info* find_type(std::string_view key) {
  const KeyTable* now = keys.load(std::memory_order_acquire);
  uint64_t hash = hash_of(key);
  for (size_t i = hash & now->mask;; i = (i + 1) & now->mask) {
    const byname_type_info* info = now->slots[i].load(std::memory_order_acquire);
    if (info == nullptr) return nullptr;
    if (info->key_hash == hash && std::string_view(info->key.data, info->key.size) == key) return info;
  }
}

const byname_type_info* type_info(int32_t type_index) {
  if (static_cast<uint32_t>(type_index) >= BYNAME_MAX_TYPES) return nullptr;
  return __atomic_load_n(&table[type_index], __ATOMIC_ACQUIRE);
}

bool type_is(int32_t type_index, int32_t ancestor) {
  const byname_type_info* info = type_info(type_index);
  const byname_type_info* wanted = type_info(ancestor);
  if (info == nullptr || wanted == nullptr) return false;
  return info == wanted || (info->depth > wanted->depth && info->ancestors[wanted->depth] == wanted);
}

const byname_type_info* const* type_table() { return table; }

std::vector<std::string_view> type_keys() {
  std::vector<std::string_view> all;
  int32_t end = table_end.load(std::memory_order_acquire);
  for (int32_t i = 0; i < end; ++i) {
    const byname_type_info* info = type_info(i);
    if (info != nullptr) all.emplace_back(info->key.data, info->key.size);
  }
  return all;
}

}  // namespace byname::core
