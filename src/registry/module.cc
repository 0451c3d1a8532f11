#include "registry/module.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "object/box.h"
#include "object/class.h"
#include "registry/attach.h"

namespace byname::core {
namespace {

struct Modules {
  std::recursive_mutex loader;  // serialises loading, unloading, attaching, collecting
  std::mutex mutex;             // guards list and what its records say of the loader
  std::vector<ModuleRef> list;
};

Modules& all() {
  static Modules* instance = new Modules();
  return *instance;
}

const link_map* map_of(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  return map;
}

const link_map* map_at(const void* address) {
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0) return nullptr;
  return static_cast<const link_map*>(map);
}

bool is_permanent(const link_map* map) {
  return map == nullptr || map->l_name == nullptr || map->l_name[0] == '\0' ||
         map == map_at(reinterpret_cast<const void*>(&byname_version));
}

ModuleRef module_of_map(const link_map* map) {
  if (is_permanent(map)) return nullptr;
  Modules& modules = all();
  {
    std::lock_guard lock(modules.mutex);
    for (const ModuleRef& module : modules.list) {
      if (module->map == map) return module;
    }
  }
  // Pinned, so that nobody else can close it. The loader may run code here: no lock of ours.
  void* handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
  auto made = std::make_shared<byname_module>();
  made->path = map->l_name;
  made->handle = handle;
  made->map = map;
  std::unique_lock lock(modules.mutex);
  for (const ModuleRef& module : modules.list) {
    if (module->map != map) continue;
    lock.unlock();
    if (handle != nullptr) dlclose(handle);
    return module;
  }
  modules.list.push_back(made);
  return made;
}

bool is_file(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// What to hand to dlopen: the path; or where BYNAME_PATH has the name; or the name, for the loader's own search.
std::vector<std::string> candidates_of(const std::string& path) {
  if (path.find('/') != std::string::npos) return {path};
  const std::string names[] = {path, "lib" + path + ".so", path + ".so"};
  std::vector<std::string> candidates;
  if (const char* search = std::getenv("BYNAME_PATH")) {
    std::string_view left = search;
    while (!left.empty()) {
      std::string_view directory = left.substr(0, left.find(':'));
      left.remove_prefix(std::min(left.size(), directory.size() + 1));
      for (const std::string& name : names) {
        std::string file = std::string(directory).append("/").append(name);
        if (!directory.empty() && is_file(file)) return {file};
      }
    }
  }
  candidates.assign(std::begin(names), std::end(names));
  return candidates;
}

void* open(const std::string& path) {
  std::string reason;
  for (const std::string& candidate : candidates_of(path)) {
    dlerror();
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    const char* words = dlerror();
    if (reason.empty() && words != nullptr) reason = words;
  }
  const bool by_name = path.find('/') == std::string::npos;
  throw Error("OSError", "cannot load '" + path + "': " + reason +
                             (by_name ? " (a name is searched on BYNAME_PATH and the loader's path; give a path)" : ""));
}

void forget(const byname_module* module) {
  std::lock_guard lock(all().mutex);
  std::erase_if(all().list, [module](const ModuleRef& other) { return other.get() == module; });
}

// Frees what only the module's own list of removed functions holds.
void drop_removed(byname_module& module) {
  auto is_held = [](const FunctionRef& function) {
    return static_cast<uint32_t>(__atomic_load_n(&function->header.counts, __ATOMIC_ACQUIRE)) > 1;
  };
  auto free = std::partition(module.removed.begin(), module.removed.end(), is_held);
  module.removed.erase(free, module.removed.end());
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return count == 1 ? "1 " + std::string(one) : std::to_string(count) + " " + std::string(many);
}

// What keeps the module's code from being unmapped, in words.
std::vector<std::string> holders_of(byname_module& module) {
  drop_removed(module);
  std::vector<std::string> holders;
  for (const FunctionRef& function : module.removed) {
    holders.push_back("function '" + std::string(name_of(function.get())) + "', referenced or running");
  }
  for (const ClassUse& use : class_uses(&module)) {
    uint64_t live = use.live;
    const bool is_function = use.owner->type_index == BYNAME_FUNCTION;
    if (is_function) live -= std::min<uint64_t>(live, module.removed.size());
    if (live == 0) continue;
    holders.push_back(is_function ? counted(live, "function value", "function values")
                                  : counted(live, "object", "objects") + " of type '" + std::string(use.key) + "'");
  }
  std::sort(holders.begin(), holders.end());
  return holders;
}

// Unmaps an unloaded module if nothing holds it. Under the loader's lock, never from inside the module's own code: a
// running call is a holder.
bool close_if_idle(const ModuleRef& module) {
  if (module->is_loaded || !module->is_closable || module->handle == nullptr) return false;
  if (!holders_of(*module).empty()) return false;
  void* handle = std::exchange(module->handle, nullptr);
  dlclose(handle);
  void* still = dlopen(module->path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (still != nullptr && map_of(still) == module->map) {
    module->handle = still;  // somebody else opened it, too, or it can't be unmapped
    module->is_closable = false;
    return false;
  }
  if (still != nullptr) dlclose(still);
  retire_boxes(module.get());
  retire_classes(module.get());
  forget(module.get());
  module->map = nullptr;
  return true;
}

size_t close_idle() {
  size_t closed = 0;
  for (const ModuleRef& module : modules()) closed += close_if_idle(module) ? 1 : 0;
  return closed;
}

// Loading once more what is loaded adds no reference.
void take_handle(byname_module& module, void* handle) {
  if (module.handle == nullptr) {
    module.handle = handle;
  } else {
    dlclose(handle);
  }
  module.is_closable = true;
}

// Classes ask for the module of a shared object that makes its first object; the core is initialised before any of them.
void find_module(byname_dso* dso) { __atomic_store_n(&dso->module, module_at(dso), __ATOMIC_RELEASE); }

[[maybe_unused]] const bool hook_is_set = (set_dso_hook(&find_module), true);

}  // namespace

LoaderLock::LoaderLock() { all().loader.lock(); }
LoaderLock::~LoaderLock() { all().loader.unlock(); }

byname_module* module_at(const void* address) { return module_of_map(map_at(address)).get(); }

ModuleRef module_of_handle(void* handle) { return module_of_map(map_of(handle)); }

std::vector<ModuleRef> modules() {
  std::lock_guard lock(all().mutex);
  return all().list;
}

ModuleRef load_module(std::string_view path) {
  LoaderLock lock;
  close_idle();
  void* handle = open(std::string(path));
  ModuleRef module = module_of_handle(handle);
  if (module == nullptr) {
    dlclose(handle);
    throw Error("ValueError", "'" + std::string(path) + "' is the executable or Byname itself, not a module");
  }
  take_handle(*module, handle);
  try {
    attach_module(*module);
  } catch (...) {
    close_if_idle(module);
    throw;
  }
  return module;
}

std::vector<std::string> unload_module(const ModuleRef& module) {
  LoaderLock lock;
  Registry& registry = Registry::instance();
  if (module->is_loaded) {
    module->is_loaded = false;
    registry.remove(registry.registrations_of(module.get()), &module->removed);
    registry.disown(module.get());
    for (const auto& callback : std::exchange(module->on_unload, {})) callback.function(callback.context);
    detach_module(*module);
  }
  registry.reclaim(true);
  std::vector<std::string> holders = holders_of(*module);
  close_idle();
  return holders;
}

size_t collect() {
  LoaderLock lock;
  Registry::instance().reclaim(true);
  return close_idle();
}

std::vector<std::string> module_names(const byname_module& module) {
  std::vector<std::string> names;
  for (const Registered& registered : Registry::instance().registrations_of(&module)) {
    names.emplace_back(registered.entry->name());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace byname::core
