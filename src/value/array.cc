// Arrays and tuples, shapes, complex numbers.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "object/pool.h"
#include "value/error.h"
#include "value/value.h"

namespace byname::core {
namespace {

void destroy_array(void* object) {
  auto* array = static_cast<byname_array*>(object);
  for (int64_t i = 0; i < array->size; ++i) byname_any_drop(&array->data[i]);
  if (array->data_deleter != nullptr) array->data_deleter(array->data);
}

constinit CoreClass array_class(BYNAME_ARRAY, sizeof(byname_array), alignof(byname_array), &destroy_array);
constinit CoreClass tuple_class(BYNAME_TUPLE, sizeof(byname_array), alignof(byname_array), &destroy_array);
constinit CoreClass shape_class(BYNAME_SHAPE, sizeof(byname_shape), alignof(byname_shape), nullptr);
constinit CoreClass complex_class(BYNAME_COMPLEX, sizeof(byname_complex), alignof(byname_complex), nullptr);

constexpr size_t kMaxItems = PTRDIFF_MAX / sizeof(byname_any) - 64;

void free_items(void* items) { std::free(items); }

// An empty one whose items will stand behind it; NULL, and an error raised, if there is no memory.
byname_array* allocate_array(size_t capacity, int32_t type_index) {
  if (capacity > kMaxItems) {
    raise_out_of_memory();
    return nullptr;
  }
  void* memory = allocate(type_index == BYNAME_TUPLE ? &tuple_class : &array_class, capacity * sizeof(byname_any));
  if (memory == nullptr) return nullptr;
  byname_object_init(memory, type_index);
  auto* array = static_cast<byname_array*>(memory);
  array->data = reinterpret_cast<byname_any*>(array + 1);
  array->size = 0;
  array->capacity = static_cast<int64_t>(capacity);
  array->data_deleter = nullptr;
  return array;
}

int grow_array(byname_array* array, size_t capacity) {
  if (capacity > kMaxItems) return raise_out_of_memory();
  bool is_apart = array->data_deleter != nullptr;
  void* grown = std::realloc(is_apart ? array->data : nullptr, capacity * sizeof(byname_any));
  if (grown == nullptr) return raise_out_of_memory();
  if (!is_apart && array->size > 0) {
    std::memcpy(grown, array->data, static_cast<size_t>(array->size) * sizeof(byname_any));
  }
  array->data = static_cast<byname_any*>(grown);
  array->capacity = static_cast<int64_t>(capacity);
  array->data_deleter = &free_items;
  return 0;
}

}  // namespace

int make_array(const byname_any* items, size_t size, int32_t type_index, byname_any* out) {
  byname_array* array = allocate_array(size, type_index);
  if (array == nullptr) return -1;
  OwnedAny made(object_value(&array->header));
  for (size_t i = 0; i < size; ++i) {
    if (copy_value(items[i], &array->data[i]) != 0) return -1;
    ++array->size;
  }
  *out = made.take();
  return 0;
}

int unshare_array(byname_any* value, size_t capacity) {
  if (value->type_index == BYNAME_NONE) {
    byname_array* array = allocate_array(capacity, BYNAME_ARRAY);
    if (array == nullptr) return -1;
    *value = object_value(&array->header);
    return 0;
  }
  auto* array = object_as<byname_array>(*value);
  auto size = static_cast<size_t>(array->size);
  if (is_unshared(array->header)) {
    return capacity <= static_cast<size_t>(array->capacity) ? 0 : grow_array(array, capacity);
  }
  byname_array* copy = allocate_array(capacity > size ? capacity : size, value->type_index);
  if (copy == nullptr) return -1;
  for (size_t i = 0; i < size; ++i) {
    copy->data[i] = array->data[i];
    if (copy->data[i].type_index >= BYNAME_OBJECT) byname_object_retain(copy->data[i].as_object);
  }
  copy->size = array->size;
  byname_any_drop(value);
  *value = object_value(&copy->header);
  return 0;
}

int make_shape(const int64_t* dims, size_t size, byname_any* out) {
  if (size > kMaxItems) return raise_out_of_memory();
  void* memory = allocate(&shape_class, size * sizeof(int64_t));
  if (memory == nullptr) return -1;
  byname_object_init(memory, BYNAME_SHAPE);
  auto* shape = static_cast<byname_shape*>(memory);
  auto* copy = reinterpret_cast<int64_t*>(shape + 1);
  if (size > 0) std::memcpy(copy, dims, size * sizeof(int64_t));
  shape->data = copy;
  shape->size = size;
  *out = object_value(&shape->header);
  return 0;
}

int make_complex(double real, double imag, byname_any* out) {
  void* memory = allocate(&complex_class, 0);
  if (memory == nullptr) return -1;
  byname_object_init(memory, BYNAME_COMPLEX);
  auto* complex = static_cast<byname_complex*>(memory);
  complex->real = real;
  complex->imag = imag;
  *out = object_value(&complex->header);
  return 0;
}

}  // namespace byname::core
