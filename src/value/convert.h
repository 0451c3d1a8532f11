// The one conversion table: from a value to a type of the schema language, with the rank of the match.
#ifndef BYNAME_VALUE_CONVERT_H_
#define BYNAME_VALUE_CONVERT_H_

#include "byname/c_api.h"

namespace byname::core {

// How well a value fits a type; lower is better. Overload ranking compares these.
enum Rank : int {
  kOutOfRange = -2,  // a number of the right kind that the type can't hold
  kNoMatch = -1,
  kOwnWidth = 0,   // exactly: the type itself, for a number that knows its width that width
  kNarrowest = 8,  // + 2 × log2 of the bytes (+ 1 unsigned): an integer of no known width; the narrowest type wins
  kAncestor = 32,  // + levels: an object of a type below
  kLossless = 256,
  kConvertible = 512,
  kAnything = 1024,
  // Added for the step through the type's outside.
  kThroughOptional = 1,
  kThroughUnion = 2
};

// The rank of `value` as a `type`. If it is not negative and `out` is not NULL, *out becomes the converted value,
// owned. Then a C++ parameter of that type loads it as it stands. Throws what allocation and the foreign converter
// throw.
int convert(const byname_any& value, const byname_type& type, byname_any* out);

// Whether the value needs no conversion to be passed as a `type`; may say no to one that does not.
bool passes(const byname_any& value, const byname_type& type);

// What the type is where there is a value.
inline const byname_type& strip_optional(const byname_type& type) {
  return type.kind == BYNAME_KIND_OPTIONAL ? *type.elements[0] : type;
}

// Whether the first element does not lie where its C++ type must.
bool is_misaligned(const byname_dl_tensor& tensor, const byname_tensor_spec& spec);

// A scalar view's number as a plain value (None if it is beyond 64 bits); other values as they are.
const byname_any& plain_value(const byname_any& value);

// Asks the binding for the value that an opaque object stands for where `type` is wanted; *out is owned. False if it
// stands for none. Throws what the binding raises.
bool foreign_value(const byname_any& value, const byname_type& type, byname_any* out);
void set_foreign_converter(byname_foreign_converter converter, void* context);

}  // namespace byname::core

#endif  // BYNAME_VALUE_CONVERT_H_
