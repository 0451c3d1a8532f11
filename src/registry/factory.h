// Factories: prefixes below which every name makes objects of one type, and making them from configurations.
#ifndef BYNAME_REGISTRY_FACTORY_H_
#define BYNAME_REGISTRY_FACTORY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

struct byname_module;

namespace byname::core {

// A factory that a block declares: names below `prefix` make objects of the type.
struct Factory {
  std::string prefix;
  int32_t type_index;
  const char* file;  // static in the module
  int32_t line;
};

// Throws ValueError if another module than `module` and `replaced` has declared one for the type. Under the loader's
// lock, as what follows.
void check_factory(const Factory& factory, const byname_module* module, const byname_module* replaced);
void add_factories(const std::vector<Factory>& factories, const byname_module* module);
void remove_factories(const byname_module* module);

// The prefix of a type's factory; empty if it has none. Any thread.
std::string factory_of(int32_t type_index);

// Makes what a configuration says: a Map with "type", a name below the prefix, and the creator's arguments by their
// names. A Map where the creator takes an object of a type that has a factory is a configuration in turn; so are those
// in lists and Maps. Throws ValueError that tells everything that is wrong with it, each with its place
// ("$.layers[2]"). *out is owned.
void create(std::string_view prefix, const byname_any& config, byname_any* out);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_FACTORY_H_
