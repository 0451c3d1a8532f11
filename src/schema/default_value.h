// Defaults: which value fits which type, and what is kept of it.
#ifndef BYNAME_SCHEMA_DEFAULT_VALUE_H_
#define BYNAME_SCHEMA_DEFAULT_VALUE_H_

#include <span>
#include <string>

#include "byname/c_api.h"

namespace byname::core {

// A value that is dropped at the end of its scope.
struct OwnedValue {
  OwnedValue() : value{} {}
  OwnedValue(const OwnedValue&) = delete;
  OwnedValue& operator=(const OwnedValue&) = delete;
  ~OwnedValue() { byname_any_drop(&value); }
  byname_any value;
};

// Makes the default that an argument of `type` has when `value` is written: numbers in the type's own kind, text that
// names a device or a dtype as that, one element of a sized list repeated. Returns why it does not fit, as the end of a
// sentence about the default; then `out` is unchanged. Empty: it fits, and `out` owns.
std::string make_default(const byname_type& type, const byname_any& value, byname_any* out);

// Makes the default of a type without options from elements that make_default made for its list_element.
void make_list_default(const byname_type& type, std::span<const byname_any> elements, byname_any* out);

// The type without its outer `?`.
const byname_type& without_options(const byname_type& type);
// What the elements of a list default must be; nullptr if an argument of the type takes none.
const byname_type* list_element(const byname_type& type);
// Why an argument of a type without list_element takes no list.
std::string why_no_default(const byname_type& type);

// make_default for types that are no option, list or union.
std::string make_simple_default(const byname_type& type, const byname_any& value, byname_any* out);
// "expects int, got str"
std::string expects(const byname_type& type, const byname_any& value);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_DEFAULT_VALUE_H_
