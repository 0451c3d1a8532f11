#include "schema/type.h"

#include <algorithm>
#include <functional>

#include "byname/c_api.h"
#include "schema/alias.h"

namespace byname::core {

namespace {

// The words that are looked up most often come first.
constexpr NamedType kNamedTypes[] = {
    {"Tensor", leaf_type(BYNAME_KIND_TENSOR)},
    {"int", leaf_type(BYNAME_KIND_INT, 64)},
    {"float", leaf_type(BYNAME_KIND_FLOAT, 64)},
    {"bool", leaf_type(BYNAME_KIND_BOOL)},
    {"str", leaf_type(BYNAME_KIND_STR)},
    {"bytes", leaf_type(BYNAME_KIND_BYTES)},
    {"Scalar", leaf_type(BYNAME_KIND_SCALAR)},
    {"None", leaf_type(BYNAME_KIND_NONE)},
    {"Any", leaf_type(BYNAME_KIND_ANY)},
    {"Function", leaf_type(BYNAME_KIND_FUNCTION)},
    {"Object", leaf_type(BYNAME_KIND_OBJECT)},
    {"Shape", leaf_type(BYNAME_KIND_SHAPE)},
    {"SymInt", leaf_type(BYNAME_KIND_SYMINT)},
    {"Device", leaf_type(BYNAME_KIND_DEVICE)},
    {"ScalarType", leaf_type(BYNAME_KIND_DTYPE)},
    {"complex", leaf_type(BYNAME_KIND_COMPLEX)},
    {"int8", leaf_type(BYNAME_KIND_INT, 8)},
    {"int16", leaf_type(BYNAME_KIND_INT, 16)},
    {"int32", leaf_type(BYNAME_KIND_INT, 32)},
    {"uint8", leaf_type(BYNAME_KIND_INT, 8, true)},
    {"uint16", leaf_type(BYNAME_KIND_INT, 16, true)},
    {"uint32", leaf_type(BYNAME_KIND_INT, 32, true)},
    {"uint64", leaf_type(BYNAME_KIND_INT, 64, true)},
    {"float32", leaf_type(BYNAME_KIND_FLOAT, 32)},
    {"Chain", leaf_type(BYNAME_KIND_CHAIN)},
    {"Layout", leaf_type(BYNAME_KIND_LAYOUT)},
    {"MemoryFormat", leaf_type(BYNAME_KIND_MEMORY_FORMAT)},
    {"Generator", leaf_type(BYNAME_KIND_GENERATOR)},
    {"Pointer", leaf_type(BYNAME_KIND_POINTER)},
    // Second words for the same types come last, so that the first ones are printed.
    {"int64", leaf_type(BYNAME_KIND_INT, 64)},
    {"float64", leaf_type(BYNAME_KIND_FLOAT, 64)},
};
constexpr size_t kNumSecondWords = 2;

bool is_in_table(const byname_type* type) {
  std::less<const void*> before;
  return !before(type, std::begin(kNamedTypes)) && before(type, std::end(kNamedTypes));
}

const NamedType* find_leaf(const byname_type& type) {
  for (const NamedType& named : kNamedTypes) {
    if (named.type.kind == type.kind && named.type.bits == type.bits && named.type.is_unsigned == type.is_unsigned) {
      return &named;
    }
  }
  return nullptr;
}

bool is_same(const byname_type& a, const byname_type& b, bool with_annotations) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.bits != b.bits || a.is_unsigned != b.is_unsigned || a.num_elements != b.num_elements) {
    return false;
  }
  if (a.kind == BYNAME_KIND_OBJECT && object_key(a) != object_key(b)) return false;
  if (with_annotations) {
    if (a.fixed_size != b.fixed_size || (a.alias == nullptr) != (b.alias == nullptr)) return false;
    if (a.alias != nullptr && !(*a.alias == *b.alias)) return false;
  }
  auto same_element = [&](const byname_type* x, const byname_type* y) { return is_same(*x, *y, with_annotations); };
  return std::ranges::equal(elements_of(a), elements_of(b), same_element);
}

bool is_subset(std::span<const std::string_view> part, std::span<const std::string_view> whole) {
  return std::ranges::all_of(part, [&](std::string_view name) { return std::ranges::count(whole, name) > 0; });
}

}  // namespace

bool operator==(const AliasSets& a, const AliasSets& b) {
  return a.is_wildcard == b.is_wildcard && is_subset(a.names, b.names) && is_subset(b.names, a.names);
}

std::span<const NamedType> named_types() { return kNamedTypes; }

const byname_type* find_named_type(std::string_view name) {
  for (const NamedType& named : kNamedTypes) {
    if (named.name == name) {
      if (&named >= std::end(kNamedTypes) - kNumSecondWords) return &find_leaf(named.type)->type;
      return &named.type;
    }
  }
  return nullptr;
}

const byname_type* find_shared_type(const byname_type& type) {
  if (is_in_table(&type)) return &type;
  bool has_more = type.cpp_type != nullptr || type.key.size > 0 || type.num_elements > 0 || type.flags != 0 ||
                  type.alias != nullptr || type.tensor != nullptr;
  if (has_more) return nullptr;
  const NamedType* named = find_leaf(type);
  return named == nullptr ? nullptr : &named->type;
}

std::string_view object_key(const byname_type& type) {
  if (type.cpp_type == nullptr) return {type.key.data, type.key.size};
  // Another thread may just write such a node's own key.
  int32_t index = byname_box_find(type.cpp_type);
  if (index == 0) return {};
  byname_str key = byname_type_get(index)->key;
  return {key.data, key.size};
}

bool is_hashable_type(const byname_type& type) {
  switch (type.kind) {
    case BYNAME_KIND_LIST:
    case BYNAME_KIND_DICT:
    case BYNAME_KIND_FUTURE:
    case BYNAME_KIND_CHAIN:
    case BYNAME_KIND_GENERATOR:
      return false;
    default:
      return std::ranges::all_of(elements_of(type), [](const byname_type* part) { return is_hashable_type(*part); });
  }
}

bool is_same_type(const byname_type& a, const byname_type& b) { return is_same(a, b, true); }

bool is_same_real_type(const byname_type& a, const byname_type& b) { return is_same(a, b, false); }

namespace {

void print_sets(const AliasSets& sets, std::string& out) {
  if (sets.is_wildcard) out += '*';
  bool is_first = !sets.is_wildcard;
  for (std::string_view name : sets.names) {
    if (!is_first) out += '|';
    is_first = false;
    out += name;
  }
}

void print_alias(const byname_alias* alias, std::string& out) {
  if (alias == nullptr) return;
  if (alias->before.empty()) {
    out += '!';
    return;
  }
  out += '(';
  print_sets(alias->before, out);
  if (alias->is_write) out += '!';
  if (!(alias->after == alias->before)) {
    out += " -> ";
    print_sets(alias->after, out);
  }
  out += ')';
}

void print_elements(std::string_view word, const byname_type& type, std::string& out) {
  out.append(word).append(1, '(');
  for (int32_t i = 0; i < type.num_elements; ++i) {
    if (i > 0) out += ", ";
    print_type(*type.elements[i], out);
  }
  out += ')';
}

}  // namespace

void print_type(const byname_type& type, std::string& out) {
  switch (type.kind) {
    case BYNAME_KIND_OPTIONAL:
      print_type(*type.elements[0], out);
      out += '?';
      return;
    case BYNAME_KIND_LIST:
      print_type(*type.elements[0], out);
      out += '[';
      if (type.fixed_size >= 0) out += std::to_string(type.fixed_size);
      out += ']';
      break;
    case BYNAME_KIND_DICT:
      print_elements("Dict", type, out);
      break;
    case BYNAME_KIND_UNION:
      print_elements("Union", type, out);
      break;
    case BYNAME_KIND_TUPLE:
      print_elements("", type, out);
      return;
    case BYNAME_KIND_FUTURE:
      print_elements("Future", type, out);
      return;
    default:
      if (type.kind == BYNAME_KIND_OBJECT && !object_key(type).empty()) {
        out += object_key(type);
      } else {
        const NamedType* named = find_leaf(type);
        out += named == nullptr ? "?" : named->name;
      }
  }
  print_alias(type.alias, out);
}

std::string print_type(const byname_type& type) {
  std::string text;
  print_type(type, text);
  return text;
}

}  // namespace byname::core
