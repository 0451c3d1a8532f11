// The parts of the conversion table, each for some kinds of types. Not for others than convert.cc.
#ifndef BYNAME_VALUE_CONVERT_PARTS_H_
#define BYNAME_VALUE_CONVERT_PARTS_H_

#include <span>

#include "byname/convert.h"
#include "value/convert.h"

namespace byname::core {

// Each converts as `convert` does, for its kind of type.
int convert_int(const byname_any& value, const byname_type& type, byname_any* out);
int convert_float(const byname_any& value, const byname_type& type, byname_any* out);
int convert_complex(const byname_any& value, byname_any* out);
int convert_scalar(const byname_any& value, const byname_type& type, byname_any* out);
int convert_shape(const byname_any& value, const byname_type& type, byname_any* out);
int convert_list(const byname_any& value, const byname_type& type, byname_any* out);
int convert_tuple(const byname_any& value, const byname_type& type, byname_any* out);
int convert_dict(const byname_any& value, const byname_type& type, byname_any* out);
int convert_optional(const byname_any& value, const byname_type& type, byname_any* out);
int convert_union(const byname_any& value, const byname_type& type, byname_any* out);

// Asks the binding of the language that an opaque object comes from.
int convert_foreign(const byname_any& value, const byname_type& type, byname_any* out, int rank);

// Whether an integer (INT or UINT) is in the range of a type of integers.
bool holds(const byname_type& type, const byname_any& number);
// Whether a list's items pass as they stand.
bool list_passes(const byname_any& value, const byname_type& type);

// Breaks ties between types of one kind: an integer's narrowest first, then a double before a float.
int width_rank(const byname_type& type);

// The value as it is, copied if `out` is not NULL.
inline int keep(const byname_any& value, byname_any* out, int rank) {
  if (out != nullptr) detail::check(byname_any_copy(&value, out));
  return rank;
}

// Another value, which is given away.
inline int give(byname_any value, byname_any* out, int rank) {
  if (out != nullptr) *out = value;
  return rank;
}

}  // namespace byname::core

#endif  // BYNAME_VALUE_CONVERT_PARTS_H_
