#include "registry/module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#include "base/fork.h"
#include "base/near.h"
#include "object/box.h"
#include "object/class.h"
#include "registry/attach.h"
#include "registry/factory.h"
#include "registry/image.h"
#include "registry/module_value.h"
#include "value/error_kind.h"
#include "value/value.h"
#include "value/warning.h"

namespace byname::core {
namespace {

struct Modules {
  RecursiveMutex loader;          // serialises loading, unloading, attaching, closing
  std::atomic<int> has_idle = 0;  // 1: who had no turn left it to others to close idle modules
  std::mutex mutex;               // guards all below and what each module has in `removed`
  std::vector<ModuleRef> list;
  std::map<std::string, std::string> copies;    // private copies that are opened, and the files they are of
  std::map<std::string, NameTable*> own_names;  // by path; their entries live as long as the process
};

Modules& all();

// The thread that loads is not there in a child, if it is another one.
void end_turn_of_others() {
  if (!all().loader.is_mine()) {
    restart_blocks();
    for (const ModuleRef& module : all().list) module->is_reloading = false;
  }
  for (const ModuleRef& module : all().list) module->is_ending = false;  // nor is the one that ran its on_unload
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

bool is_no_module(const Image& image) {
  return image.name.empty() || image.extent.contains(reinterpret_cast<const void*>(&byname_version));
}

// Whether a look-up finds the module. Where one is that another thread closes there may be the next already; it has
// none but for its own destructors, which run in that thread. Under the mutex.
bool is_found(const byname_module& module) { return !module.is_closing || all().loader.is_mine(); }

// Of an object that the caller has a handle of.
ModuleRef module_of(const link_map* map, const Image& image) {
  Modules& modules = all();
  {
    std::lock_guard lock(modules.mutex);
    for (const ModuleRef& module : modules.list) {
      if (module->map == map && is_found(*module)) return module;
    }
  }
  auto made = std::make_shared<byname_module>();
  made->opened = image.name;
  made->path = file_of(image);
  made->map = map;
  made->extent = image.extent;
  made->permanent = why_permanent(image.dynamic);
  // Pinned, so that nobody else can close it. The loader may run code here: no lock of ours.
  void* handle = dlopen(made->opened.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  made->handle = handle;
  std::unique_lock lock(modules.mutex);
  auto copy = modules.copies.find(made->opened);
  made->is_copy = copy != modules.copies.end();
  if (made->is_copy) made->path = copy->second;
  made->file = file_id(made->path);
  for (const ModuleRef& module : modules.list) {
    if (module->map != map || !is_found(*module)) continue;
    lock.unlock();
    if (handle != nullptr) dlclose(handle);
    return module;
  }
  modules.list.push_back(made);
  return made;
}

// One reference of the loader's is enough for a module.
void take_handle(byname_module& module, void* handle) {
  if (module.handle == nullptr) {
    module.handle = handle;
  } else {
    dlclose(handle);
  }
  module.is_closable = true;
}

ModuleRef module_of_image(void* handle, std::string_view path) {
  ModuleRef module;
  try {
    module = module_of_handle(handle);
  } catch (...) {
    dlclose(handle);
    throw;
  }
  if (module != nullptr) {
    take_handle(*module, handle);
    return module;
  }
  dlclose(handle);
  throw Error("ValueError", "'" + std::string(path) + "' is the executable or Byname itself, not a module");
}

// The loader gives what it has under a path, whatever became of the file.
bool is_outdated(const byname_module& module) { return module.file != file_id(module.path); }

// What the loader would take for another object: the image of a private copy of the file.
ModuleRef copy_loaded_from(const std::string& file) {
  FileId id = file_id(file);
  std::lock_guard lock(all().mutex);
  for (const ModuleRef& module : all().list) {
    if (module->is_copy && module->is_loaded && (module->path == file || module->file.is_same_place(id))) return module;
  }
  return nullptr;
}

[[noreturn]] void throw_cannot_load(std::string_view kind, std::string_view path, const std::string& reason) {
  throw Error(kind, "cannot load '" + std::string(path) + "': " + reason);
}

// The file as it is now, whatever is mapped already.
ModuleRef open_copy(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) throw_cannot_load("FileNotFoundError", path, "the file is not there any more");
  const FileId copied = file_id(path);  // what replaces it meanwhile is outdated at worst
  PrivateCopy copy(path);
  {
    std::lock_guard lock(all().mutex);
    all().copies[copy.path()] = path;
  }
  std::string reason;
  LinksOfLoad links;
  void* handle = open_image(copy.path(), &reason);
  if (handle != nullptr) {
    ModuleRef module = module_of_image(handle, path);
    module->file = copied;
    return module;
  }
  {
    std::lock_guard lock(all().mutex);
    all().copies.erase(copy.path());
  }
  for (size_t at; (at = reason.find(copy.path())) != std::string::npos;) reason.replace(at, copy.path().size(), path);
  throw_cannot_load("OSError", path, reason + hint_for(path, reason));
}

ModuleRef open(std::string_view path, std::string_view search) {
  std::string reason;
  bool is_there = false;
  LinksOfLoad links;
  for (const std::string& candidate : candidates_of(path, search)) {
    if (ModuleRef loaded = is_path(candidate) ? copy_loaded_from(absolute_path(candidate)) : nullptr) return loaded;
    std::string words;
    const FileId before = file_id(candidate);
    if (void* handle = open_image(candidate, &words)) {
      ModuleRef module = module_of_image(handle, path);
      if (ModuleRef loaded = copy_loaded_from(module->path)) return loaded;  // the loader found it by a name
      const bool was_replaced = is_path(candidate) && module->file != before;
      return !module->is_loaded && (was_replaced || is_outdated(*module)) ? open_copy(module->path) : module;
    }
    if (!is_missing(candidate, words)) is_there = true;
    if (reason.empty() || is_there) reason = words + hint_for(candidate, words);
  }
  if (is_there) throw_cannot_load("OSError", path, reason);
  throw_cannot_load("FileNotFoundError", path, is_path(path) ? reason : reason + hint_for_name(path, search));
}

void forget(byname_module* module) {
  std::lock_guard lock(all().mutex);
  all().copies.erase(module->opened);
  module->extent = {};
  std::erase_if(all().list, [module](const ModuleRef& other) { return other.get() == module; });
}

// Frees removed functions that nobody is inside of and nobody else holds. Runs destructors: without any lock.
void free_removed() {
  Registry::instance().reclaim(true);
  auto is_held = [](const FunctionRef& function) { return num_references(function.get()) > 1; };
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

// What keeps the module's code from being unmapped besides its names, in words. Under the loader's lock.
std::vector<std::string> holders_of(const byname_module& module) {
  std::vector<std::string> holders;
  if (module.uses > 0) holders.emplace_back("its own registration or on_unload, which is running");
  std::vector<FunctionUse> functions;
  if (module.is_loaded) functions = Registry::instance().function_uses(&module);
  {
    std::lock_guard lock(all().mutex);
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

// Unmaps an unloaded module if nothing holds it. Under the loader's lock, never from inside the module's own code: a
// running call is a holder.
bool close_if_idle(const ModuleRef& module) {
  if (module->is_loaded || !module->is_closable || module->handle == nullptr || module->uses > 0) return false;
  if (!holders_of(*module).empty()) return false;
  NoForks no_forks;
  // What others look through is taken out before the memory goes. If that stays after all, so do the names of its
  // types.
  retire_boxes(module->extent.begin, module->extent.end);
  remove_error_classes(module->extent.begin, module->extent.end);
  {
    std::lock_guard lock(all().mutex);
    module->is_closing = true;
  }
  const uint64_t unlinked = num_unlinked_here();
  dlclose(std::exchange(module->handle, nullptr));
  // Unless its blocks said so, the loader tells whether it is gone: somebody may have opened it anew this moment.
  const bool is_gone = num_unlinked_here() != unlinked;
  void* still = is_gone ? nullptr : dlopen(module->opened.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (still != nullptr && map_of(still) == module->map) {
    module->handle = still;  // somebody else opened it, too, or it can't be unmapped
    module->is_closable = false;
    std::lock_guard lock(all().mutex);
    module->is_closing = false;
    return false;
  }
  if (still != nullptr) dlclose(still);
  retire_classes(module.get());
  forget(module.get());
  module->map = nullptr;
  module->permanent.clear();
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

// While it lives, the thread is not cancelled.
class NoCancel {
 public:
  NoCancel() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
  NoCancel(const NoCancel&) = delete;
  NoCancel& operator=(const NoCancel&) = delete;
  ~NoCancel() { pthread_setcancelstate(state_, nullptr); }

 private:
  int state_ = 0;
};

void end_turn() noexcept {
  Modules& modules = all();
  modules.loader.unlock();
  if (modules.loader.is_mine()) return;
  NoCancel no_cancel;
  try {
    close_left();
  } catch (const std::bad_alloc&) {  // those that are left wait for the next turn
  }
}

// Classes ask for the module of a shared object that makes its first object; the core is initialised before any of
// them.
void find_module(byname_dso* dso) {
  __atomic_store_n(&dso->module, module_at(dso).value_or(nullptr), __ATOMIC_RELEASE);
}

bool have_same_path(const byname_module* a, const byname_module* b) { return a->path == b->path; }

[[maybe_unused]] const bool hooks_are_set = (set_dso_hook(&find_module), set_same_file_hook(&have_same_path), true);

}  // namespace

LoaderLock::LoaderLock() { all().loader.lock(); }
LoaderLock::LoaderLock(std::try_to_lock_t) : has_turn_(all().loader.try_lock()) {}
LoaderLock::~LoaderLock() {
  if (has_turn_) end_turn();
}
LoaderPause::LoaderPause() { end_turn(); }
LoaderPause::~LoaderPause() { all().loader.lock(); }

std::optional<byname_module*> module_at(const void* address) {
  {
    std::lock_guard lock(all().mutex);
    for (const ModuleRef& module : all().list) {
      if (module->extent.contains(address) && is_found(*module)) return module.get();
    }
  }
  const Image image = image_at(address);
  if (is_no_module(image)) return nullptr;
  // Somebody else may close it until there is a handle, and have another one where it was.
  std::unique_ptr<void, int (*)(void*)> handle(dlopen(image.name.c_str(), RTLD_LAZY | RTLD_NOLOAD), &dlclose);
  if (handle == nullptr || image_at(address) != image) return std::nullopt;
  return module_of(map_of(handle.get()), image).get();
}

ModuleRef module_of_handle(void* handle) {
  const link_map* map = map_of(handle);
  const Image image = image_of(map);
  return is_no_module(image) ? nullptr : module_of(map, image);
}

NameTable& own_names_of(byname_module& module) {
  std::lock_guard lock(all().mutex);
  NameTable*& names = all().own_names[module.path];
  if (names == nullptr) names = new NameTable(true);
  module.own_names.store(names, std::memory_order_release);
  return *names;
}

std::vector<ModuleRef> modules() {
  std::lock_guard lock(all().mutex);
  return all().list;
}

namespace {

// What a module does when it is unloaded. All of it is done, even if the thread ends in it.
class Callbacks {
 public:
  Callbacks(const std::string& path, std::vector<byname_module::OnUnload> callbacks)
      : path_(path), callbacks_(std::move(callbacks)) {}
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;
  ~Callbacks() {
    NoCancel no_cancel;
    while (next_ < callbacks_.size()) {
      try {
        run_next();
      } catch (const std::bad_alloc&) {  // for the warning
      }
    }
  }
  void run() {
    while (next_ < callbacks_.size()) run_next();
  }

 private:
  void run_next() {
    const byname_module::OnUnload& callback = callbacks_[next_++];
    try {
      return callback.function(callback.context);
    } catch (...) {
      byname_error_raise_current();  // lets the end of a thread pass
    }
    Error error(byname_error_take());
    std::string text = "what '" + path_ + "' does when it is unloaded failed: " + std::string(error.message());
    byname_warn({"RuntimeWarning", 14}, detail::to_c(text));
  }

  const std::string& path_;
  std::vector<byname_module::OnUnload> callbacks_;
  size_t next_ = 0;
};

// Under the loader's lock, which others may have meanwhile.
void run_on_unload(byname_module& module) {
  ModuleUse use(&module);
  auto callbacks = std::exchange(module.on_unload, {});
  LoaderPause pause;
  Callbacks(module.path, std::move(callbacks)).run();
}

// A flag that is set while it lives.
class SetWhile {
 public:
  explicit SetWhile(bool& flag) : flag_(flag) { flag_ = true; }
  SetWhile(const SetWhile&) = delete;
  SetWhile& operator=(const SetWhile&) = delete;
  ~SetWhile() { flag_ = false; }

 private:
  bool& flag_;
};

}  // namespace

void end_failed(byname_module& module) {
  if (module.is_loaded || module.is_ending) return;
  SetWhile ending(module.is_ending);
  run_on_unload(module);
}

namespace {

void give_up(const ModuleRef& module) {
  end_failed(*module);
  close_if_idle(module);
}

// Attaches; if that fails, what the module's blocks began is ended and its code goes.
template <class Attach>
void attach_or_give_up(const ModuleRef& module, Attach attach) {
  std::exception_ptr failure;
  try {
    return attach();
  } catch (...) {
    failure = std::current_exception();
    if (failure == nullptr) {  // the thread ends, which cannot be put off
      NoCancel no_cancel;
      give_up(module);
      throw;
    }
  }
  give_up(module);
  std::rethrow_exception(failure);
}

// `is_empty`: it was loaded by this and has nothing to register.
ModuleRef load(std::string_view path, std::string_view search, OwnedAny* value, bool* is_empty) {
  free_removed();
  LoaderLock lock;
  close_idle();
  ModuleRef module = open(path, search);
  if (module->is_ending) {
    throw Error("RuntimeError",
                "cannot load '" + module->path + "': it failed to load, and its on_unload is running still");
  }
  attach_or_give_up(module, [&] {
    check_single_runtime();
    *is_empty = !module->is_loaded && blocks_of(*module).empty();
    value->value = module_value(module);
    attach_module(*module);  // the last that may fail
  });
  return module;
}

// A module's registrations that are about to end. Making it may fail, which changes nothing; the end cannot.
class Ending {
 public:
  explicit Ending(byname_module& module)
      : module_(module), registrations_(Registry::instance().registrations_of(&module)), blocks_(blocks_of(module)) {
    std::lock_guard lock(all().mutex);
    module.removed.reserve(module.removed.size() + registrations_.size());
  }
  const std::vector<Registered>& registrations() const { return registrations_; }
  // Once the names, claims and factories are gone. `removed`: the functions.
  void finish(std::vector<FunctionRef> removed) {
    detach_blocks(blocks_);
    module_.is_loaded = false;
    std::lock_guard lock(all().mutex);
    std::move(removed.begin(), removed.end(), std::back_inserter(module_.removed));
  }

 private:
  byname_module& module_;
  std::vector<Registered> registrations_;
  std::vector<byname_library_node*> blocks_;
};

// The names go at once and all together; their events and destructors wait until no lock is held.
void remove_names(byname_module& module) {
  Registry& registry = Registry::instance();
  Ending ending(module);
  std::vector<FunctionRef> removed;
  NoForks no_forks;
  registry.remove(ending.registrations(), &removed);  // the last that may fail
  registry.disown(&module);
  remove_factories(&module);
  ending.finish(std::move(removed));
}

// After the names are gone: what holds the code, which goes at once if nothing does.
std::vector<std::string> end_of(const ModuleRef& module) {
  free_removed();
  std::vector<std::string> holders;
  {
    LoaderLock lock;
    if (module->is_loaded) {
      holders = {"another load of it, which came meanwhile"};
    } else {
      holders = holders_of(*module);
    }
    close_idle();
    if (module->handle != nullptr && !module->is_closable && !module->is_loaded) {
      holders.emplace_back("whoever opened or linked it besides Byname");
    }
  }
  Registry::instance().settle();
  return holders;
}

}  // namespace

byname_any load_module(std::string_view path, std::string_view search) {
  attach_waiting();  // what it builds on may be the executable's
  bool is_empty = false;
  OwnedAny value;
  ModuleRef module = load(path, search, &value, &is_empty);
  Registry::instance().settle();
  if (is_empty) {
    std::string text = "'" + module->path + "' registers nothing (it has no BYNAME_LIBRARY block)";
    byname_warn({"RuntimeWarning", 14}, detail::to_c(text));
  }
  return value.take();
}

std::vector<std::string> unload_module(const byname_object* value) {
  ModuleRef module;
  {
    LoaderLock lock;
    module = module_in(value);
    if (module->is_reloading) throw Error("RuntimeError", "cannot unload '" + module->path + "': it is being reloaded");
    if (module->is_loaded) {
      remove_names(*module);
      run_on_unload(*module);
    }
  }
  return end_of(module);
}

namespace {

void check_reloadable(const byname_module& module) {
  std::string reason;
  if (!module.is_loaded) {
    reason = "it is not loaded";
  } else if (module.is_reloading) {
    reason = "it is being reloaded";
  } else if (!module.permanent.empty()) {
    reason = "it is kept by " + module.permanent;
  } else if (!module.is_copy && is_outdated(module) && module.file.is_same_place(file_id(module.path))) {
    reason =
        "its file was written to since it was loaded, and so may be the code that is loaded (write another file and "
        "rename it over this)";
  }
  if (!reason.empty()) throw Error("RuntimeError", "cannot reload '" + module.path + "': " + reason);
}

}  // namespace

std::vector<std::string> reload_module(const byname_object* value) {
  free_removed();
  ModuleRef module;
  {
    LoaderLock lock;
    module = module_in(value);
    check_reloadable(*module);
    ModuleRef now = open_copy(module->path);
    Ending ending(*module);
    Replacement replacement{module.get()};
    attach_or_give_up(now, [&] {
      SetWhile reloading(module->is_reloading);
      attach_module(*now, &replacement);
    });
    ending.finish(std::move(replacement.removed));
    replacement.no_forks.reset();
    run_on_unload(*module);
  }
  return end_of(module);
}

std::vector<std::string> module_holders(const byname_module& module) {
  free_removed();
  LoaderLock lock;
  return holders_of(module);
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
  bool is_registered = false;
  const NameTable* own = nullptr;
  for (const Registered& registered : Registry::instance().registrations_of(&module)) {
    std::string packet = packet_of(registered.entry->name());
    std::string_view plain = packet.empty() ? registered.entry->name() : std::string_view(packet);
    near.consider(plain);
    if (registered.entry->name() != name && plain != name) continue;
    is_registered = true;
    if (registered.entry->is_local != 0) own = module.own_names.load(std::memory_order_acquire);
  }
  const NameTable& table = own != nullptr ? *own : Registry::instance().table();
  Entry* entry = is_registered ? table.find(name) : nullptr;
  if (entry != nullptr) return *entry;
  if (!module.is_loaded) throw Error("NotFound", "module '" + module.path + "' is not loaded any more");
  throw Error("NotFound", "module '" + module.path + "' registered nothing under the name '" + std::string(name) + "'" +
                              near.hint());
}

}  // namespace byname::core
