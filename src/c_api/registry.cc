// The table of names behind the C interface.
#include "registry/registry.h"

#include <algorithm>

#include "byname/protect.h"
#include "function/call.h"
#include "object/class.h"
#include "registry/attach.h"
#include "registry/library.h"
#include "registry/not_found.h"
#include "value/error.h"
#include "value/value.h"

using namespace byname;
using detail::from_c;

struct byname_registration {
  core::Registered registered;
};

namespace {

core::Registry& registry() { return core::Registry::instance(); }

// The entry of a name under which something is registered, or NULL.
byname_entry* find_attached(std::string_view name) {
  core::Entry* entry = registry().table().find(name);
  return entry != nullptr && entry->cell() != nullptr ? &entry->shared : nullptr;
}

// Once waiting blocks have brought it, or more overloads of what was `found` without them.
byname_entry* find_waiting(std::string_view name, const byname_entry* found) {
  core::attach_waiting(found != nullptr ? core::IfBusy::kLeave : core::IfBusy::kWait);
  return find_attached(name);
}

}  // namespace

byname_entry* byname_find_attached(byname_str name) { return find_attached(from_c(name)); }

byname_entry* byname_find(byname_str name) {
  byname_entry* found = find_attached(from_c(name));
  if (__builtin_expect(found != nullptr && !core::are_waiting(), 1)) return found;
  if (core::guarded([&] {
        found = find_waiting(from_c(name), found);
        return 0;
      }) != 0) {
    byname_object_release(byname_error_take());
  }
  return found;
}

byname_entry* byname_get(byname_str name) {
  byname_entry* found = find_attached(from_c(name));
  if (__builtin_expect(found != nullptr && !core::are_waiting(), 1)) return found;
  core::guarded([&] {
    found = find_waiting(from_c(name), found);
    if (found == nullptr) core::throw_not_found(registry().table(), from_c(name));
    return 0;
  });
  return found;
}

int byname_names(byname_str prefix, byname_any* out) {
  return core::guarded([&] {
    core::attach_waiting();
    std::vector<std::string_view> names;
    registry().table().for_each([&](const core::Entry* entry) {
      if (entry->cell() != nullptr && entry->name().substr(0, prefix.size) == from_c(prefix)) {
        names.push_back(entry->name());
      }
    });
    std::sort(names.begin(), names.end());
    return core::make_texts(names, out);
  });
}

int byname_entry_raise_removed(const byname_entry* entry) {
  return core::guarded([&]() -> int {
    throw Error("NotFound", "'" + std::string(entry->name, entry->name_size) +
                                "' is not registered any more (it was removed, or its module unloaded)");
  });
}

int byname_entry_pin(byname_entry* entry, byname_any* out) {
  detail::Protected protector(entry);
  byname_function* cell = protector.cell();
  if (cell == nullptr) return byname_entry_raise_removed(entry);
  byname_object_retain(&cell->header);
  *out = {BYNAME_FUNCTION, 0, {0}};
  out->as_object = &cell->header;
  return 0;
}

int byname_call(byname_entry* entry, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  return detail::call_protected(entry, arguments, num_arguments, result);
}

int byname_call_named(byname_entry* entry, const byname_any* arguments, int32_t num_arguments, const byname_str* names,
                      int32_t num_names, byname_any* result) {
  detail::Protected protector(entry);
  if (protector.cell() == nullptr) return byname_entry_raise_removed(entry);
  return core::call_named(protector.cell(), arguments, num_arguments, names, num_names, result);
}

int byname_register(const byname_definition* definition, byname_registration** out) {
  return core::guarded([&] {
    auto made = std::make_unique<byname_registration>();
    core::Batch batch;
    batch.push_back(core::pending_of(*definition));
    const core::FunctionRef& function = batch.front().function;
    made->registered = registry().commit(batch, byname_object_prefix(&function->header)->owner->module).front();
    batch.clear();
    *out = made.release();
    registry().settle();
    return 0;
  });
}

void byname_registration_remove(byname_registration* registration) {
  std::unique_ptr<byname_registration> taken(registration);
  if (core::guarded([&] {
        registry().remove({taken->registered});
        registry().settle();
        return 0;
      }) != 0) {
    byname_object_release(byname_error_take());
  }
}

void byname_registration_keep(byname_registration* registration) { delete registration; }

int byname_remove(byname_str name) {
  return core::guarded([&] {
    registry().remove(from_c(name));
    registry().settle();
    return 0;
  });
}

int byname_listener_register(byname_listener listener, uint64_t* id) {
  return core::guarded([&] {
    core::attach_waiting();
    *id = registry().register_listener(listener);
    return 0;
  });
}

void byname_listener_remove(uint64_t id) { registry().remove_listener(id); }
