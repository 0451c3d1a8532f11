// What holds modules, and closing those that nothing holds.
#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/cancel.h"
#include "object/box.h"
#include "object/class.h"
#include "registry/attach.h"
#include "registry/image.h"
#include "registry/module_list.h"
#include "value/error_kind.h"
#include "value/warning.h"

namespace byname::core {
namespace {

void forget(byname_module* module) {
  std::lock_guard lock(module_list().mutex);
  module_list().opened_anew.erase(module->opened);
  module->extent = {};
  std::erase_if(module_list().list, [module](const ModuleRef& other) { return other.get() == module; });
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return count == 1 ? "1 " + std::string(one) : std::to_string(count) + " " + std::string(many);
}

}  // namespace

void free_removed() {
  Registry::instance().reclaim(true);
  auto is_held = [](const FunctionRef& function) { return num_references(function.get()) > 1; };
  std::vector<FunctionRef> dropped;
  std::lock_guard lock(module_list().mutex);
  for (const ModuleRef& module : module_list().list) {
    auto free = std::partition(module->removed.begin(), module->removed.end(), is_held);
    dropped.reserve(dropped.size() + static_cast<size_t>(module->removed.end() - free));
    std::move(free, module->removed.end(), std::back_inserter(dropped));
    module->removed.erase(free, module->removed.end());
  }
  // Until they are dropped, after the lock, they are counted as the module's objects.
}

std::vector<std::string> holders_of(const byname_module& module) {
  std::vector<std::string> holders;
  if (module.uses > 0) holders.emplace_back("its own registration or on_unload, which is running");
  std::vector<FunctionUse> functions;
  if (module.is_loaded) functions = Registry::instance().function_uses(&module);
  {
    std::lock_guard lock(module_list().mutex);
    for (const FunctionRef& function : module.removed) {
      functions.push_back(
          {byname_object_prefix(&function->header)->owner->id, std::string(name_of(function.get())), true});
    }
  }
  for (const FunctionUse& function : functions) {
    if (function.is_held) holders.push_back("function '" + function.name + "', referenced or running");
  }
  uint64_t num_functions = 0;
  std::map<std::string_view, uint64_t> objects;  // by type, whose classes may be several
  for (const ClassUse& use : class_uses(&module)) {
    auto named = static_cast<uint64_t>(std::ranges::count(functions, use.owner->id.load(), &FunctionUse::class_id));
    uint64_t live = use.live - std::min(use.live, named);
    if (live > 0) (use.owner->type_index == BYNAME_FUNCTION ? num_functions : objects[use.key]) += live;
  }
  if (num_functions > 0) holders.push_back(counted(num_functions, "function value", "function values"));
  for (const auto& [key, count] : objects) {
    holders.push_back(counted(count, "object", "objects") + " of type '" + std::string(key) + "'");
  }
  const auto& [begin, end] = module.extent;
  if (size_t count = Registry::instance().num_listeners_in(begin, end); count > 0) {
    holders.push_back(counted(count, "listener", "listeners"));
  }
  if (is_warning_handler_in(begin, end)) holders.emplace_back("the handler of warnings");
  if (!module.permanent.empty()) holders.push_back(module.permanent);
  std::sort(holders.begin(), holders.end());
  return holders;
}

namespace {

// What is being closed. Modules that refer to each other, the loader keeps until the last of them is closed: so it is
// asked which have gone when all are closed.
class Closing {
 public:
  Closing() = default;
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  ~Closing() { finish(); }
  bool close(const ModuleRef& module) {
    const bool is_used = module->is_loaded || !module->is_closable || module->handle == nullptr || module->uses > 0;
    if (is_used || !holders_of(*module).empty()) return false;
    unmapped_.watch(module->extent);
    closed_.push_back(module);
    // What others look through is taken out before the memory goes. If that stays after all, so do the names of its
    // types.
    retire_boxes(module->extent.begin, module->extent.end);
    remove_error_classes(module->extent.begin, module->extent.end);
    {
      std::lock_guard lock(module_list().mutex);
      module->is_closing = true;
    }
    module->handle.reset();
    return true;
  }
  // Returns how many have gone.
  size_t finish() {
    size_t gone = 0;
    for (const ModuleRef& module : std::exchange(closed_, {})) gone += is_gone(*module) ? 1 : 0;
    return gone;
  }

 private:
  bool is_gone(byname_module& module) {
    // Unless its blocks said so, the loader tells: somebody may have opened it anew this moment.
    ImageHandle still = unmapped_.has(module.extent) ? nullptr : open_loaded(module.opened);
    module.is_kept = still != nullptr && map_of(still) == module.map;
    if (module.is_kept) {
      if (module.handle == nullptr) module.handle = std::move(still);  // else a destructor has loaded it again
      std::lock_guard lock(module_list().mutex);
      module.is_closing = false;
      return false;
    }
    retire_classes(&module);
    forget(&module);
    module.map = nullptr;
    module.permanent.clear();
    return true;
  }

  NoForks no_forks_;
  Unmapped unmapped_;
  std::vector<ModuleRef> closed_;
};

}  // namespace

bool close_if_idle(const ModuleRef& module) {
  Closing closing;
  return closing.close(module) && closing.finish() > 0;
}

size_t close_idle() {
  Closing closing;
  for (const ModuleRef& module : modules()) closing.close(module);
  return closing.finish();
}

namespace {

// Closes idle modules if somebody left it to others and nobody else's turn it is: then it is left to that one.
size_t close_left() {
  ModuleList& modules = module_list();
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
  ModuleList& modules = module_list();
  modules.loader.unlock();
  if (modules.loader.is_mine()) return;
  NoCancel no_cancel;
  try {
    close_left();
  } catch (const std::bad_alloc&) {  // those that are left wait for the next turn
  }
}

}  // namespace

LoaderLock::LoaderLock() { module_list().loader.lock(); }
LoaderLock::LoaderLock(std::try_to_lock_t) : has_turn_(module_list().loader.try_lock()) {}
LoaderLock::~LoaderLock() {
  if (has_turn_) end_turn();
}
LoaderPause::LoaderPause() { end_turn(); }
LoaderPause::~LoaderPause() { module_list().loader.lock(); }

size_t collect() {
  free_removed();
  module_list().has_idle = 1;
  return close_left();
}

}  // namespace byname::core
