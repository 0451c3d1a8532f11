// Opening the files of modules.
#include <unistd.h>

#include <string>
#include <utility>

#include "registry/attach.h"
#include "registry/module_list.h"
#include "registry/open_failure.h"

namespace byname::core {
namespace {

ModuleRef module_of_image(ImageHandle handle, std::string_view path) {
  ModuleRef module = module_of_handle(handle);
  if (module == nullptr) {
    throw Error("ValueError", "'" + std::string(path) + "' is the executable or Byname itself, not a module");
  }
  if (module->handle == nullptr) module->handle = std::move(handle);  // one is enough
  module->is_closable = true;
  return module;
}

// The loader gives what it has under a path, whatever became of the file.
bool is_outdated(const byname_module& module) { return module.file != file_id(module.path); }

// What the loader takes for another object, because it was opened by another path.
ModuleRef loaded_anew_from(const std::string& file) {
  FileId id = file_id(file);
  std::lock_guard lock(module_list().mutex);
  for (const ModuleRef& module : module_list().list) {
    if (!module->is_opened_anew || !module->is_loaded) continue;
    if (module->path == file || module->file.is_same_place(id)) return module;
  }
  return nullptr;
}

[[noreturn]] void throw_cannot_load(std::string_view kind, std::string_view path, const std::string& reason) {
  throw Error(kind, "cannot load '" + std::string(path) + "': " + reason);
}

// The loader goes by texts first: by another spelling of a path that it knows, the file that is there now is opened.
// Empty if that very file is mapped already.
std::string new_spelling(const std::string& path) {
  const FileId id = file_id(path);
  for (const ModuleRef& module : modules()) {
    if (module->file.is_same_place(id)) return {};
  }
  const size_t slash = path.rfind('/');
  std::string spelling = path;
  for (int i = 0; i < 256; ++i) {  // more than that many at once: a file that is mapped, but by somebody else
    spelling.insert(slash, "/.");
    if (open_loaded(spelling) == nullptr) return spelling;
  }
  return {};
}

// Opens a file by a path that is not its own. NULL if it cannot be opened, and *reason says why, or if the loader has
// it.
ModuleRef open_by(const std::string& other, const std::string& path, std::string* reason) {
  {
    std::lock_guard lock(module_list().mutex);
    module_list().opened_anew[other] = path;
  }
  ImageHandle handle = open_image(other, reason);
  if (handle != nullptr && image_of(map_of(handle)).name == other) return module_of_image(std::move(handle), path);
  std::lock_guard lock(module_list().mutex);
  module_list().opened_anew.erase(other);
  return nullptr;
}

}  // namespace

ModuleRef open_anew(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) throw_cannot_load("FileNotFoundError", path, "the file is not there any more");
  const FileId opened = file_id(path);  // what replaces it meanwhile is outdated at worst
  LinksOfLoad links;
  ModuleRef module;
  std::string reason;
  std::string other = new_spelling(path);
  if (!other.empty()) module = open_by(other, path, &reason);
  if (module == nullptr && reason.empty()) {
    PrivateCopy copy(path);
    other = copy.path();
    module = open_by(other, path, &reason);
  }
  if (module != nullptr) {
    module->file = opened;
    return module;
  }
  for (size_t at; (at = reason.find(other)) != std::string::npos;) reason.replace(at, other.size(), path);
  throw_cannot_load("OSError", path, reason + hint_for(path, reason));
}

ModuleRef open_module(std::string_view path, std::string_view search) {
  std::string reason;
  bool is_there = false;
  LinksOfLoad links;
  for (const std::string& candidate : candidates_of(path, search)) {
    if (ModuleRef loaded = is_path(candidate) ? loaded_anew_from(absolute_path(candidate)) : nullptr) return loaded;
    std::string words;
    const FileId before = file_id(candidate);
    if (ImageHandle handle = open_image(candidate, &words)) {
      ModuleRef module = module_of_image(std::move(handle), path);
      ModuleRef loaded = loaded_anew_from(module->path);  // if the loader found it by a name
      const bool was_replaced = is_path(candidate) && module->file != before;
      const bool is_current = module->is_loaded || !(was_replaced || is_outdated(*module));
      if (loaded == nullptr ? is_current : loaded == module) return module;
      if (!module->is_loaded) detach_blocks(blocks_of(*module));  // nobody is to run them
      return loaded != nullptr ? loaded : open_anew(module->path);
    }
    if (!is_missing(candidate, words)) is_there = true;
    if (reason.empty() || is_there) reason = words + hint_for(candidate, words);
  }
  if (is_there) throw_cannot_load("OSError", path, reason);
  throw_cannot_load("FileNotFoundError", path, is_path(path) ? reason : reason + hint_for_name(path, search));
}

}  // namespace byname::core
