// The types of the schema language: the ones without parts are shared and static; comparison and printing.
#ifndef BYNAME_SCHEMA_TYPE_H_
#define BYNAME_SCHEMA_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "byname/c_types.h"

namespace byname::core {

// The most levels a type may have: `int` has one, `int[]?` three.
inline constexpr int kMaxTypeDepth = 32;

// A type that has no parts and no key, and the word for it.
struct NamedType {
  std::string_view name;
  byname_type type;
};
// All of them, static.
std::span<const NamedType> named_types();
// By its word; nullptr if there is none such.
const byname_type* find_named_type(std::string_view name);
// The static node that says all that `type` says, or nullptr: then it has parts, a key, an alias or a C++ detail.
const byname_type* find_shared_type(const byname_type& type);

// A type without parts.
constexpr byname_type leaf_type(uint8_t kind, uint8_t bits = 0, bool is_unsigned = false) {
  byname_type type{};
  type.kind = kind;
  type.bits = bits;
  type.is_unsigned = is_unsigned ? 1 : 0;
  type.fixed_size = -1;
  return type;
}

// A type made of others, which must live as long.
constexpr byname_type compound_type(uint8_t kind, std::span<const byname_type* const> elements,
                                    int32_t fixed_size = -1) {
  byname_type type = leaf_type(kind);
  type.num_elements = static_cast<int32_t>(elements.size());
  type.elements = elements.data();
  type.fixed_size = fixed_size;
  return type;
}

constexpr std::span<const byname_type* const> elements_of(const byname_type& type) {
  return {type.elements, static_cast<size_t>(type.num_elements)};
}

// The key of an object type. A C++ class that lives boxed has one once it is registered; empty before, and for
// `Object`.
std::string_view object_key(const byname_type& type);

// Whether values of the type can be keys of a Dict: not lists, dicts, and what holds them.
bool is_hashable_type(const byname_type& type);

// Whether two types are one in the schema language. What only C++ knows (tensor specs, flags) does not count.
bool is_same_type(const byname_type& a, const byname_type& b);
// The same, list sizes and aliases aside.
bool is_same_real_type(const byname_type& a, const byname_type& b);

// Canonical text; for every type that a schema can say, it parses to the same type again.
std::string print_type(const byname_type& type);
void print_type(const byname_type& type, std::string& out);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_TYPE_H_
