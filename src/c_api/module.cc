// Blocks and modules behind the C interface.
#include "registry/module.h"

#include <mutex>
#include <utility>

#include "base/fork.h"
#include "object/class.h"
#include "object/pool.h"
#include "registry/attach.h"
#include "registry/library.h"
#include "value/error.h"
#include "value/value.h"

using namespace byname;
using detail::from_c;

namespace {

// A Module value.
struct ModuleObject {
  byname_object header;
  core::ModuleRef module;  // another one after a reload
};

void destroy_module(void* object) { static_cast<ModuleObject*>(object)->module.~shared_ptr(); }

constinit core::CoreClass module_class(BYNAME_MODULE, sizeof(ModuleObject), alignof(ModuleObject), &destroy_module);

byname_any value_of(byname_object* owned) {
  byname_any value{BYNAME_MODULE, 0, {0}};
  value.as_object = owned;
  return value;
}

constinit std::mutex values_mutex;  // guards the value of every module, and which module it stands for
[[maybe_unused]] const bool is_fork_safe = (core::unlock_in_children(values_mutex), true);

core::ModuleRef module_in(const byname_object* object) {
  std::lock_guard lock(values_mutex);
  return reinterpret_cast<const ModuleObject*>(object)->module;
}

// From now on the value of one module stands for another one.
void hand_over(byname_object* object, const core::ModuleRef& now) {
  auto* value = reinterpret_cast<ModuleObject*>(object);
  core::ModuleRef old;
  byname_object* outlived = nullptr;
  {
    std::lock_guard lock(values_mutex);
    old = std::exchange(value->module, now);
    outlived = std::exchange(now->value, std::exchange(old->value, nullptr));
  }
  byname_object_release_weak(outlived);
}

// The module's value if somebody has it, owned; else NULL. Under the mutex.
byname_object* known_value(const byname_module& module) {
  return module.value != nullptr && byname_object_promote(module.value) != 0 ? module.value : nullptr;
}

byname_object* new_value(const core::ModuleRef& module) {
  void* memory = core::allocate(&module_class, 0);
  if (memory == nullptr) detail::throw_raised();
  ::new (&static_cast<ModuleObject*>(memory)->module) core::ModuleRef(module);
  byname_object_init(memory, BYNAME_MODULE);
  return static_cast<byname_object*>(memory);
}

// A module is one value as long as somebody has it.
byname_any module_value(const core::ModuleRef& module) {
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

// Owned values, dropped at the end.
class Values {
 public:
  Values() = default;
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() {
    for (byname_any& value : values_) byname_any_drop(&value);
  }
  void push(byname_any owned) { values_.push_back(owned); }
  int give(byname_any* out) const { return byname_array_new(values_.data(), values_.size(), out); }

 private:
  std::vector<byname_any> values_;
};

}  // namespace

void byname_library_link(byname_library_node* node) { core::link_node(node); }

void byname_library_unlink(byname_library_node* node) { core::unlink_node(node); }

int byname_library_define(byname_library* library, const byname_definition* definition) {
  return core::guarded([&] {
    core::define(*library, *definition);
    return 0;
  });
}

int byname_library_alias(byname_library* library, byname_str name, byname_str target, byname_str since,
                         const char* file, int32_t line) {
  return core::guarded([&] {
    core::define_alias(*library, from_c(name), from_c(target), from_c(since), file, line);
    return 0;
  });
}

int byname_library_own(byname_library* library, const char* file, int32_t line) {
  return core::guarded([&] {
    library->claims.push_back({library->prefix, file == nullptr ? "" : file, line});
    return 0;
  });
}

int byname_library_on_unload(byname_library* library, void (*function)(void* context), void* context) {
  return core::guarded([&] {
    library->on_unload.push_back({function, context});
    return 0;
  });
}

int byname_library_factory(byname_library* library, byname_factory factory, int32_t base, const char* file,
                           int32_t line) {
  return core::guarded([&] {
    core::declare_factory(*library, factory, base, file, line);
    return 0;
  });
}

int byname_library_product(byname_library* library, int32_t base, const byname_definition* definition) {
  return core::guarded([&] {
    core::define_product(*library, base, *definition);
    return 0;
  });
}

byname_str byname_library_prefix(const byname_library* library) { return detail::to_c(library->prefix); }

int byname_module_load(byname_str path, byname_str search, byname_any* out) {
  return core::guarded([&] {
    *out = module_value(core::load_module(from_c(path), from_c(search)));
    return 0;
  });
}

int byname_module_reload(byname_object* module, byname_any* out) {
  return core::guarded([&] {
    std::vector<std::string> holders;
    hand_over(module, core::reload_module(module_in(module), &holders));
    core::Registry::instance().settle();
    return out == nullptr ? 0 : core::make_texts(holders, out);
  });
}

int byname_module_unload(byname_object* module, byname_any* out) {
  return core::guarded([&] {
    std::vector<std::string> holders = core::unload_module(module_in(module));
    return out == nullptr ? 0 : core::make_texts(holders, out);
  });
}

int byname_module_names(const byname_object* module, byname_any* out) {
  return core::guarded([&] { return core::make_texts(core::module_names(*module_in(module)), out); });
}

byname_entry* byname_module_get(const byname_object* module, byname_str name) {
  byname_entry* found = nullptr;
  core::guarded([&] {
    found = &core::module_entry(*module_in(module), from_c(name)).shared;
    return 0;
  });
  return found;
}

int byname_module_path(const byname_object* module, byname_any* out) {
  return byname_string_new(detail::to_c(module_in(module)->path), out);
}

int byname_module_is_loaded(const byname_object* module) { return module_in(module)->is_loaded ? 1 : 0; }

int byname_modules(byname_any* out) {
  return core::guarded([&] {
    Values values;
    for (const core::ModuleRef& module : core::modules()) values.push(module_value(module));
    return values.give(out);
  });
}

size_t byname_collect(void) {
  size_t closed = 0;
  if (core::guarded([&] {
        closed = core::collect();
        return 0;
      }) != 0) {
    byname_object_release(byname_error_take());
  }
  return closed;
}

int byname_attach(void) {
  return core::guarded([&] {
    core::attach_waiting();
    return 0;
  });
}

const char* byname_version(void) { return BYNAME_VERSION; }

uint32_t byname_abi_version(void) { return BYNAME_ABI_VERSION; }
