#include "schema/default_value.h"

#include <vector>

#include "byname/error.h"
#include "schema/diagnostic.h"
#include "schema/type.h"

namespace byname::core {

namespace {

// Only what is written exactly as the member's type, so that what is printed means the same member again.
bool is_exactly(const byname_type& type, const byname_any& value) {
  byname_str text{};
  bool is_int = value.type_index == BYNAME_INT || value.type_index == BYNAME_UINT;
  switch (type.kind) {
    case BYNAME_KIND_NONE:
      return value.type_index == BYNAME_NONE;
    case BYNAME_KIND_OPTIONAL:
      return value.type_index == BYNAME_NONE || is_exactly(*type.elements[0], value);
    case BYNAME_KIND_BOOL:
      return value.type_index == BYNAME_BOOL;
    case BYNAME_KIND_INT:
    case BYNAME_KIND_SYMINT:
      return is_int;
    case BYNAME_KIND_FLOAT:
      return value.type_index == BYNAME_FLOAT;
    case BYNAME_KIND_COMPLEX:
      return value.type_index == BYNAME_COMPLEX;
    case BYNAME_KIND_SCALAR:
      return is_int || value.type_index == BYNAME_BOOL || value.type_index == BYNAME_FLOAT ||
             value.type_index == BYNAME_COMPLEX;
    case BYNAME_KIND_STR:
      return byname_any_text(&value, &text) != 0;
    default:
      return false;
  }
}

std::string make_union(const byname_type& type, const byname_any& value, byname_any* out) {
  std::string reason = expects(type, value);
  for (const byname_type* member : elements_of(type)) {
    if (!is_exactly(*member, value)) continue;
    reason = make_default(*member, value, out);
    if (reason.empty()) break;
  }
  return reason;
}

std::string make_from_list(const byname_type& type, const byname_any& value, byname_any* out) {
  const byname_type* element = list_element(type);
  if (element == nullptr) return why_no_default(type);
  const auto& list = *reinterpret_cast<const byname_array*>(value.as_object);
  auto size = static_cast<size_t>(list.size);
  std::vector<OwnedValue> owners(size);
  std::vector<byname_any> elements(size);
  for (size_t i = 0; i < size; ++i) {
    std::string reason = make_default(*element, list.data[i], &owners[i].value);
    if (!reason.empty()) return "at element " + std::to_string(i + 1) + " " + reason;
    elements[i] = owners[i].value;
  }
  make_list_default(type, elements, out);
  return {};
}

std::string make_list(const byname_type& type, const byname_any& value, byname_any* out) {
  const byname_type* element = list_element(type);
  if (element == nullptr) return why_no_default(type);
  if (type.fixed_size < 0 || value.type_index == BYNAME_NONE) return expects(type, value);
  OwnedValue one;
  std::string reason = make_default(*element, value, &one.value);
  if (!reason.empty()) return reason;
  std::vector<byname_any> elements(static_cast<size_t>(type.fixed_size), one.value);
  make_list_default(type, elements, out);
  return {};
}

std::string make_shape(const byname_type& type, const byname_any& value, byname_any* out) {
  if (value.type_index != BYNAME_SHAPE) return expects(type, value);
  detail::check(byname_any_copy(&value, out));
  return {};
}

bool takes_default(const byname_type& type) {
  switch (type.kind) {
    case BYNAME_KIND_ANY:
    case BYNAME_KIND_DICT:
    case BYNAME_KIND_TUPLE:
    case BYNAME_KIND_FUTURE:
    case BYNAME_KIND_CHAIN:
    case BYNAME_KIND_FUNCTION:
    case BYNAME_KIND_POINTER:
    case BYNAME_KIND_OBJECT:
      return false;
    default:
      return true;
  }
}

bool is_list_element(const byname_type& type) {
  switch (type.kind) {
    case BYNAME_KIND_INT:
    case BYNAME_KIND_SYMINT:
    case BYNAME_KIND_FLOAT:
    case BYNAME_KIND_BOOL:
    case BYNAME_KIND_COMPLEX:
      return true;
    default:
      return false;
  }
}

}  // namespace

const byname_type& without_options(const byname_type& type) {
  const byname_type* inner = &type;
  while (inner->kind == BYNAME_KIND_OPTIONAL) inner = inner->elements[0];
  return *inner;
}

const byname_type* list_element(const byname_type& type) {
  if (type.kind == BYNAME_KIND_SHAPE) return find_named_type("int");
  if (type.kind != BYNAME_KIND_LIST || !is_list_element(*type.elements[0])) return nullptr;
  return type.elements[0];
}

std::string why_no_default(const byname_type& type) {
  if (!takes_default(type) || type.kind == BYNAME_KIND_LIST) {
    return "is refused: type " + quoted(print_type(type)) + " takes none (with '?' it takes None)";
  }
  return "expects " + print_type(type) + ", got list";
}

void make_list_default(const byname_type& type, std::span<const byname_any> elements, byname_any* out) {
  if (type.kind == BYNAME_KIND_SHAPE) {
    std::vector<int64_t> dims;
    dims.reserve(elements.size());
    for (const byname_any& element : elements) dims.push_back(element.as_int);
    detail::check(byname_shape_new(dims.data(), dims.size(), out));
  } else {
    detail::check(byname_array_new(elements.data(), elements.size(), out));
  }
}

std::string make_default(const byname_type& full_type, const byname_any& value, byname_any* out) {
  const byname_type& type = without_options(full_type);
  if (value.type_index == BYNAME_NONE && (&type != &full_type || type.kind == BYNAME_KIND_NONE)) {
    *out = byname_any{};
    return {};
  }
  if (!takes_default(type)) return why_no_default(type);
  if (value.type_index == BYNAME_ARRAY || value.type_index == BYNAME_TUPLE) return make_from_list(type, value, out);
  switch (type.kind) {
    case BYNAME_KIND_LIST:
      return make_list(type, value, out);
    case BYNAME_KIND_SHAPE:
      return make_shape(type, value, out);
    case BYNAME_KIND_UNION:
      return make_union(type, value, out);
    default:
      return make_simple_default(type, value, out);
  }
}

}  // namespace byname::core
