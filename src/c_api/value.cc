// Values behind the C interface.
#include "value/value.h"

#include "byname/error.h"

using namespace byname;
using detail::from_c;

int byname_any_copy(const byname_any* value, byname_any* out) { return core::copy_value(*value, out); }

byname_str byname_any_type_name(const byname_any* value) { return detail::to_c(core::type_name(*value)); }

int byname_string_new(byname_str text, byname_any* out) { return core::make_text(from_c(text), BYNAME_STR, out); }

int byname_bytes_new(byname_str bytes, byname_any* out) { return core::make_text(from_c(bytes), BYNAME_BYTES, out); }

int byname_array_new(const byname_any* items, size_t size, byname_any* out) {
  return core::make_array(items, size, BYNAME_ARRAY, out);
}

int byname_tuple_new(const byname_any* items, size_t size, byname_any* out) {
  return core::make_array(items, size, BYNAME_TUPLE, out);
}

int byname_array_unshare(byname_any* array, size_t capacity) { return core::unshare_array(array, capacity); }

int byname_shape_new(const int64_t* dims, size_t size, byname_any* out) { return core::make_shape(dims, size, out); }

int byname_complex_new(double real, double imag, byname_any* out) { return core::make_complex(real, imag, out); }
