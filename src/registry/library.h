// The batch of a registration block that runs.
#ifndef BYNAME_REGISTRY_LIBRARY_H_
#define BYNAME_REGISTRY_LIBRARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "registry/module.h"

struct byname_library {
  std::string prefix;
  byname_module* module;  // NULL: the executable's
  byname::core::Batch pending;
  std::vector<byname_module::OnUnload> on_unload;
  std::vector<byname::core::Claim> claims;
  byname_dso* class_dso = nullptr;  // whose function class `owner` is
  byname_class* owner = nullptr;
};

namespace byname::core {

// Into the batch. They throw ValueError, which names the function and its site. Contexts are taken over in any case.
void define(byname_library& library, byname_definition definition);
void define_alias(byname_library& library, std::string_view name, std::string_view target, std::string_view since,
                  const char* file, int line);

// Makes the function of a definition under its full name, for registration by itself.
Pending pending_of(byname_definition definition);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_LIBRARY_H_
