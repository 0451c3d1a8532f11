#include <charconv>
#include <string>

#include "byname/error.h"
#include "schema/default_value.h"
#include "schema/diagnostic.h"
#include "schema/draft.h"
#include "schema/type.h"

namespace byname::core {

namespace {

[[noreturn]] void fail(std::string_view name, const std::string& what) {
  throw Error("ValueError", quoted(name) + ": " + what);
}

void check_depth(const byname_type& type, int level, std::string_view name) {
  if (level > kMaxTypeDepth) {
    fail(name, "a type is nested too deeply: at most " + std::to_string(kMaxTypeDepth) + " levels");
  }
  for (const byname_type* element : elements_of(type)) check_depth(*element, level + 1, name);
}

// "_0", "_1", ...
std::string_view numbered_name(SchemaDraft& draft, size_t number) {
  constexpr size_t kSize = 8;
  char* name = draft.make<char>(kSize);
  name[0] = '_';
  char* end = std::to_chars(name + 1, name + kSize, number).ptr;
  return {name, static_cast<size_t>(end - name)};
}

void append_named(SchemaDraft& draft, const byname_parameter& parameter, const byname_type& type,
                  std::string_view function) {
  Argument argument{};
  argument.name = detail::from_c(parameter.name);
  argument.type = &type;
  argument.keyword_only = parameter.keyword_only != 0;
  argument.has_default = parameter.has_default != 0;
  if (!is_identifier(argument.name)) fail(function, "parameter name " + quoted(argument.name) + " is no identifier");
  OwnedValue made;
  if (argument.has_default) {
    std::string reason = make_default(type, parameter.default_value, &made.value);
    if (!reason.empty()) {
      fail(function, "the default of " + quoted(argument.name) + " (position " +
                         std::to_string(draft.arguments.size() + 1) + ") " + reason);
    }
    argument.default_value = made.value;
  }
  std::string reason = draft.append(argument);
  if (!reason.empty()) fail(function, reason);
  made.value = {};
}

void append_arguments(SchemaDraft& draft, const byname_signature& signature,
                      std::span<const byname_parameter> parameters, std::string_view function) {
  size_t arity = signature.arity < 0 ? 0 : static_cast<size_t>(signature.arity);
  draft.is_vararg = signature.arity < 0;
  if (!parameters.empty() && parameters.size() != arity) {
    fail(function, "expected names for " + (draft.is_vararg ? "no parameter" : std::to_string(arity) + " parameters") +
                       " of the C++ function, got " + std::to_string(parameters.size()));
  }
  for (size_t i = 0; i < arity; ++i) {
    const byname_type& type = *signature.parameters[i];
    check_depth(type, 1, function);
    if (!parameters.empty()) {
      append_named(draft, parameters[i], type, function);
      continue;
    }
    Argument argument{};
    argument.name = numbered_name(draft, i);
    argument.type = &type;
    std::string reason = draft.append(argument);
    if (!reason.empty()) fail(function, reason);
  }
}

void draft_schema(SchemaDraft& draft, const byname_signature& signature, std::span<const byname_parameter> parameters,
                  std::string_view name, NameForm form) {
  if (name.size() > kMaxText) fail(name, "the name is longer than " + std::to_string(kMaxText) + " bytes");
  draft.name = split_name(name, form);
  append_arguments(draft, signature, parameters, name);
  if (signature.result == nullptr) return;
  const byname_type* result = signature.result;
  check_depth(*result, 1, name);
  bool is_tuple = result->kind == BYNAME_KIND_TUPLE;
  std::span<const byname_type* const> results = is_tuple ? elements_of(*result) : std::span(&result, 1);
  for (const byname_type* type : results) {
    std::string reason = draft.append(Return{{}, type});
    if (!reason.empty()) fail(name, reason);
  }
}

}  // namespace

Schema infer_schema(const byname_signature& signature, std::span<const byname_parameter> parameters,
                    std::string_view name, NameForm form) {
  SchemaDraft draft;
  draft_schema(draft, signature, parameters, name, form);
  return draft.finish(false);
}

void check_inferred_schema(const byname_signature& signature, std::span<const byname_parameter> parameters,
                           std::string_view name, NameForm form) {
  SchemaDraft draft;
  draft_schema(draft, signature, parameters, name, form);
}

}  // namespace byname::core
