#include "registry/library.h"

#include <algorithm>
#include <atomic>

#include "byname/protect.h"
#include "function/binding.h"
#include "function/resolve.h"
#include "value/warning.h"

namespace byname::core {
namespace {

// For messages about a definition that may be no good.
std::string_view name_part(const byname_definition& definition) {
  std::string_view text = detail::from_c(definition.text);
  text = text.substr(0, text.find('('));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// A schema's name is without the blanks that it may be written with; a name alone is any bytes.
NameParts parts_of(const byname_definition& definition, const byname_function* function, NameForm form) {
  std::string_view text = detail::from_c(definition.text);
  return text.find('(') != std::string_view::npos ? function->details->schema->name_parts() : split_name(text, form);
}

std::string in_space(std::string_view space, std::string_view name) {
  return std::string(space).append(space.empty() ? "" : ".").append(name);
}

// An error of a definition says whose it is.
[[noreturn]] void rethrow_with_site(const Error& error, std::string_view space, std::string_view name, const char* file,
                                    int line) {
  std::string text = "cannot register '" + in_space(space, name) + "'";
  if (file != nullptr) text.append(" (").append(file).append(":").append(std::to_string(line)).append(")");
  throw Error(error.kind(), text.append(": ").append(error.message()));
}

struct Alias {
  const Entry* target;
  std::string since;
  std::atomic<bool> warned = false;
};

// What a target is an alias of in turn; NULL if it is none.
const Entry* next_target(const Entry* target) {
  if (target == nullptr) return nullptr;
  detail::Protected protector(&target->shared);
  byname_function* cell = protector.cell();
  if (cell == nullptr || (cell->flags & BYNAME_ALIAS) == 0) return nullptr;
  return static_cast<Alias*>(byname_function_closure(cell))->target;
}

// Whether a chain of aliases comes back to itself: a call would never end. Who goes twice as fast is caught up with
// then.
bool is_endless(const Entry* target) {
  const Entry* fast = next_target(target);
  for (const Entry* slow = target; fast != nullptr && slow != nullptr; slow = next_target(slow)) {
    if (fast == slow) return true;
    fast = next_target(next_target(fast));
  }
  return false;
}

byname_entry* target_of_alias(byname_function* function) {
  auto* alias = static_cast<Alias*>(byname_function_closure(function));
  if (!alias->warned.exchange(true)) {
    std::string text = "'" + std::string(name_of(function)) + "' is deprecated";
    if (!alias->since.empty()) text += " since " + alias->since;
    text += " (use '" + std::string(alias->target->name()) + "')";
    warn("DeprecationWarning", text);
  }
  if (is_endless(alias->target)) {
    throw Error("RuntimeError", "'" + std::string(name_of(function)) + "' is an alias of '" +
                                    std::string(alias->target->name()) + "', and so on without end");
  }
  if (alias->target->cell() != nullptr) return const_cast<byname_entry*>(&alias->target->shared);
  throw Error("NotFound", "'" + std::string(name_of(function)) + "' is an alias of '" +
                              std::string(alias->target->name()) + "', which is not registered");
}

int call_alias(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  return byname_call(target_of_alias(static_cast<byname_function*>(self)), arguments, num_arguments, result);
}

int call_alias_named(byname_function* function, const CallShape& shape, byname_any* result) {
  std::vector<byname_any> arguments(shape.positional.begin(), shape.positional.end());
  arguments.insert(arguments.end(), shape.named.begin(), shape.named.end());
  return byname_call_named(target_of_alias(function), arguments.data(), static_cast<int32_t>(arguments.size()),
                           shape.names.data(), static_cast<int32_t>(shape.names.size()), result);
}

}  // namespace

byname_dso* dso_of(const byname_definition& definition) {
  if (definition.dso != nullptr) return definition.dso;
  byname_module* module = module_at(reinterpret_cast<const void*>(definition.callback)).value_or(nullptr);
  return module == nullptr ? nullptr : &module->dso;
}

namespace {

void define_in(byname_library& library, const std::string& space, byname_definition& definition) {
  const bool is_local = (definition.flags & BYNAME_LOCAL) != 0;
  definition.flags &= ~static_cast<uint32_t>(BYNAME_LOCAL);
  try {
    if (is_local && library.module == nullptr) throw Error("ValueError", "only a module's names can be local");
    byname_dso* dso = dso_of(definition);
    if (library.owner == nullptr || library.class_dso != dso) {
      library.owner = function_class(dso);
      library.class_dso = dso;
    }
    FunctionRef function = make_function(definition, NameForm::kBlock, library.owner);
    NameParts parts = parts_of(definition, function.get(), NameForm::kBlock);
    if (!parts.space.empty() && parts.space != space) {
      throw Error("ValueError",
                  "the name is in the namespace '" + std::string(parts.space) + "', its block in '" + space + "'");
    }
    NameTable* own = is_local ? &own_names_of(*library.module) : nullptr;
    library.pending.push_back(Registry::instance().make_pending(space, parts, std::move(function), own));
  } catch (const Error& error) {
    rethrow_with_site(error, space, name_part(definition), definition.file, definition.line);
  }
}

}  // namespace

void define(byname_library& library, byname_definition definition) {
  ContextGuard guard(definition);
  std::string space = library.prefix;
  if (definition.scope.size > 0) space = in_space(space, detail::from_c(definition.scope));
  define_in(library, space, definition);
}

void define_product(byname_library& library, int32_t base, byname_definition definition) {
  ContextGuard guard(definition);
  auto own = std::ranges::find(library.factories, base, &Factory::type_index);
  FactoryName factory = own != library.factories.end() ? own->name : factory_of(base);
  if (factory.prefix.empty()) {
    const byname_type_info* type = byname_type_get(base);
    std::string key(type == nullptr ? std::string_view("?") : detail::from_c(type->key));
    throw Error("ValueError", "'" + std::string(name_part(definition)) + "' (" + definition.file + ":" +
                                  std::to_string(definition.line) + ") is a product of '" + key +
                                  "', which has no factory (lib.factory<T>(\"name\") declares it)");
  }
  std::string text(detail::from_c(definition.text));
  if (!factory.variant.empty()) {
    text.insert(name_part(definition).size(), "." + factory.variant);
    definition.text = detail::to_c(text);
    definition.flags |= BYNAME_VARIANT;
  }
  define_in(library, factory.prefix, definition);
}

void declare_factory(byname_library& library, const byname_factory& name, int32_t base, const char* file,
                     int32_t line) {
  std::string_view prefix = detail::from_c(name.prefix);
  std::string_view variant = detail::from_c(name.variant);
  auto check = [&](std::string_view what, std::string_view text, bool is_good) {
    if (is_good && text.find_first_of(std::string_view(".:( \0", 5)) == std::string_view::npos) return;
    throw Error("ValueError", "expected a name without dots or colons for the " + std::string(what) + " at " + file +
                                  ":" + std::to_string(line) + ", got '" + std::string(text) + "'");
  };
  check("factory", prefix, !prefix.empty());
  check("variant", variant, true);
  Factory factory{{in_space(library.prefix, prefix), std::string(variant)}, base, file, line};
  check_factory(factory, library.factories, library.replaced);
  library.factories.push_back(std::move(factory));
}

void define_alias(byname_library& library, std::string_view name, std::string_view target, std::string_view since,
                  const char* file, int line) {
  try {
    NameParts parts = split_name(name, NameForm::kBlock);
    if (!parts.overload.empty()) throw Error("ValueError", "an alias is none of several overloads");
    bool is_full = target.find('.') != std::string_view::npos || target.find("::") != std::string_view::npos;
    std::string full = is_full ? std::string(target) : in_space(library.prefix, target);
    Entry* entry = Registry::instance().entry(full);
    Alias alias{entry, std::string(since)};
    byname_definition definition{};
    definition.file = file;
    definition.line = line;
    definition.closure_size = sizeof(Alias);
    definition.closure = &alias;
    definition.closure_move = [](void* to, void* from) {
      auto* old = static_cast<Alias*>(from);
      ::new (to) Alias{old->target, std::move(old->since)};
    };
    definition.closure_destroy = [](void* closure) { static_cast<Alias*>(closure)->~Alias(); };
    byname_class* owner = function_class(library.module == nullptr ? nullptr : &library.module->dso);
    FunctionRef function = make_core_function({&call_alias, &call_alias_named}, BYNAME_ALIAS, definition, owner);
    library.pending.push_back(Registry::instance().make_pending(library.prefix, parts, std::move(function)));
  } catch (const Error& error) {
    rethrow_with_site(error, library.prefix, name, file, line);
  }
}

Pending pending_of(byname_definition definition) {
  ContextGuard guard(definition);
  try {
    if ((definition.flags & BYNAME_LOCAL) != 0)
      throw Error("ValueError", "only names that a block defines can be local");
    FunctionRef function = make_function(definition, NameForm::kFull, function_class(dso_of(definition)));
    NameParts parts = parts_of(definition, function.get(), NameForm::kFull);
    if (!parts.overload.empty() && base_of({detail::to_c(parts.space), detail::to_c(parts.overload)}) != 0) {
      function->flags |= BYNAME_VARIANT;
    }
    resolve_classes(function.get(), name_part(definition));
    return Registry::instance().make_pending(parts.space, parts, std::move(function));
  } catch (const Error& error) {
    rethrow_with_site(error, "", name_part(definition), definition.file, definition.line);
  }
}

}  // namespace byname::core
