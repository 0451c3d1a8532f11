// Modules: shared objects that register things.
#ifndef BYNAME_MODULE_H_
#define BYNAME_MODULE_H_

#include "byname/library.h"

namespace byname {

// A loaded module. Copies share it; dropping the last does not unload it.
class Module {
 public:
  explicit Module(Any any) noexcept : any_(std::move(any)) {}
  std::string path() const {
    Any text;
    detail::check(byname_module_path(raw(), text.out()));
    return text.to<std::string>();
  }
  // The names it registered, sorted, its own among them (byname::local).
  std::vector<std::string> names() const {
    Any list;
    detail::check(byname_module_names(raw(), list.out()));
    return detail::texts_of(list);
  }
  // The handle of a name that it registered something under, its own before others. Throws NotFound, which tells near
  // names of the module.
  Handle get(std::string_view name) const {
    byname_entry* entry = byname_module_get(raw(), detail::to_c(name));
    if (entry == nullptr) detail::throw_raised();
    return Handle(entry);
  }
  bool is_loaded() const noexcept { return byname_module_is_loaded(raw()) != 0; }
  // Removes its names at once; what still holds its code is returned, in words. The code goes when nothing does, at
  // this or a later load, unload or collect.
  std::vector<std::string> unload() {
    Any list;
    detail::check(byname_module_unload(raw(), list.out()));
    return detail::texts_of(list);
  }
  // What holds its code besides its names, in words, as unload would return it now.
  std::vector<std::string> holders() const {
    Any list;
    detail::check(byname_module_holders(raw(), list.out()));
    return detail::texts_of(list);
  }
  // Puts what its file is now in its place, in one step: handles call the new code, objects of the old one go on
  // working; what still holds the old code is returned, in words. Throws what load throws, TypeError if a type is laid
  // out otherwise than objects of it that live, RuntimeError if it is not loaded or cannot be unloaded; then the old
  // code stays.
  std::vector<std::string> reload() {
    Any list;
    detail::check(byname_module_reload(raw(), list.out()));
    return detail::texts_of(list);
  }
  byname_object* raw() const noexcept { return any_.raw().as_object; }

 private:
  Any any_;
};

// Loads a shared object, by path or by name (searched in the directories of `search`, as "a:b", on BYNAME_PATH, beside
// Byname's library, then on the loader's path), and registers what its blocks define. Throws OSError with the loader's
// reason, FileNotFoundError if nothing is there, and what the blocks throw; nothing is left then.
inline Module load(std::string_view path, std::string_view search = {}) {
  Any module;
  detail::check(byname_module_load(detail::to_c(path), detail::to_c(search), module.out()));
  return Module(std::move(module));
}

// All that are loaded, and those that were and whose code is still mapped.
inline std::vector<Module> modules() {
  Any list;
  detail::check(byname_modules(list.out()));
  const auto* array = reinterpret_cast<const byname_array*>(list.raw().as_object);
  std::vector<Module> all;
  for (int64_t i = 0; i < array->size; ++i) all.emplace_back(AnyView(array->data[i]).copy());
  return all;
}

// Frees what removals left behind and unmaps unloaded modules that nothing holds any more; returns how many.
inline size_t collect() noexcept { return byname_collect(); }

}  // namespace byname

#endif  // BYNAME_MODULE_H_
