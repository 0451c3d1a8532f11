// Values behind the C interface.
#include "value/value.h"

#include <string>

#include "byname/error.h"
#include "value/dtype.h"
#include "value/equal.h"
#include "value/error.h"
#include "value/hash.h"
#include "value/map.h"
#include "value/print.h"

using namespace byname;
using detail::from_c;

namespace {

core::MapObject* as_map(byname_object* object) { return reinterpret_cast<core::MapObject*>(object); }
const core::MapObject* as_map(const byname_object* object) { return reinterpret_cast<const core::MapObject*>(object); }

int text_result(std::string_view text, byname_any* out) { return core::make_text(text, BYNAME_STR, out); }

// "expected a dtype such as ..., got 'int3'"
int refuse_text(std::string message, std::string_view text) {
  constexpr size_t kMaxShown = 100;
  core::append_quoted(message, text.substr(0, kMaxShown));
  if (text.size() > kMaxShown) message.append("...");
  return core::raise("ValueError", message);
}

}  // namespace

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

int byname_any_equal(const byname_any* a, const byname_any* b) {
  try {
    return core::equal_values(*a, *b) ? 1 : 0;
  } catch (const std::bad_alloc&) {
    return 0;  // what nests too deep to be compared is not known to be equal
  }
}

int byname_any_hash(const byname_any* value, uint64_t* out) {
  return core::guarded([&] { return core::hash_or_raise(*value, *out); });
}

int byname_any_print(const byname_any* value, byname_any* out) {
  return core::guarded([&] {
    std::string text;
    core::append_value(text, *value);
    return text_result(text, out);
  });
}

int byname_map_new(size_t capacity, byname_any* out) { return core::make_map(capacity, out); }

int byname_map_unshare(byname_any* map) { return core::unshare_map(map); }

int byname_map_put(byname_object* map, const byname_any* key, const byname_any* value) {
  return core::guarded([&] { return core::put_entry(as_map(map), *key, *value); });
}

const byname_any* byname_map_get(const byname_object* map, const byname_any* key) {
  try {
    const core::MapEntry* entry = core::find_entry(as_map(map), *key);
    return entry == nullptr ? nullptr : &entry->value;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

int byname_map_remove(byname_object* map, const byname_any* key) {
  return core::guarded([&] { return core::remove_entry(as_map(map), *key); });
}

size_t byname_map_size(const byname_object* map) { return as_map(map)->size; }

int byname_map_next(const byname_object* map, size_t* cursor, const byname_any** key, const byname_any** value) {
  const core::MapEntry* entry = core::next_entry(as_map(map), *cursor);
  if (entry == nullptr) return 0;
  *key = &entry->key;
  *value = &entry->value;
  return 1;
}

int byname_dtype_parse(byname_str text, byname_dtype* out) {
  if (core::parse_dtype(from_c(text), *out)) return 0;
  return core::guarded(
      [&] { return refuse_text("expected a dtype such as 'float32', 'int8x4' or 'bool', got ", from_c(text)); });
}

int byname_dtype_print(byname_dtype dtype, byname_any* out) {
  return core::guarded([&] { return text_result(core::print_dtype(dtype), out); });
}

int byname_device_parse(byname_str text, byname_device* out) {
  if (core::parse_device(from_c(text), *out)) return 0;
  return core::guarded([&] { return refuse_text("expected a device such as 'cpu' or 'cuda:1', got ", from_c(text)); });
}

int byname_device_print(byname_device device, byname_any* out) {
  return core::guarded([&] { return text_result(core::print_device(device), out); });
}
