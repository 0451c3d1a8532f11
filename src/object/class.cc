#include "object/class.h"

#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/struct_size.h"
#include "object/counts.h"
#include "object/mutex.h"
#include "object/type_table.h"

namespace byname::core {
namespace {

constexpr uint32_t kMaxAlignment = 1u << 16;

struct ClassKey {
  const byname_dso* dso;
  int32_t type_index;
  uint32_t size;
  uint32_t alignment;
  void (*destroy)(void* object);
  bool operator==(const ClassKey&) const = default;
};

struct ClassKeyHash {
  size_t operator()(const ClassKey& key) const noexcept {
    size_t numbers = (static_cast<size_t>(static_cast<uint32_t>(key.type_index)) << 32) | key.size;
    return std::hash<size_t>()(numbers * 0x9e3779b97f4a7c15u ^ reinterpret_cast<size_t>(key.dso) ^
                               reinterpret_cast<size_t>(key.destroy));
  }
};

struct Classes {                                 // guarded by object_mutex
  std::vector<byname_class*> by_id = {nullptr};  // kUncounted is nobody's
  std::vector<byname_class*> retired;            // in by_id as well: they keep their id for the next one
  std::unordered_map<ClassKey, byname_class*, ClassKeyHash> registered;
  std::unordered_map<int32_t, std::vector<ClassKey>> by_type;  // keys of those
};

// Never destroyed: objects die after static destructors, too.
Classes& classes() {
  alignas(Classes) static char memory[sizeof(Classes)];
  static Classes* instance = ::new (memory) Classes();
  return *instance;
}
[[maybe_unused]] const bool is_made = (classes(), true);

std::atomic<DsoHook> dso_hook = nullptr;
std::atomic<SameFileHook> same_file_hook = nullptr;

void check_decl(const byname_class_decl& decl) {
  check_struct_size(decl.struct_size, sizeof(byname_class_decl), "byname_class_decl");
  const byname_type_info* type = type_info(decl.type_index);
  if (type == nullptr) {
    throw Error("ValueError",
                "expected the index of an object type for a class, got " + std::to_string(decl.type_index));
  }
  std::string subject = "class of type '" + std::string(type->key.data, type->key.size) + "': expected ";
  if (decl.size < sizeof(byname_object)) {
    throw Error("ValueError", subject + "a size of 24 bytes or more, got " + std::to_string(decl.size));
  }
  if (decl.alignment == 0 || (decl.alignment & (decl.alignment - 1)) != 0 || decl.alignment > kMaxAlignment) {
    throw Error("ValueError", subject + "an alignment that is a power of two up to " + std::to_string(kMaxAlignment) +
                                  ", got " + std::to_string(decl.alignment));
  }
}

// Makes a record what the decl says; its id stays.
void fill(byname_class& record, const byname_class_decl& decl, byname_module* module) {
  const byname_class model(decl.type_index, decl.size, decl.alignment, decl.destroy);
  record.destroy = model.destroy;
  record.block = model.block;
  record.offset = model.offset;
  record.size = model.size;
  record.type_index = model.type_index;
  record.dso = decl.dso;
  record.module = module;
}

// Under the mutex. Throws bad_alloc, and then has changed nothing.
void number_locked(byname_class& record) {
  Classes& all = classes();
  auto id = static_cast<uint32_t>(all.by_id.size());
  reserve_counts(id + 1);
  all.by_id.push_back(&record);
  record.id.store(id, std::memory_order_release);
}

byname_class* new_record() {
  Classes& all = classes();
  if (!all.retired.empty()) {
    byname_class* record = all.retired.back();
    all.retired.pop_back();
    return record;
  }
  auto made = std::make_unique<byname_class>(0, 0, 1, nullptr);
  number_locked(*made);
  return made.release();
}

// NULL if there is no memory.
byname_class* new_variants(const byname_class& owner, uint32_t id) {
  void* memory = ::operator new((kUnpooled + 1) * sizeof(byname_class), std::nothrow);
  if (memory == nullptr) return nullptr;
  auto* variants = static_cast<byname_class*>(memory);
  for (uint32_t block = 0; block <= kUnpooled; ++block) {
    auto* variant = ::new (variants + block) byname_class(owner.type_index, owner.size, 1, owner.destroy, id);
    variant->block = block;
    variant->offset = owner.offset;
    variant->dso = owner.dso;
    variant->module = owner.module;
  }
  return variants;
}

// Under the mutex.
uint64_t live_of(const byname_class* record) {
  uint32_t id = record->id.load(std::memory_order_acquire);
  return id == kUnnumbered ? 0 : live_counts(id + 1)[id];
}

// Types of the core are as large as each object of theirs needs; boxes hold their object one way or another.
bool has_one_layout(int32_t type_index) {
  return type_index >= BYNAME_FIRST_DYNAMIC && !type_is(type_index, BYNAME_BOX);
}

// A class whose live objects are laid out otherwise than `key` says, and how many there are. Under the mutex.
std::pair<const ClassKey*, uint64_t> find_other_layout(const ClassKey& key) {
  auto place = classes().by_type.find(key.type_index);
  if (place == classes().by_type.end() || !has_one_layout(key.type_index)) return {};
  for (const ClassKey& other : place->second) {
    if (other.dso == key.dso || (other.size == key.size && other.alignment == key.alignment)) continue;
    if (uint64_t live = live_of(classes().registered.at(other)); live > 0) return {&other, live};
  }
  return {};
}

// Under the mutex. Throws bad_alloc, and then has changed nothing.
byname_class* add_class(const ClassKey& key) {
  Classes& all = classes();
  std::vector<ClassKey>& of_type = all.by_type[key.type_index];
  of_type.reserve(of_type.size() + 1);
  auto place = all.registered.try_emplace(key, nullptr).first;
  try {
    place->second = new_record();
  } catch (const std::bad_alloc&) {
    all.registered.erase(place);
    throw;
  }
  of_type.push_back(key);
  return place->second;
}

}  // namespace

byname_class* register_class(const byname_class_decl& decl) {
  check_decl(decl);
  byname_module* module = module_of(decl.dso);
  const ClassKey key{decl.dso, decl.type_index, decl.size, decl.alignment, decl.destroy};
  Layout other{};
  uint64_t live = 0;
  {
    std::lock_guard lock(object_mutex);
    auto place = classes().registered.find(key);
    if (place != classes().registered.end()) return place->second;
    auto [found, count] = find_other_layout(key);
    if (found == nullptr) {
      byname_class* record = add_class(key);
      fill(*record, decl, module);
      return record;
    }
    other = {found->size, found->alignment};
    live = count;
  }
  throw_other_layout(decl.type_index, live, other, {decl.size, decl.alignment});
}

void throw_other_layout(int32_t type_index, uint64_t live, Layout other, Layout here) {
  auto words = [](Layout layout) {
    return std::to_string(layout.size) + " bytes aligned to " + std::to_string(layout.alignment);
  };
  const byname_str key = type_info(type_index)->key;
  throw Error("TypeError", "type '" + std::string(key.data, key.size) + "' is laid out otherwise than " +
                               std::to_string(live) + (live == 1 ? " object that lives" : " objects that live") +
                               ": expected " + words(other) + ", got " + words(here) + " (drop them, or rebuild)");
}

uint64_t live_objects(const byname_dso* dso, int32_t type_index) {
  std::lock_guard lock(object_mutex);
  auto place = classes().by_type.find(type_index);
  if (place == classes().by_type.end()) return 0;
  uint64_t live = 0;
  for (const ClassKey& key : place->second) {
    if (key.dso == dso) live += live_of(classes().registered.at(key));
  }
  return live;
}

void set_dso_hook(DsoHook hook) { dso_hook.store(hook, std::memory_order_release); }

void set_same_file_hook(SameFileHook hook) { same_file_hook.store(hook, std::memory_order_release); }

bool is_same_file(const byname_module* a, const byname_module* b) {
  SameFileHook hook = same_file_hook.load(std::memory_order_acquire);
  return hook != nullptr && a != nullptr && b != nullptr && hook(a, b);
}

byname_module* module_of(byname_dso* dso) {
  if (dso == nullptr) return nullptr;
  byname_module* module = __atomic_load_n(&dso->module, __ATOMIC_ACQUIRE);
  DsoHook hook = dso_hook.load(std::memory_order_acquire);
  if (module != nullptr || hook == nullptr) return module;
  hook(dso);
  return __atomic_load_n(&dso->module, __ATOMIC_ACQUIRE);
}

uint64_t live_objects(const byname_class* owner) {
  std::lock_guard lock(object_mutex);
  return live_of(owner);
}

std::vector<ClassUse> class_uses(const byname_module* module) {
  std::lock_guard lock(object_mutex);
  const Classes& all = classes();
  std::vector<uint64_t> live = live_counts(static_cast<uint32_t>(all.by_id.size()));
  std::vector<ClassUse> uses;
  for (size_t id = 0; id < live.size(); ++id) {
    const byname_class* owner = all.by_id[id];
    const byname_type_info* type = owner == nullptr ? nullptr : type_info(owner->type_index);
    if (type == nullptr || owner->module != module) continue;
    uses.push_back({owner, {type->key.data, type->key.size}, live[id]});
  }
  return uses;
}

void retire_classes(const byname_module* module) {
  std::lock_guard lock(object_mutex);
  Classes& all = classes();
  all.retired.reserve(all.retired.size() + all.registered.size());
  for (auto place = all.registered.begin(); place != all.registered.end();) {
    byname_class* record = place->second;
    if (record->module != module) {
      ++place;
      continue;
    }
    all.retired.push_back(record);
    std::erase(all.by_type[place->first.type_index], place->first);
    place = all.registered.erase(place);
    fill(*record, byname_class_decl{}, nullptr);  // no type: not listed
    ::operator delete(record->with_extra.exchange(nullptr, std::memory_order_relaxed));
  }
}

uint32_t number_class(byname_class* owner) noexcept {
  std::lock_guard lock(object_mutex);
  if (owner->id.load(std::memory_order_relaxed) == kUnnumbered) {
    try {
      number_locked(*owner);
    } catch (const std::bad_alloc&) {
      return kUnnumbered;
    }
  }
  return owner->id.load(std::memory_order_relaxed);
}

byname_class* class_with_extra(byname_class* owner, size_t extra) noexcept {
  uint32_t id = number_class(owner);
  if (id == kUnnumbered) return nullptr;
  {
    std::lock_guard lock(object_mutex);
    if (owner->with_extra.load(std::memory_order_relaxed) == nullptr) {
      owner->with_extra.store(new_variants(*owner, id), std::memory_order_release);
    }
  }
  return known_class_with_extra(owner, extra);
}

}  // namespace byname::core
