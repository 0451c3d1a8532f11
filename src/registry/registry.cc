#include "registry/registry.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/fork.h"
#include "base/hazard.h"
#include "function/overload.h"
#include "object/class.h"
#include "registry/module.h"
#include "registry/not_found.h"
#include "registry/trace.h"

namespace byname::core {
namespace {

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

std::string site_of(const byname_function* function) {
  const byname_details* details = function->details;
  if (details->file == nullptr || *details->file == 0) return "an unknown place";
  return std::string(details->file) + ":" + std::to_string(details->line);
}

[[noreturn]] void throw_duplicate(std::string_view name, const byname_function* old, const byname_function* now) {
  throw Error("ValueError", quoted(name) + " is registered twice: at " + site_of(old) + " and at " + site_of(now));
}

std::string described(std::string_view name, const byname_function* function) {
  return std::string(name) + print_signature(*SchemaOf(function)) + " at " + site_of(function);
}

// A function that waits does not know its full name yet.
void check_same_parameters(std::string_view old_name, const byname_function* old, const Pending& now) {
  // Of variants it is the result that differs.
  if ((old->flags & now.function->flags & BYNAME_VARIANT) != 0) return;
  if (!is_same_parameters(old, now.function.get())) return;
  throw Error("ValueError", "overloads take the same parameters: " + described(old_name, old) + " and " +
                                described(now.name(), now.function.get()));
}

byname_class* core_function_class() {
  static byname_class* owner = function_class(nullptr);
  return owner;
}

const byname_module* module_of(const byname_function* function) {
  return byname_object_prefix(&function->header)->owner->module;
}

void keep_function(const Entry* entry, std::vector<FunctionRef>* kept) {
  if (kept == nullptr) return;
  byname_function* function = own_function_of(entry);
  byname_object_retain(&function->header);
  kept->push_back(FunctionRef(function));
}

}  // namespace

std::string packet_of(std::string_view name) {
  size_t colons = name.find("::");
  if (colons == std::string_view::npos) return {};
  std::string_view space = name.substr(0, colons);
  std::string_view base = name.substr(colons + 2);
  return std::string(space).append(space.empty() ? "" : ".").append(base.substr(0, base.rfind('.')));
}

Registry::Registry() {
  core_function_class();
  unlock_in_children(mutex_, ForkOrder::kRegistry);
  call_in_children([] { instance().events_.go_on_in_child(); });
}

Registry& Registry::instance() {
  static Registry* registry = new Registry();
  return *registry;
}

[[maybe_unused]] const bool is_made = (Registry::instance(), true);

Entry* Registry::entry(std::string_view name) {
  std::lock_guard lock(mutex_);
  return table_.find_or_make(name);
}

Pending Registry::make_pending(std::string_view space, const NameParts& parts, FunctionRef function, NameTable* own) {
  std::lock_guard lock(mutex_);
  NameTable& table = own != nullptr ? *own : table_;
  std::string name(space);
  name.append(space.empty() ? "" : ".").append(parts.base);
  Entry* plain = table.find_or_make(name);
  if (parts.overload.empty()) return {std::move(function), plain, nullptr};
  name.assign(space).append("::").append(parts.base).append(".").append(parts.overload);
  return {std::move(function), table.find_or_make(name), plain};
}

bool Registry::Side::replaces(const byname_function* function) const {
  return replaced != nullptr && module_of(function) == replaced;
}

void Registry::check_owner(const Pending& pending, const Side& side) const {
  std::string_view space = pending.plain_name();
  while (true) {
    size_t dot = space.rfind('.');
    if (dot == std::string_view::npos) return;
    space = space.substr(0, dot);
    auto owner = owners_.find(space);
    if (owner == owners_.end() || side.is(owner->second.module)) continue;
    throw Error("ValueError", quoted(pending.name()) + " at " + site_of(pending.function.get()) +
                                  " is in the namespace " + quoted(space) + ", which is owned (" + owner->second.file +
                                  ":" + std::to_string(owner->second.line) + ")");
  }
}

void Registry::check_claim(const Claim& claim, const Side& side) const {
  auto there = owners_.find(claim.prefix);
  if (there != owners_.end() && !side.is(there->second.module)) {
    throw Error("ValueError", "the namespace " + quoted(claim.prefix) + " is owned already: at " + there->second.file +
                                  ":" + std::to_string(there->second.line) + ", claimed again at " + claim.file + ":" +
                                  std::to_string(claim.line));
  }
  std::string below = claim.prefix + ".";
  for (const Entry* entry : table_.entries()) {
    const byname_function* function = own_function_of(entry);
    std::string packet = packet_of(entry->name());
    std::string_view name = packet.empty() ? entry->name() : std::string_view(packet);
    if (function == nullptr || !name.starts_with(below)) continue;
    if (side.is(module_of(function))) continue;
    throw Error("ValueError", "the namespace " + quoted(claim.prefix) + " cannot be owned (" + claim.file + ":" +
                                  std::to_string(claim.line) + "): " + quoted(entry->name()) +
                                  " is in it, registered at " + site_of(function));
  }
}

// Against what is registered under the name already and stays.
void Registry::check_overload(const Pending& pending, const Side& side) const {
  const Entry* plain = pending.packet != nullptr ? pending.packet : pending.entry;
  auto check = [&](std::string_view name, const byname_function* function) {
    if (!side.replaces(function)) check_same_parameters(name, function, pending);
  };
  if (plain->packet != nullptr) {
    for (const Overload& other : plain->packet->overloads) check(name_of(other.function.get()), other.function.get());
  } else if (plain->cell() != nullptr) {
    check(plain->name(), plain->cell());
  }
}

// Everything that can be wrong with a batch; changes nothing that anybody sees.
void Registry::check(const Batch& batch, const Side& side, const std::vector<Claim>& claims) {
  num_batches_ = (num_batches_ + 1) & INT32_MAX;  // as many bits as an entry has for it
  for (const Claim& claim : claims) check_claim(claim, side);
  std::unordered_map<std::string_view, std::vector<const Pending*>> packets;
  for (const Pending& pending : batch) {
    if (pending.packet != nullptr) packets.try_emplace(pending.plain_name());
  }
  for (const Pending& pending : batch) {
    if (!owners_.empty() && pending.entry->is_local == 0) check_owner(pending, side);
    Entry* entry = pending.entry;
    if (entry->batch == num_batches_) {
      auto first = std::find_if(batch.begin(), batch.end(), [&](const Pending& p) { return p.entry == entry; });
      throw_duplicate(pending.name(), first->function.get(), pending.function.get());
    }
    entry->batch = num_batches_;
    const byname_function* there = own_function_of(entry);
    if (there != nullptr && !side.replaces(there)) {
      throw_duplicate(pending.name(), there, pending.function.get());
    }
    if (entry->packet != nullptr || pending.packet != nullptr) check_overload(pending, side);
    if (packets.empty()) continue;
    auto packet = packets.find(pending.plain_name());
    if (packet == packets.end()) continue;
    for (const Pending* other : packet->second) check_same_parameters(other->name(), other->function.get(), pending);
    packet->second.push_back(&pending);
  }
}

std::vector<Registered> Registry::commit(const Batch& batch, const byname_module* module,
                                         const std::vector<Claim>& claims, const byname_module* replaced,
                                         std::vector<FunctionRef>* removed) {
  std::vector<Registered> done;
  done.reserve(batch.size());
  std::lock_guard lock(mutex_);
  check(batch, {module, replaced}, claims);
  Owners claimed;
  for (const Claim& claim : claims) claimed[claim.prefix] = {module, claim.file, claim.line};
  Change change(events_);
  for (const Pending& pending : batch) {
    if (pending.packet != nullptr) change.expect_overloads(pending.packet);
  }
  if (replaced != nullptr) {
    for (const Registered& old : find_registrations(replaced)) {
      keep_function(old.entry, removed);
      change.remove(old.entry, packet_with(old.entry), old.entry->batch == num_batches_);
    }
  }
  for (const Pending& pending : batch) {
    pending.function->entry = &pending.entry->shared;
    trace_calls_of(pending.function.get());
    change.add(pending.entry, pending.packet, pending.function);
  }
  change.finish(core_function_class());
  // Nothing fails from here on.
  change.make(retired_);
  for (const Pending& pending : batch) done.push_back({pending.entry, ++pending.entry->serial});
  if (replaced != nullptr) disown_locked(replaced);
  for (const Claim& claim : claims) owners_.erase(claim.prefix);
  owners_.merge(claimed);
  return done;
}

void Registry::settle() {
  events_.deliver();
  reclaim(false);
}

NameTable& Registry::table_of(const Entry* entry) {
  if (entry->is_local == 0) return table_;
  return *module_of(entry->cell())->own_names.load(std::memory_order_acquire);
}

Entry* Registry::packet_with(const Entry* entry) {
  std::string name = packet_of(entry->name());
  Entry* packet = name.empty() ? nullptr : table_of(entry).find(name);
  return packet != nullptr && packet->packet != nullptr ? packet : nullptr;
}

void Registry::remove(const std::vector<Registered>& registrations, std::vector<FunctionRef>* removed) {
  std::lock_guard lock(mutex_);
  Change change(events_);
  for (const Registered& registered : registrations) {
    Entry* entry = registered.entry;
    if (entry->serial != registered.serial || own_function_of(entry) == nullptr) continue;
    keep_function(entry, removed);
    change.remove(entry, packet_with(entry), false);
  }
  change.finish(core_function_class());
  change.make(retired_);
}

std::vector<Registered> Registry::registrations_of(const byname_module* module) {
  std::lock_guard lock(mutex_);
  return find_registrations(module);
}

std::vector<FunctionUse> Registry::function_uses(const byname_module* module) {
  std::vector<const byname_function*> running;
  protected_cells(running);
  auto is_held = [&running](const byname_function* function, uint32_t own_references) {
    return num_references(function) > own_references || std::binary_search(running.begin(), running.end(), function);
  };
  std::lock_guard lock(mutex_);
  std::vector<FunctionUse> uses;
  for (const Registered& registered : find_registrations(module)) {
    const Entry* entry = registered.entry;
    const byname_function* function = own_function_of(entry);
    const Entry* packet = entry->packet != nullptr ? entry : packet_with(entry);
    // The entry has it, and for one of several overloads so do their list and the function that chooses among them.
    uint32_t own_references = (entry->cell() == function ? 1 : 0) + (packet != nullptr ? 2 : 0);
    bool is_chosen = packet != nullptr && is_held(packet->cell(), 1);
    uses.push_back({byname_object_prefix(&function->header)->owner->id, std::string(entry->name()),
                    is_chosen || is_held(function, own_references)});
  }
  return uses;
}

std::vector<Registered> Registry::find_registrations(const byname_module* module) const {
  std::vector<Registered> found;
  auto add = [&](const NameTable& table) {
    for (Entry* entry : table.entries()) {
      const byname_function* function = own_function_of(entry);
      if (function == nullptr || module_of(function) != module) continue;
      found.push_back({entry, entry->serial});
    }
  };
  add(table_);
  const NameTable* own = module == nullptr ? nullptr : module->own_names.load(std::memory_order_acquire);
  if (own != nullptr) add(*own);
  return found;
}

void Registry::remove(std::string_view name) {
  std::lock_guard lock(mutex_);
  Entry* entry = table_.find(name);
  if (entry == nullptr || entry->cell() == nullptr) throw_not_found(table_, name);
  Change change(events_);
  if (own_function_of(entry) != nullptr) change.remove(entry, packet_with(entry), false);
  if (entry->packet != nullptr) {
    for (const Overload& overload : entry->packet->overloads) {
      if (!overload.name.empty()) change.remove(table_.find(name_of(overload.function.get())), entry, false);
    }
  }
  change.finish(core_function_class());
  change.make(retired_);
}

void Registry::disown(const byname_module* module) {
  std::lock_guard lock(mutex_);
  disown_locked(module);
}

void Registry::disown_locked(const byname_module* module) {
  std::erase_if(owners_, [module](const auto& owner) { return owner.second.module == module; });
}

uint64_t Registry::register_listener(byname_listener listener) {
  uint64_t id = 0;
  {
    std::lock_guard lock(mutex_);
    std::vector<const Entry*> present;
    for (const Entry* entry : table_.entries()) {
      if (entry->cell() != nullptr) present.push_back(entry);
    }
    id = events_.register_listener(listener, present);
  }
  events_.deliver();
  return id;
}

}  // namespace byname::core
