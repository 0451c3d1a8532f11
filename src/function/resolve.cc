#include "function/resolve.h"

#include <mutex>
#include <typeinfo>

#include "base/demangle.h"
#include "base/fork.h"
#include "schema/type.h"

namespace byname::core {
namespace {

constinit std::mutex keys_mutex;  // guards the keys of boxed classes until a function with them is registered
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(keys_mutex), true);

bool has_key(const byname_type& type) {
  std::lock_guard lock(keys_mutex);
  return type.key.size > 0;
}

void resolve(const byname_type* type, std::string_view function) {
  if (type == nullptr) return;
  for (const byname_type* element : elements_of(*type)) resolve(element, function);
  if (type->cpp_type == nullptr || has_key(*type)) return;
  const auto& cpp_type = *static_cast<const std::type_info*>(type->cpp_type);
  int32_t index = byname_box_find(&cpp_type);
  if (index == 0) {
    throw Error("TypeError", "'" + std::string(function) + "' takes or gives the C++ class '" + demangled(cpp_type) +
                                 "', which is not registered (lib.type<T>(\"name\", \"documentation\") before it, or "
                                 "load the module that does)");
  }
  std::lock_guard lock(keys_mutex);
  // Nodes of boxed classes are the only ones that are not constant. Another thread may write the same.
  const_cast<byname_type*>(type)->key = byname_type_get(index)->key;
}

}  // namespace

void resolve_classes(const byname_function* function, std::string_view name) {
  const byname_signature* signature = function->signature;
  if (signature == nullptr) return;
  for (int32_t i = 0; i < signature->arity; ++i) resolve(signature->parameters[i], name);
  resolve(signature->result, name);
}

}  // namespace byname::core
