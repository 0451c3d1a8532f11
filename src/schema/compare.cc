#include <algorithm>
#include <string>

#include "schema/diagnostic.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {

namespace {

bool is_text_constant(const byname_type& type) {
  return type.kind == BYNAME_KIND_LAYOUT || type.kind == BYNAME_KIND_MEMORY_FORMAT;
}

// Whether values of the declared type and of the C++ type are one to a call, which converts and checks ranges.
bool agrees(const byname_type& declared, const byname_type& cpp) {
  if (cpp.kind == BYNAME_KIND_ANY) return true;
  if (cpp.kind == BYNAME_KIND_INT && declared.kind == BYNAME_KIND_SYMINT) return true;
  if (cpp.kind == BYNAME_KIND_STR && is_text_constant(declared)) return true;
  if (declared.kind != cpp.kind || declared.num_elements != cpp.num_elements) return false;
  switch (declared.kind) {
    case BYNAME_KIND_INT: {
      bool is_plain = declared.bits == 64 && declared.is_unsigned == 0;
      return is_plain || (declared.bits == cpp.bits && declared.is_unsigned == cpp.is_unsigned);
    }
    case BYNAME_KIND_FLOAT:
      return declared.bits == 64 || declared.bits == cpp.bits;
    case BYNAME_KIND_OBJECT:
      // A C++ class that is not registered yet has no key; that it gets one is checked where the block ends.
      return object_key(declared) == object_key(cpp) || (cpp.cpp_type != nullptr && object_key(cpp).empty());
    default:
      return std::ranges::equal(elements_of(declared), elements_of(cpp),
                                [](const byname_type* x, const byname_type* y) { return agrees(*x, *y); });
  }
}

bool takes_none(const byname_type& cpp) {
  return cpp.kind == BYNAME_KIND_OPTIONAL || cpp.kind == BYNAME_KIND_ANY || cpp.kind == BYNAME_KIND_NONE ||
         cpp.kind == BYNAME_KIND_POINTER || std::ranges::any_of(elements_of(cpp), [&](const byname_type* member) {
           return cpp.kind == BYNAME_KIND_UNION && takes_none(*member);
         });
}

std::string count_of(size_t count, std::string_view word) {
  return std::to_string(count) + " " + std::string(word) + (count == 1 ? "" : "s");
}

// `argument "b" (position 2)`
std::string subject(std::string_view word, std::string_view name, size_t index) {
  std::string text(word);
  if (!name.empty()) text.append(" ").append(quoted(name));
  return text + " (position " + std::to_string(index + 1) + ")";
}

std::optional<std::string> compare_arguments(const Schema& declared, const byname_signature& signature) {
  if (signature.arity < 0) return std::nullopt;
  auto arity = static_cast<size_t>(signature.arity);
  if (declared.is_vararg()) {
    return "the schema takes any number of arguments, the C++ function takes " + std::to_string(arity);
  }
  if (declared.arguments().size() != arity) {
    return "the schema has " + count_of(declared.arguments().size(), "argument") + ", the C++ function takes " +
           std::to_string(arity);
  }
  for (size_t i = 0; i < arity; ++i) {
    const Argument& argument = declared.arguments()[i];
    const byname_type& cpp = *signature.parameters[i];
    if (!agrees(*argument.type, cpp)) {
      return subject("argument", argument.name, i) + " is declared " + print_type(*argument.type) +
             ", the C++ function takes " + print_type(cpp);
    }
    if (argument.has_default && argument.default_value.type_index == BYNAME_NONE && !takes_none(cpp)) {
      return subject("argument", argument.name, i) + " is None by default, the C++ function takes " + print_type(cpp) +
             ", never None";
    }
  }
  return std::nullopt;
}

std::optional<std::string> compare_returns(const Schema& declared, const byname_type* result) {
  if (declared.is_varret() || (result != nullptr && result->kind == BYNAME_KIND_ANY)) return std::nullopt;
  std::span<const byname_type* const> results;
  if (result != nullptr) results = result->kind == BYNAME_KIND_TUPLE ? elements_of(*result) : std::span(&result, 1);
  // None alone is no result, to either side.
  if (results.size() == 1 && results[0]->kind == BYNAME_KIND_NONE) results = {};
  std::span<const Return> returns = declared.returns();
  if (returns.size() == 1 && returns[0].type->kind == BYNAME_KIND_NONE) returns = {};
  if (returns.size() != results.size()) {
    return "the schema has " + count_of(returns.size(), "return") + ", the C++ function gives " +
           std::to_string(results.size());
  }
  for (size_t i = 0; i < returns.size(); ++i) {
    if (agrees(*returns[i].type, *results[i])) continue;
    return subject("return", returns[i].name, i) + " is declared " + print_type(*returns[i].type) +
           ", the C++ function gives " + print_type(*results[i]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> compare_schema(const Schema& declared, const byname_signature& signature) {
  if (declared.is_bare()) return std::nullopt;
  std::optional<std::string> reason = compare_arguments(declared, signature);
  return reason ? reason : compare_returns(declared, signature.result);
}

}  // namespace byname::core
