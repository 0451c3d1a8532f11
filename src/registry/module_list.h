// The list of modules, and what the parts of loading (module*.cc) share.
#ifndef BYNAME_REGISTRY_MODULE_LIST_H_
#define BYNAME_REGISTRY_MODULE_LIST_H_

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/fork.h"
#include "registry/module.h"

namespace byname::core {

struct ModuleList {
  RecursiveMutex loader;          // serialises loading, unloading, attaching, closing
  std::atomic<int> has_idle = 0;  // 1: who had no turn left it to others to close idle modules
  std::mutex mutex;               // guards all below and what each module has in `removed`
  std::vector<ModuleRef> list;
  std::map<std::string, std::string> opened_anew;  // paths that files were opened by otherwise than by their own
  std::map<std::string, NameTable*> own_names;     // by path; their entries live as long as the process
};
ModuleList& module_list();

// Opens what load_module is given, or finds it loaded; without running its blocks (module_open.cc). Under the loader's
// lock, as all that follows. Throws OSError with the loader's reason.
ModuleRef open_module(std::string_view path, std::string_view search);
// Opens a file as it is now, whatever the loader has under its path.
ModuleRef open_anew(const std::string& path);

// Frees removed functions that nobody is inside of and nobody else holds (module_close.cc). Runs destructors: without
// any lock.
void free_removed();
// What keeps the module's code from being unmapped besides its names, in words.
std::vector<std::string> holders_of(const byname_module& module);
// Unmaps an unloaded module if nothing holds it. Never from inside the module's own code: a running call is a holder.
bool close_if_idle(const ModuleRef& module);
size_t close_idle();

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_MODULE_LIST_H_
