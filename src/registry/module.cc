#include "registry/module.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <new>

#include "base/cancel.h"
#include "base/near.h"
#include "registry/attach.h"
#include "registry/factory.h"
#include "registry/image.h"
#include "registry/module_list.h"
#include "registry/module_value.h"
#include "value/value.h"
#include "value/warning.h"

namespace byname::core {
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
    warn("RuntimeWarning", text);
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
  module.is_closable = true;
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

// `warnings`: for when the lock is free.
void load(std::string_view path, std::string_view search, OwnedAny* value, std::vector<std::string>* warnings) {
  free_removed();
  LoaderLock lock;
  close_idle();
  ModuleRef module = open_module(path, search);
  if (module->is_ending) {
    throw Error("RuntimeError",
                "cannot load '" + module->path + "': it failed to load, and its on_unload is running still");
  }
  attach_or_give_up(module, [&] {
    check_single_runtime();
    *warnings = attach_brought(*module);
    if (!module->is_loaded && blocks_of(*module).empty()) {
      warnings->push_back("'" + module->path + "' registers nothing (it has no BYNAME_LIBRARY block)");
    }
    value->value = module_value(module);
    attach_module(*module);  // the last that may fail
  });
}

// A module's registrations that are about to end. Making it may fail, which changes nothing; the end cannot.
class Ending {
 public:
  explicit Ending(byname_module& module)
      : module_(module), registrations_(Registry::instance().registrations_of(&module)), blocks_(blocks_of(module)) {
    std::lock_guard lock(module_list().mutex);
    module.removed.reserve(module.removed.size() + registrations_.size());
  }
  const std::vector<Registered>& registrations() const { return registrations_; }
  // Once the names, claims and factories are gone. `removed`: the functions.
  void finish(std::vector<FunctionRef> removed) {
    detach_blocks(blocks_);
    module_.is_loaded = false;
    module_.is_closable = true;
    std::lock_guard lock(module_list().mutex);
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

constexpr std::string_view kKeepers =
    "whoever else opened it, links it or uses its symbols, or a thread with thread_local objects of it";

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
    if (module->is_kept && !module->is_loaded) holders.emplace_back(kKeepers);
  }
  Registry::instance().settle();
  return holders;
}

// Does what takes the loader's lock, and then, even if that failed, what waits until it is free.
template <class Do>
void with_settling(Do work) {
  std::vector<std::string> warnings;
  auto settle = [&] {
    Registry::instance().settle();
    warn_of(warnings);
  };
  try {
    work(&warnings);
  } catch (...) {
    settle();
    throw;
  }
  settle();
}

}  // namespace

byname_any load_module(std::string_view path, std::string_view search) {
  attach_waiting();  // what it builds on may be the executable's
  OwnedAny value;
  with_settling([&](std::vector<std::string>* warnings) { load(path, search, &value, warnings); });
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
  const FileId now = file_id(module.path);
  const bool maps_own_file = absolute_path(module.opened) == module.path;  // no private copy
  std::string reason;
  if (!module.is_loaded) {
    reason = "it is not loaded";
  } else if (module.is_reloading) {
    reason = "it is being reloaded";
  } else if (!module.permanent.empty()) {
    reason = "it is kept by " + module.permanent;
  } else if (maps_own_file && module.file != now && module.file.is_same_place(now)) {
    reason =
        "its file was written to since it was loaded, and so may be the code that is loaded (write another file and "
        "rename it over this)";
  }
  if (!reason.empty()) throw Error("RuntimeError", "cannot reload '" + module.path + "': " + reason);
}

// Returns the old one.
ModuleRef reload(const byname_object* value, std::vector<std::string>* warnings) {
  LoaderLock lock;
  ModuleRef module = module_in(value);
  check_reloadable(*module);
  ModuleRef now = open_anew(module->path);
  Ending ending(*module);
  Replacement replacement{module.get()};
  attach_or_give_up(now, [&] {
    SetWhile reloading(module->is_reloading);
    *warnings = attach_brought(*now);
    attach_module(*now, &replacement);
  });
  ending.finish(std::move(replacement.removed));
  replacement.no_forks.reset();
  run_on_unload(*module);
  return module;
}

}  // namespace

std::vector<std::string> reload_module(const byname_object* value) {
  free_removed();
  ModuleRef module;
  with_settling([&](std::vector<std::string>* warnings) { module = reload(value, warnings); });
  return end_of(module);
}

std::vector<std::string> module_holders(const byname_module& module) {
  free_removed();
  LoaderLock lock;
  std::vector<std::string> holders = holders_of(module);
  if (module.is_kept && !module.is_loaded) holders.emplace_back(kKeepers);
  return holders;
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
