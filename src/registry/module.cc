#include "registry/module.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <new>

#include "base/fork.h"
#include "base/near.h"
#include "object/box.h"
#include "object/class.h"
#include "registry/attach.h"
#include "value/error_kind.h"
#include "value/warning.h"

namespace byname::core {
namespace {

struct Modules {
  RecursiveMutex loader;          // serialises loading, unloading, attaching, closing
  std::atomic<int> has_idle = 0;  // 1: who had no turn left it to others to close idle modules
  std::mutex mutex;               // guards list and what each module has in `removed`
  std::vector<ModuleRef> list;
};

Modules& all();

// The thread that loads is not there in a child, if it is another one.
void end_turn_of_others() {
  if (!all().loader.is_mine()) restart_blocks();
  all().loader.renew_in_child();
}

Modules& all() {
  static Modules* instance = [] {
    auto* made = new Modules();
    unlock_in_children(made->mutex);
    call_in_children(end_turn_of_others);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool is_made = (all(), true);

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
  // The working directory may change.
  std::error_code unknown;
  std::filesystem::path path = std::filesystem::absolute(map->l_name, unknown).lexically_normal();
  made->path = unknown ? map->l_name : path.native();
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

// What has no slash is no path: the loader searches for it.
bool is_special_file(const std::string& path) {
  struct stat status{};
  return path.find('/') != std::string::npos && stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
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

// That one candidate is not there is less of a reason than what is wrong with another.
bool is_missing(std::string_view reason) { return reason.ends_with("No such file or directory"); }

void* open(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    throw Error("ValueError", "expected a path without NUL, got '" + path + "'");
  }
  if (path.empty()) throw Error("ValueError", "expected a path or name of a module, got an empty text");
  std::string reason;
  LinksOfLoad links;
  for (const std::string& candidate : candidates_of(path)) {
    if (is_special_file(candidate)) {  // to read a pipe would wait for its writer
      reason = candidate + ": not a regular file";
      continue;
    }
    NoForks no_forks;
    dlerror();
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    const char* words = dlerror();
    if (words != nullptr && (reason.empty() || (is_missing(reason) && !is_missing(words)))) reason = words;
  }
  const bool by_name = path.find('/') == std::string::npos;
  throw Error("OSError",
              "cannot load '" + path + "': " + reason +
                  (by_name ? " (a name is searched on BYNAME_PATH and the loader's path; give a path)" : ""));
}

void forget(const byname_module* module) {
  std::lock_guard lock(all().mutex);
  std::erase_if(all().list, [module](const ModuleRef& other) { return other.get() == module; });
}

// Frees removed functions that nobody is inside of and nobody else holds. Runs destructors: without any lock.
void free_removed() {
  Registry::instance().reclaim(true);
  auto is_held = [](const FunctionRef& function) {
    return static_cast<uint32_t>(__atomic_load_n(&function->header.counts, __ATOMIC_ACQUIRE)) > 1;
  };
  std::vector<FunctionRef> dropped;
  std::lock_guard lock(all().mutex);
  for (const ModuleRef& module : all().list) {
    auto free = std::partition(module->removed.begin(), module->removed.end(), is_held);
    dropped.reserve(dropped.size() + static_cast<size_t>(module->removed.end() - free));
    std::move(free, module->removed.end(), std::back_inserter(dropped));
    module->removed.erase(free, module->removed.end());
  }
  // Until they are dropped, after the lock, they are counted as the module's objects.
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return count == 1 ? "1 " + std::string(one) : std::to_string(count) + " " + std::string(many);
}

// Where an object is in memory.
struct Extent {
  uintptr_t base = 0;  // to find it by
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
};

// Empty for one that is closed.
Extent extent_of(const byname_module& module) {
  if (module.map == nullptr) return {};
  Extent extent{static_cast<const link_map*>(module.map)->l_addr};
  NoForks no_forks;  // nothing else would unlock in the child what this locks
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* context) {
        auto& wanted = *static_cast<Extent*>(context);
        if (info->dlpi_addr != wanted.base) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
          uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
          wanted.begin = std::min(wanted.begin, begin);
          wanted.end = std::max(wanted.end, begin + info->dlpi_phdr[i].p_memsz);
        }
        return 1;
      },
      &extent);
  return extent;
}

// What keeps the module's code from being unmapped, in words. Under the loader's lock.
std::vector<std::string> holders_of(const byname_module& module, const Extent& extent) {
  if (module.is_loaded) return {"another load of it, which came meanwhile"};
  std::vector<std::string> holders;
  if (module.uses > 0) holders.emplace_back("its own registration or on_unload, which is running");
  std::vector<uint32_t> ids;  // of the classes of what is told by its name
  {
    std::lock_guard lock(all().mutex);
    for (const FunctionRef& function : module.removed) {
      holders.push_back("function '" + std::string(name_of(function.get())) + "', referenced or running");
      ids.push_back(byname_object_prefix(&function->header)->owner->id);
    }
  }
  for (const ClassUse& use : class_uses(&module)) {
    const bool is_function = use.owner->type_index == BYNAME_FUNCTION;
    auto named = std::count(ids.begin(), ids.end(), use.owner->id.load());
    uint64_t live = use.live - std::min<uint64_t>(use.live, static_cast<uint64_t>(named));
    if (live == 0) continue;
    holders.push_back(is_function ? counted(live, "function value", "function values")
                                  : counted(live, "object", "objects") + " of type '" + std::string(use.key) + "'");
  }
  if (size_t count = Registry::instance().num_listeners_in(extent.begin, extent.end); count > 0) {
    holders.push_back(counted(count, "listener", "listeners"));
  }
  if (is_warning_handler_in(extent.begin, extent.end)) holders.emplace_back("the handler of warnings");
  std::sort(holders.begin(), holders.end());
  return holders;
}

// Unmaps an unloaded module if nothing holds it. Under the loader's lock, never from inside the module's own code: a
// running call is a holder.
bool close_if_idle(const ModuleRef& module) {
  if (module->is_loaded || !module->is_closable || module->handle == nullptr || module->uses > 0) return false;
  Extent extent = extent_of(*module);
  if (!holders_of(*module, extent).empty()) return false;
  NoForks no_forks;
  // What others look through is taken out before the memory goes. If that stays after all, so do the names of its
  // types.
  retire_boxes(extent.begin, extent.end);
  remove_error_classes(extent.begin, extent.end);
  void* handle = std::exchange(module->handle, nullptr);
  dlclose(handle);
  void* still = dlopen(module->path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (still != nullptr && map_of(still) == module->map) {
    module->handle = still;  // somebody else opened it, too, or it can't be unmapped
    module->is_closable = false;
    return false;
  }
  if (still != nullptr) dlclose(still);
  retire_classes(module.get());
  forget(module.get());
  module->map = nullptr;
  return true;
}

// Under the loader's lock.
size_t close_idle() {
  size_t closed = 0;
  for (const ModuleRef& module : modules()) closed += close_if_idle(module) ? 1 : 0;
  return closed;
}

// Closes idle modules if somebody left it to others and nobody else's turn it is: then it is left to that one.
size_t close_left() {
  Modules& modules = all();
  size_t closed = 0;
  // Read by writing: of a thread that gives the lock back and one that sets it at that moment, either the former sees
  // it or the latter finds the lock free.
  while (modules.has_idle.fetch_add(0) != 0 && modules.loader.try_lock()) {
    std::lock_guard lock(modules.loader, std::adopt_lock);
    if (modules.has_idle.exchange(0) != 0) closed += close_idle();
  }
  return closed;
}

void end_turn() noexcept {
  Modules& modules = all();
  modules.loader.unlock();
  if (modules.loader.is_mine()) return;
  int state = 0;  // a thread may not end in here
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  try {
    close_left();
  } catch (const std::bad_alloc&) {  // those that are left wait for the next turn
  }
  pthread_setcancelstate(state, nullptr);
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

// Classes ask for the module of a shared object that makes its first object; the core is initialised before any of
// them.
void find_module(byname_dso* dso) { __atomic_store_n(&dso->module, module_at(dso), __ATOMIC_RELEASE); }

[[maybe_unused]] const bool hook_is_set = (set_dso_hook(&find_module), true);

}  // namespace

LoaderLock::LoaderLock() { all().loader.lock(); }
LoaderLock::~LoaderLock() { end_turn(); }
LoaderPause::LoaderPause() { end_turn(); }
LoaderPause::~LoaderPause() { all().loader.lock(); }

byname_module* module_at(const void* address) { return module_of_map(map_at(address)).get(); }

ModuleRef module_of_handle(void* handle) { return module_of_map(map_of(handle)); }

std::vector<ModuleRef> modules() {
  std::lock_guard lock(all().mutex);
  return all().list;
}

namespace {

// `is_empty`: it was loaded by this and has nothing to register.
ModuleRef load(std::string_view path, bool* is_empty) {
  free_removed();
  LoaderLock lock;
  close_idle();
  void* handle = open(std::string(path));
  ModuleRef module = module_of_handle(handle);
  if (module == nullptr) {
    dlclose(handle);
    throw Error("ValueError", "'" + std::string(path) + "' is the executable or Byname itself, not a module");
  }
  take_handle(*module, handle);
  bool was_loaded = module->is_loaded;
  try {
    attach_module(*module);
  } catch (...) {
    close_if_idle(module);
    throw;
  }
  *is_empty = !was_loaded && !has_blocks(*module) && module_names(*module).empty();
  return module;
}

void run_on_unload(const byname_module& module, const std::vector<byname_module::OnUnload>& callbacks) {
  for (const auto& callback : callbacks) {
    try {
      callback.function(callback.context);
    } catch (...) {
      byname_error_raise_current();
      Error error(byname_error_take());
      std::string text = "what '" + module.path + "' does when it is unloaded failed: " + std::string(error.message());
      byname_warn({"RuntimeWarning", 14}, detail::to_c(text));
    }
  }
}

// The names go at once and all together; their events and destructors wait until no lock is held.
void remove_names(byname_module& module) {
  Registry& registry = Registry::instance();
  std::vector<FunctionRef> removed;
  NoForks no_forks;
  module.is_loaded = false;
  registry.remove(registry.registrations_of(&module), &removed);
  registry.disown(&module);
  detach_module(module);
  std::lock_guard lock(all().mutex);
  module.removed.reserve(module.removed.size() + removed.size());
  std::move(removed.begin(), removed.end(), std::back_inserter(module.removed));
}

// Under the loader's lock, except for what is run.
void end_registrations(byname_module& module) {
  ModuleUse use(&module);
  remove_names(module);
  auto callbacks = std::exchange(module.on_unload, {});
  LoaderPause pause;
  run_on_unload(module, callbacks);
}

}  // namespace

ModuleRef load_module(std::string_view path) {
  bool is_empty = false;
  ModuleRef module = load(path, &is_empty);
  Registry::instance().settle();
  if (is_empty) {
    std::string text = "'" + module->path + "' registers nothing (it has no BYNAME_LIBRARY block)";
    byname_warn({"ImportWarning", 13}, detail::to_c(text));
  }
  return module;
}

std::vector<std::string> unload_module(ModuleRef module) {
  {
    LoaderLock lock;
    if (module->is_loaded) end_registrations(*module);
  }
  free_removed();
  std::vector<std::string> holders;
  {
    LoaderLock lock;
    holders = holders_of(*module, extent_of(*module));
    close_idle();
  }
  Registry::instance().settle();
  return holders;
}

size_t collect() {
  free_removed();
  all().has_idle = 1;
  return close_left();
}

std::vector<std::string> module_names(const byname_module& module) {
  std::vector<std::string> names;
  for (const Registered& registered : Registry::instance().registrations_of(&module)) {
    names.emplace_back(registered.entry->name());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Entry& module_entry(const byname_module& module, std::string_view name) {
  NearNames near(name);
  bool is_its_own = false;
  for (const std::string& registered : module_names(module)) {
    std::string packet = packet_of(registered);
    is_its_own = is_its_own || registered == name || packet == name;
    near.consider(packet.empty() ? registered : packet);
  }
  Entry* entry = is_its_own ? Registry::instance().table().find(name) : nullptr;
  if (entry != nullptr) return *entry;
  if (!module.is_loaded) throw Error("NotFound", "module '" + module.path + "' is not loaded any more");
  throw Error("NotFound", "module '" + module.path + "' registered nothing under the name '" + std::string(name) + "'" +
                              near.hint());
}

}  // namespace byname::core
