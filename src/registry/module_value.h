// Modules as values: what C, C++ and Python have of a module.
#ifndef BYNAME_REGISTRY_MODULE_VALUE_H_
#define BYNAME_REGISTRY_MODULE_VALUE_H_

#include "registry/module.h"

namespace byname::core {

// The value that stands for a module, owned. There is one as long as somebody has it.
byname_any module_value(const ModuleRef& module);
// What a value stands for: another module after a reload.
ModuleRef module_in(const byname_object* value);
// From now on what stood for the one module stands for the other, which has not been listed yet: nobody has a value of
// it.
void hand_over_value(byname_module& old, byname_module& now);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_MODULE_VALUE_H_
