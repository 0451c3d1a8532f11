#include "registry/module_list.h"

#include <memory>
#include <optional>
#include <utility>

#include "object/class.h"
#include "registry/attach.h"
#include "registry/image.h"

namespace byname::core {
namespace {

// The thread that loads is not there in a child, if it is another one.
void end_turn_of_others() {
  if (!module_list().loader.is_mine()) {
    restart_blocks();
    for (const ModuleRef& module : module_list().list) module->is_reloading = false;
  }
  for (const ModuleRef& module : module_list().list)
    module->is_ending = false;  // nor is the one that ran its on_unload
  module_list().loader.renew_in_child();
}

}  // namespace

ModuleList& module_list() {
  static ModuleList* instance = [] {
    auto* made = new ModuleList();
    unlock_in_children(made->mutex);
    call_in_children(end_turn_of_others);
    return made;
  }();
  return *instance;
}

namespace {

[[maybe_unused]] const bool is_made = (module_list(), true);

bool is_no_module(const Image& image) {
  return image.name.empty() || image.extent.contains(reinterpret_cast<const void*>(&byname_version));
}

// Whether a look-up finds the module. Where one is that another thread closes there may be the next already; it has
// none but for its own destructors, which run in that thread. Under the mutex.
bool is_found(const byname_module& module) { return !module.is_closing || module_list().loader.is_mine(); }

// Of an object that the caller has a handle of.
ModuleRef module_of(const link_map* map, const Image& image) {
  ModuleList& modules = module_list();
  {
    std::lock_guard lock(modules.mutex);
    for (const ModuleRef& module : modules.list) {
      if (module->map == map && is_found(*module)) return module;
    }
  }
  // Pinned, so that nobody else can close it. The loader may run code here: no lock of ours.
  OpenedImage opened = open_loaded(image);
  auto made = std::make_shared<byname_module>();
  made->opened = opened.path;
  made->path = file_of(image);
  made->map = map;
  made->extent = image.extent;
  made->permanent = why_permanent(image);
  std::lock_guard lock(modules.mutex);
  auto anew = modules.opened_anew.find(image.name);
  if (anew != modules.opened_anew.end()) made->path = anew->second;
  made->is_opened_anew = anew != modules.opened_anew.end() || opened.path != image.name;
  made->file = file_id(made->path);
  for (const ModuleRef& module : modules.list) {
    if (module->map == map && is_found(*module)) return module;
  }
  modules.list.push_back(made);
  made->handle = std::move(opened.handle);
  return made;
}

// Classes ask for the module of a shared object that makes its first object; the core is initialised before any of
// them.
void find_module(byname_dso* dso) {
  __atomic_store_n(&dso->module, module_at(dso).value_or(nullptr), __ATOMIC_RELEASE);
}

bool have_same_path(const byname_module* a, const byname_module* b) { return a->path == b->path; }

[[maybe_unused]] const bool hooks_are_set = (set_dso_hook(&find_module), set_same_file_hook(&have_same_path), true);

}  // namespace

std::optional<byname_module*> module_at(const void* address) {
  {
    std::lock_guard lock(module_list().mutex);
    for (const ModuleRef& module : module_list().list) {
      if (module->extent.contains(address) && is_found(*module)) return module.get();
    }
  }
  const Image image = image_at(address);
  if (is_no_module(image)) return nullptr;
  // Somebody else may close it until there is a handle, and have another one where it was.
  OpenedImage opened = open_loaded(image);
  if (opened.handle == nullptr || image_at(address) != image) return std::nullopt;
  return module_of(map_of(opened.handle), image).get();
}

ModuleRef module_of_handle(const ImageHandle& handle) {
  const link_map* map = map_of(handle);
  const Image image = image_of(map);
  return is_no_module(image) ? nullptr : module_of(map, image);
}

NameTable& own_names_of(byname_module& module) {
  std::lock_guard lock(module_list().mutex);
  NameTable*& names = module_list().own_names[module.path];
  if (names == nullptr) names = new NameTable(true);
  module.own_names.store(names, std::memory_order_release);
  return *names;
}

std::vector<ModuleRef> modules() {
  std::lock_guard lock(module_list().mutex);
  return module_list().list;
}

}  // namespace byname::core
