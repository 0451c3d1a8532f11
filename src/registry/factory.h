// Factories: below a prefix every name makes objects of one type. Factories that share a prefix, as those of a class
// template's instances, have variants: then it is each name's overload of the variant's name.
#ifndef BYNAME_REGISTRY_FACTORY_H_
#define BYNAME_REGISTRY_FACTORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

struct byname_module;

namespace byname::core {

// Which names make the objects: `prefix.Type`, or `prefix::Type.variant` of a variant.
struct FactoryName {
  std::string prefix;
  std::string variant;
  friend bool operator==(const FactoryName&, const FactoryName&) = default;
};

// A factory that a block declares.
struct Factory {
  FactoryName name;
  int32_t type_index;
  const char* file;  // static in the module
  int32_t line;
};

struct DeclaredFactory {
  Factory factory;
  const byname_module* module;
};
using FactoryMap = std::map<int32_t, DeclaredFactory>;  // by type

// Throws ValueError if the type has a factory, or the name makes objects of another type: of those that the block has
// declared, and of those of other modules than `replaced`. Under the loader's lock, as what follows.
void check_factory(const Factory& factory, const std::vector<Factory>& own, const byname_module* replaced);
// All factories as they will be with those of a module, instead of those of `replaced`; for set_factories, which cannot
// fail. Nothing may come between.
FactoryMap factories_with(const std::vector<Factory>& declared, const byname_module* module,
                          const byname_module* replaced);
void set_factories(FactoryMap factories);
void remove_factories(const byname_module* module);

// The name of a type's factory; with an empty prefix if it has none. Any thread, as what follows.
FactoryName factory_of(int32_t type_index);
// The type that is declared for a factory; 0 if none is.
int32_t base_of(const byname_factory& factory);

// The full name of the function that makes those of `type`, a name below the prefix ("Convolution"; of an overload
// without a variant "Convolution.small"), and its entry; NULL if there is none.
std::string creator_name(const byname_factory& factory, std::string_view type);
byname_entry* find_creator(const byname_factory& factory, std::string_view type);
// The names of all types, sorted.
std::vector<std::string> types_of(const byname_factory& factory);
// "unknown type 'Convolutoin' (did you mean 'Convolution'? known: Convolution, Pooling)".
std::string unknown_type(const byname_factory& factory, std::string_view type);
// "Convolution, Pooling"; of many the first.
std::string known_types(const byname_factory& factory);
// "'caffe.layer'", "'caffe.layer::*.float32'".
std::string quoted(const byname_factory& factory);

// Makes what a configuration says (creation.cc): a Map with "type" and the creator's arguments by their names. A Map
// where the creator takes an object of a type that has a factory is a configuration in turn; so are those in lists and
// Maps. Throws ValueError that tells everything that is wrong with it, each with its place ("$.layers[2]"). *out is
// owned.
void create(const byname_factory& factory, const byname_any& config, byname_any* out);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_FACTORY_H_
