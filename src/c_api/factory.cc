// Factories behind the C interface.
#include "registry/factory.h"

#include "registry/attach.h"
#include "registry/not_found.h"
#include "registry/registry.h"
#include "value/error.h"
#include "value/value.h"

using namespace byname;
using detail::from_c;

int byname_factory_of(int32_t base, byname_any* prefix, byname_any* variant) {
  return core::guarded([&] {
    core::attach_waiting();
    core::FactoryName name = core::factory_of(base);
    if (name.prefix.empty()) {
      const byname_type_info* type = byname_type_get(base);
      throw Error("NotFound", "type '" + (type == nullptr ? std::to_string(base) : std::string(from_c(type->key))) +
                                  "' has no factory (is the library that declares it loaded?)");
    }
    core::OwnedAny text;
    detail::check(byname_string_new(detail::to_c(name.prefix), &text.value));
    detail::check(byname_string_new(detail::to_c(name.variant), variant));
    *prefix = text.take();
    return 0;
  });
}

int32_t byname_factory_base(byname_factory factory) {
  int32_t base = 0;
  core::guarded([&] {
    core::attach_waiting();
    base = core::base_of(factory);
    return 0;
  });
  return base;
}

int byname_factory_types(byname_factory factory, byname_any* out) {
  return core::guarded([&] {
    core::attach_waiting();
    return core::make_texts(core::types_of(factory), out);
  });
}

byname_entry* byname_factory_get(byname_factory factory, byname_str type) {
  byname_entry* entry = nullptr;
  core::guarded([&] {
    core::attach_waiting();
    entry = core::find_creator(factory, from_c(type));
    if (entry != nullptr) return 0;
    if (core::types_of(factory).empty()) {
      core::throw_not_found(core::Registry::instance().table(), core::creator_name(factory, from_c(type)));
    }
    throw Error("NotFound", core::quoted(factory) + ": " + core::unknown_type(factory, from_c(type)));
  });
  return entry;
}

byname_entry* byname_factory_find_attached(byname_factory factory, byname_str type) {
  byname_entry* entry = nullptr;
  core::guarded([&] {
    entry = core::find_creator(factory, from_c(type));
    return 0;
  });
  return entry;
}

int byname_factory_create(byname_factory factory, const byname_any* config, byname_any* out) {
  return core::guarded([&] {
    core::create(factory, *config, out);
    return 0;
  });
}
