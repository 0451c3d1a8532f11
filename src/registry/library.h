// The batch of a registration block that runs.
#ifndef BYNAME_REGISTRY_LIBRARY_H_
#define BYNAME_REGISTRY_LIBRARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "registry/factory.h"
#include "registry/module.h"

struct byname_library {
  std::string prefix;
  byname_module* module;  // NULL: the executable's
  byname::core::Batch pending;
  std::vector<byname_module::OnUnload> on_unload;
  std::vector<byname::core::Claim> claims;
  std::vector<byname::core::Factory> factories;
  const byname_module* replaced = nullptr;  // whose place the module takes
  byname_dso* class_dso = nullptr;          // whose function class `owner` is
  byname_class* owner = nullptr;
};

namespace byname::core {

// Into the batch. They throw ValueError, which names the function and its site. Contexts are taken over in any case.
void define(byname_library& library, byname_definition definition);
// Below the prefix of a type's factory, whichever the block's is. Throws ValueError, too, if the type has none.
void define_product(byname_library& library, int32_t base, byname_definition definition);
void declare_factory(byname_library& library, const byname_factory& name, int32_t base, const char* file, int32_t line);
void define_alias(byname_library& library, std::string_view name, std::string_view target, std::string_view since,
                  const char* file, int line);

// The shared object that a definition names, or that its callback lies in; NULL for none that may go.
byname_dso* dso_of(const byname_definition& definition);
// Makes the function of a definition under its full name, for registration by itself.
Pending pending_of(byname_definition definition);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_LIBRARY_H_
