#include "registry/module_value.h"

#include <mutex>
#include <utility>

#include "base/fork.h"
#include "object/class.h"
#include "object/pool.h"

namespace byname::core {
namespace {

struct ModuleObject {
  byname_object header;
  ModuleRef module;
};

void destroy_module(void* object) { static_cast<ModuleObject*>(object)->module.~shared_ptr(); }

constinit CoreClass module_class(BYNAME_MODULE, sizeof(ModuleObject), alignof(ModuleObject), &destroy_module);

constinit std::mutex values_mutex;  // guards the value of every module, and which module it stands for
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(values_mutex), true);

byname_any value_of(byname_object* owned) {
  byname_any value{BYNAME_MODULE, 0, {0}};
  value.as_object = owned;
  return value;
}

// The module's value if somebody has it, owned; else NULL. Under the mutex.
byname_object* known_value(const byname_module& module) {
  return module.value != nullptr && byname_object_promote(module.value) != 0 ? module.value : nullptr;
}

byname_object* new_value(const ModuleRef& module) {
  void* memory = allocate(&module_class, 0);
  if (memory == nullptr) detail::throw_raised();
  ::new (&static_cast<ModuleObject*>(memory)->module) ModuleRef(module);
  byname_object_init(memory, BYNAME_MODULE);
  return static_cast<byname_object*>(memory);
}

}  // namespace

ModuleRef module_in(const byname_object* value) {
  std::lock_guard lock(values_mutex);
  return reinterpret_cast<const ModuleObject*>(value)->module;
}

byname_any module_value(const ModuleRef& module) {
  {
    std::lock_guard lock(values_mutex);
    if (byname_object* known = known_value(*module)) return value_of(known);
  }
  byname_object* made = new_value(module);
  byname_object* known = nullptr;
  byname_object* outlived = nullptr;
  {
    std::lock_guard lock(values_mutex);
    known = known_value(*module);  // another thread may have been faster
    if (known == nullptr) {
      byname_object_retain_weak(made);
      outlived = std::exchange(module->value, made);
    }
  }
  byname_object_release_weak(outlived);
  if (known == nullptr) return value_of(made);
  byname_object_release(made);
  return value_of(known);
}

void hand_over_value(byname_module& old, byname_module& now) {
  byname_object* value = nullptr;
  {
    std::lock_guard lock(values_mutex);
    value = known_value(old);
    if (value == nullptr) return;
    reinterpret_cast<ModuleObject*>(value)->module = now.shared_from_this();  // who reloads has the old one
    now.value = std::exchange(old.value, nullptr);
  }
  byname_object_release(value);
}

}  // namespace byname::core
