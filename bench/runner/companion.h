// Finds the shared objects that are built beside the one that asks: callees and plugins.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace bench {

// The path of `name` in the directory of the object that contains `address`.
inline std::string companion_path(const void* address, const char* name) {
  Dl_info info;
  if (!dladdr(address, &info)) throw std::runtime_error("could not tell where this object was loaded from");
  std::string own = info.dli_fname;
  return own.substr(0, own.rfind('/') + 1) + name;
}

// The function `symbol` of the shared object `path`, which stays open.
template <class Signature>
Signature* open_function(const std::string& path, const char* symbol) {
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) throw std::runtime_error(dlerror());
  void* address = dlsym(object, symbol);
  if (!address) throw std::runtime_error(dlerror());
  return reinterpret_cast<Signature*>(address);
}

// A check of a bench's own work; a loop that computes something else is worth no figure.
inline void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace bench
