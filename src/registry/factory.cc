#include "registry/factory.h"

#include <algorithm>
#include <mutex>

#include "base/fork.h"
#include "base/near.h"
#include "byname/error.h"
#include "registry/registry.h"

namespace byname::core {
namespace {

struct Factories {
  std::mutex mutex;  // guards by_type
  FactoryMap by_type;
};
Factories& factories() {
  static Factories* instance = [] {
    auto* made = new Factories();
    unlock_in_children(made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool is_made = (factories(), true);

constexpr size_t kMaxKnown = 20;  // types that a message lists

std::string key_of(int32_t type_index) { return std::string(detail::from_c(byname_type_get(type_index)->key)); }

byname_factory view(const FactoryName& name) { return {detail::to_c(name.prefix), detail::to_c(name.variant)}; }

bool is_same(const byname_factory& a, const FactoryName& b) {
  return detail::from_c(a.prefix) == b.prefix && detail::from_c(a.variant) == b.variant;
}

std::string site_of(const Factory& factory) { return std::string(factory.file) + ":" + std::to_string(factory.line); }

// Throws ValueError if the two cannot both be.
void check_pair(const Factory& old, const Factory& now) {
  if (old.type_index == now.type_index) {
    throw Error("ValueError", "type '" + key_of(now.type_index) + "' has a factory already: " + quoted(view(old.name)) +
                                  " at " + site_of(old) + ", declared again at " + site_of(now));
  }
  if (old.name == now.name) {
    throw Error("ValueError", quoted(view(old.name)) + " is the factory of type '" + key_of(old.type_index) + "' (" +
                                  site_of(old) + "), declared again for '" + key_of(now.type_index) + "' at " +
                                  site_of(now));
  }
}

// The type that an entry's name is for a factory; empty if it is none.
std::string_view type_in(const byname_factory& factory, std::string_view name) {
  std::string_view prefix = detail::from_c(factory.prefix);
  std::string_view variant = detail::from_c(factory.variant);
  std::string_view between = variant.empty() ? "." : "::";
  if (!name.starts_with(prefix) || !name.substr(prefix.size()).starts_with(between)) return {};
  name.remove_prefix(prefix.size() + between.size());
  if (!variant.empty()) {
    if (!name.ends_with(variant)) return {};
    name.remove_suffix(variant.size());
    if (!name.ends_with('.')) return {};
    name.remove_suffix(1);
  }
  return name.find('.') == std::string_view::npos && name.find("::") == std::string_view::npos ? name
                                                                                               : std::string_view();
}

}  // namespace

void check_factory(const Factory& factory, const std::vector<Factory>& own, const byname_module* replaced) {
  for (const Factory& other : own) check_pair(other, factory);
  std::lock_guard lock(factories().mutex);
  for (const auto& [type_index, other] : factories().by_type) {
    if (replaced == nullptr || other.module != replaced) check_pair(other.factory, factory);
  }
}

FactoryMap factories_with(const std::vector<Factory>& declared, const byname_module* module,
                          const byname_module* replaced) {
  std::lock_guard lock(factories().mutex);
  FactoryMap all = factories().by_type;
  if (replaced != nullptr) std::erase_if(all, [replaced](const auto& one) { return one.second.module == replaced; });
  for (const Factory& factory : declared) all[factory.type_index] = {factory, module};
  return all;
}

void set_factories(FactoryMap all) {
  std::lock_guard lock(factories().mutex);
  factories().by_type.swap(all);
}

void remove_factories(const byname_module* module) {
  std::lock_guard lock(factories().mutex);
  std::erase_if(factories().by_type, [module](const auto& one) { return one.second.module == module; });
}

FactoryName factory_of(int32_t type_index) {
  std::lock_guard lock(factories().mutex);
  auto there = factories().by_type.find(type_index);
  return there == factories().by_type.end() ? FactoryName() : there->second.factory.name;
}

int32_t base_of(const byname_factory& factory) {
  std::lock_guard lock(factories().mutex);
  for (const auto& [type_index, declared] : factories().by_type) {
    if (is_same(factory, declared.factory.name)) return type_index;
  }
  return 0;
}

std::string creator_name(const byname_factory& factory, std::string_view type) {
  const bool is_overload = factory.variant.size > 0 || type.find('.') != std::string_view::npos;
  std::string name(detail::from_c(factory.prefix));
  name.append(is_overload ? "::" : ".").append(type);
  if (factory.variant.size > 0) name.append(".").append(detail::from_c(factory.variant));
  return name;
}

byname_entry* find_creator(const byname_factory& factory, std::string_view type) {
  return byname_find_attached(detail::to_c(creator_name(factory, type)));
}

std::vector<std::string> types_of(const byname_factory& factory) {
  std::vector<std::string> types;
  Registry::instance().table().for_each([&](const Entry* entry) {
    if (entry->cell() == nullptr) return;
    if (std::string_view type = type_in(factory, entry->name()); !type.empty()) types.emplace_back(type);
  });
  std::ranges::sort(types);
  return types;
}

std::string known_types(const byname_factory& factory) {
  std::vector<std::string> types = types_of(factory);
  if (types.empty()) return "none: nothing is registered under '" + std::string(detail::from_c(factory.prefix)) + ".'";
  std::string text;
  for (size_t i = 0; i < std::min(types.size(), kMaxKnown); ++i) text += (i == 0 ? "" : ", ") + types[i];
  if (types.size() > kMaxKnown) text += " and " + std::to_string(types.size() - kMaxKnown) + " more";
  return text;
}

std::string unknown_type(const byname_factory& factory, std::string_view type) {
  std::string hint = near_hint(type, types_of(factory));
  if (hint.empty()) {
    hint = " (";
  } else {
    hint.back() = ' ';
  }
  return "unknown type '" + std::string(type) + "'" + hint + "known: " + known_types(factory) + ")";
}

std::string quoted(const byname_factory& factory) {
  std::string text = "'" + std::string(detail::from_c(factory.prefix));
  if (factory.variant.size > 0) text.append("::*.").append(detail::from_c(factory.variant));
  return text + "'";
}

}  // namespace byname::core
