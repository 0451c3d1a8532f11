// Blocks and modules behind the C interface.
#include "registry/module.h"

#include "registry/attach.h"
#include "registry/library.h"
#include "registry/module_value.h"
#include "value/error.h"
#include "value/value.h"

using namespace byname;
using detail::from_c;

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
    *out = core::load_module(from_c(path), from_c(search));
    return 0;
  });
}

int byname_module_reload(byname_object* module, byname_any* out) {
  return core::guarded([&] {
    std::vector<std::string> holders = core::reload_module(module);
    return out == nullptr ? 0 : core::make_texts(holders, out);
  });
}

int byname_module_unload(byname_object* module, byname_any* out) {
  return core::guarded([&] {
    std::vector<std::string> holders = core::unload_module(module);
    return out == nullptr ? 0 : core::make_texts(holders, out);
  });
}

int byname_module_holders(const byname_object* module, byname_any* out) {
  return core::guarded([&] { return core::make_texts(core::module_holders(*core::module_in(module)), out); });
}

int byname_module_names(const byname_object* module, byname_any* out) {
  return core::guarded([&] { return core::make_texts(core::module_names(*core::module_in(module)), out); });
}

byname_entry* byname_module_get(const byname_object* module, byname_str name) {
  byname_entry* found = nullptr;
  core::guarded([&] {
    found = &core::module_entry(*core::module_in(module), from_c(name)).shared;
    return 0;
  });
  return found;
}

int byname_module_path(const byname_object* module, byname_any* out) {
  return byname_string_new(detail::to_c(core::module_in(module)->path), out);
}

int byname_module_is_loaded(const byname_object* module) { return core::module_in(module)->is_loaded ? 1 : 0; }

int byname_modules(byname_any* out) {
  return core::guarded([&] {
    core::OwnedItems values;
    for (const core::ModuleRef& module : core::modules()) {
      if (module->was_loaded) values.push(core::module_value(module));
    }
    return values.make_array(out);
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
