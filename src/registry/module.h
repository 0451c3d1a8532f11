// Modules: shared objects with registrations, from their loading to their unmapping.
#ifndef BYNAME_REGISTRY_MODULE_H_
#define BYNAME_REGISTRY_MODULE_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/image.h"
#include "registry/registry.h"

// What the core knows of one shared object. Lives as long as a Module value or the list of modules refers to it.
struct byname_module : std::enable_shared_from_this<byname_module> {
  struct OnUnload {
    void (*function)(void* context);
    void* context;
  };
  std::string path;             // absolute
  std::string opened;           // what the loader has it under
  byname::core::FileId file;    // the file at that moment
  bool is_opened_anew = false;  // by another path than the file's own: see open_anew
  byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, this};  // stands in for C code, which has none
  byname::core::ImageHandle handle;                                 // NULL once it is closed
  const link_map* map = nullptr;                                    // the loader's record
  byname::core::Extent extent;                                      // as mapped; guarded by the list's mutex, too
  std::string permanent;                                            // why the loader never unmaps it; empty if it does
  bool is_closable = false;                                         // load_module opened it, or it was unloaded
  bool is_kept = false;                                             // closing it left it mapped
  bool is_closing = false;                                          // guarded by the list's mutex
  bool is_reloading = false;                                        // by the thread that has the loader's lock
  bool is_ending = false;                                           // it failed to load, and its on_unload is running
  int uses = 0;                                                     // of its code, by the loader itself: see ModuleUse
  std::atomic<bool> is_loaded = false;                              // its names are registered
  std::atomic<bool> was_loaded = false;                             // once, so that it is listed
  std::atomic<byname::core::NameTable*> own_names = nullptr;        // of its path; NULL: it has none
  std::vector<OnUnload> on_unload;
  std::vector<byname::core::FunctionRef> removed;  // its functions, after unload, while somebody else holds them
  byname_object* value = nullptr;                  // the Module that stands for it, weakly held; or NULL

  byname_module() = default;
  byname_module(const byname_module&) = delete;
  byname_module& operator=(const byname_module&) = delete;
  ~byname_module() { byname_object_release_weak(value); }
};

namespace byname::core {

using ModuleRef = std::shared_ptr<byname_module>;

// Loading, unloading, attaching and closing take turns by the loader's lock, which the thread that has it may take
// again. Constructors, blocks and destructors of modules run under it; the registry's mutex is free meanwhile. What
// modules do when they are unloaded and destructors of functions run without it: they may wait for threads that load.

// Loads by path or by name, which is searched in the directories of `search` ("a:b") first, and attaches. Throws
// OSError with the loader's reason, or what a block throws; then nothing of it is left.
byname_any load_module(std::string_view path, std::string_view search);
// Loads what the file of a loaded module is now and puts it in the module's place: its names change over in one step,
// then the old one's on_unload runs. Returns in words what still holds the old one's code. Throws what load_module
// throws, RuntimeError for what is not loaded or cannot be unloaded; then everything is as it was. `value` stands for
// the module; if another thread reloads or unloads that first, for what it has become then.
std::vector<std::string> reload_module(const byname_object* value);
// Removes its names and runs its on_unload; returns in words what still holds its code. Closes it if nothing does. A
// load that comes while the on_unload runs makes it whole again at once. Of `value` as above.
std::vector<std::string> unload_module(const byname_object* value);
// What holds the code of a module besides its names, in words: what unload_module would return.
std::vector<std::string> module_holders(const byname_module& module);
// Frees removed functions, closes unloaded modules that nothing holds any more; returns how many. Waits for nobody: if
// another thread has the loader's lock, that one closes them when it gives the lock back.
size_t collect();
// Runs the on_unload of a module whose registration failed. Under the loader's lock, which others may have meanwhile;
// but they do not load it.
void end_failed(byname_module& module);

// The module of a shared object, made at first use and pinned. NULL: the executable, the core, or no object at all.
// Nothing: somebody who has it open besides is closing it.
std::optional<byname_module*> module_at(const void* address);
ModuleRef module_of_handle(const ImageHandle& handle);

// The table of a module's own names, which those that are loaded from its path later have in turn.
NameTable& own_names_of(byname_module& module);

std::vector<ModuleRef> modules();
std::vector<std::string> module_names(const byname_module& module);
// Of a name, or of the name with overloads, that the module registered. Throws NotFound, which tells near ones of it.
Entry& module_entry(const byname_module& module, std::string_view name);

// Code of the module runs, which may well load, unload or collect: it is not closed meanwhile. `module` may be NULL.
// Under the loader's lock.
class ModuleUse {
 public:
  explicit ModuleUse(byname_module* module) : module_(module) {
    if (module_ != nullptr) ++module_->uses;
  }
  ModuleUse(const ModuleUse&) = delete;
  ModuleUse& operator=(const ModuleUse&) = delete;
  ~ModuleUse() {
    if (module_ != nullptr) --module_->uses;
  }

 private:
  byname_module* module_;
};

// Turns of loading and attaching. In a child, the thread that forked still has its turn, and others have none.
class LoaderLock {
 public:
  LoaderLock();
  explicit LoaderLock(std::try_to_lock_t);  // no turn, while another thread has one
  LoaderLock(const LoaderLock&) = delete;
  LoaderLock& operator=(const LoaderLock&) = delete;
  ~LoaderLock();
  bool has_turn() const { return has_turn_; }

 private:
  bool has_turn_ = true;
};

// Interrupts the turn while it lives, so that others may have theirs; but no turn inside another one.
class LoaderPause {
 public:
  LoaderPause();
  LoaderPause(const LoaderPause&) = delete;
  LoaderPause& operator=(const LoaderPause&) = delete;
  ~LoaderPause();
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_MODULE_H_
