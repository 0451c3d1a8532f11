/* Values, text, containers and conversions from C. */
#include "check.h"

static const byname_type* type_node(uint8_t kind, uint8_t bits, uint8_t is_unsigned) {
  static byname_type nodes[8];
  static int used = 0;
  byname_type* node = &nodes[used++ % 8];
  memset(node, 0, sizeof *node);
  node->kind = kind;
  node->bits = bits;
  node->is_unsigned = is_unsigned;
  node->fixed_size = -1;
  return node;
}

static void copies_own_and_views_become_what_they_show(void) {
  byname_str characters = {"a\0b and more than seven", 23};
  byname_any view = none_value();
  byname_any copy = none_value();
  byname_str text;
  view.type_index = BYNAME_STR_VIEW;
  view.as_str = &characters;
  CHECK(byname_any_copy(&view, &copy) == 0);
  CHECK(copy.type_index == BYNAME_STR);
  CHECK(byname_any_text(&copy, &text) == 1 && text.size == 23 && memcmp(text.data, characters.data, 23) == 0);
  CHECK(text.data[23] == '\0');
  CHECK(byname_any_equal(&view, &copy) == 1);
  byname_any_drop(&copy);
  CHECK(byname_any_copy(&(byname_any){.type_index = BYNAME_DL_TENSOR}, &copy) == -1);
  CHECK_ERROR("TypeError", "a value of type DLTensor is borrowed and cannot be kept");
}

static void text_and_bytes_are_different(void) {
  byname_any text = none_value();
  byname_any bytes = none_value();
  byname_str out;
  CHECK(byname_string_new(str("abc"), &text) == 0);
  CHECK(byname_bytes_new(str("abc"), &bytes) == 0);
  CHECK(text.type_index == BYNAME_SMALL_STR && bytes.type_index == BYNAME_SMALL_BYTES);
  CHECK(byname_any_text(&bytes, &out) == 0 && byname_any_bytes(&text, &out) == 0);
  CHECK(byname_any_bytes(&bytes, &out) == 1 && out.size == 3);
  CHECK(byname_any_equal(&text, &bytes) == 0);
  CHECK_STR(byname_any_type_name(&text), "str");
  CHECK_STR(byname_any_type_name(&bytes), "bytes");
  CHECK_PRINTED(&text, "'abc'");
  CHECK_PRINTED(&bytes, "b'abc'");
}

static void numbers_are_equal_by_value_and_hash_alike(void) {
  byname_any one = int_value(1);
  byname_any one_as_float = float_value(1);
  uint64_t a = 0;
  uint64_t b = 1;
  CHECK(byname_any_equal(&one, &one_as_float) == 1);
  CHECK(byname_any_hash(&one, &a) == 0 && byname_any_hash(&one_as_float, &b) == 0 && a == b);
}

static void conversions_go_by_the_one_table(void) {
  byname_any out = none_value();
  byname_any number = int_value(200);
  byname_any text = chars_value("x");
  CHECK(byname_any_convert(&number, type_node(BYNAME_KIND_FLOAT, 64, 0), &out) == 0);
  CHECK(out.type_index == BYNAME_FLOAT && out.as_float == 200);
  CHECK(byname_any_convert(&number, type_node(BYNAME_KIND_INT, 8, 0), &out) == -1);
  CHECK(out.as_float == 200);
  CHECK_ERROR("OverflowError", "expected int8, got 200 (out of range)");
  CHECK(byname_any_convert(&text, type_node(BYNAME_KIND_INT, 64, 0), &out) == -1);
  CHECK_ERROR("TypeError", "expected int, got str");
}

static int convert_foreign(void* context, const byname_py_object* object, const byname_type* wanted, byname_any* out) {
  CHECK(*(int*)context == 7 && object->object == context);
  if (wanted->kind != BYNAME_KIND_INT) return 0;
  *out = int_value(42);
  return 1;
}

static void a_binding_converts_the_objects_of_its_language(void) {
  int context = 7;
  byname_class_decl decl = {sizeof decl, BYNAME_PY_OBJECT, sizeof(byname_py_object), 8, NULL, NULL};
  struct byname_class* owner = NULL;
  byname_any out = none_value();
  byname_any value;
  byname_py_object* object;
  CHECK(byname_class_register(&decl, &owner) == 0);
  object = byname_object_allocate(owner, 0);
  object->object = &context;
  object->type_name = str("Duck");
  byname_object_init(object, BYNAME_PY_OBJECT);
  value = object_value(&object->header);
  byname_foreign_converter_set(convert_foreign, &context);
  CHECK(byname_any_convert(&value, type_node(BYNAME_KIND_INT, 64, 0), &out) == 0 && out.as_int == 42);
  CHECK(byname_any_convert(&value, type_node(BYNAME_KIND_STR, 0, 0), &out) == -1);
  byname_object_release(byname_error_take());
  byname_foreign_converter_set(NULL, NULL);
  byname_any_drop(&value);
}

static void arrays_are_shared_until_they_are_changed(void) {
  byname_any items[2];
  byname_any array = none_value();
  byname_any tuple = none_value();
  byname_any shared = none_value();
  byname_array* raw;
  items[0] = int_value(1);
  items[1] = chars_value("a text of more than seven bytes");
  CHECK(byname_array_new(items, 2, &array) == 0);
  CHECK(byname_tuple_new(items, 2, &tuple) == 0);
  CHECK_PRINTED(&array, "[1, 'a text of more than seven bytes']");
  CHECK_PRINTED(&tuple, "(1, 'a text of more than seven bytes')");
  CHECK(byname_any_copy(&array, &shared) == 0 && shared.as_object == array.as_object);
  CHECK(byname_array_unshare(&array, 10) == 0 && shared.as_object != array.as_object);
  raw = (byname_array*)(void*)array.as_object;
  CHECK(raw->capacity >= 10 && raw->size == 2);
  raw->data[raw->size++] = int_value(3);
  CHECK_PRINTED(&array, "[1, 'a text of more than seven bytes', 3]");
  CHECK_PRINTED(&shared, "[1, 'a text of more than seven bytes']");
  byname_any_drop(&array);
  byname_any_drop(&shared);
  byname_any_drop(&tuple);
  array = none_value();
  CHECK(byname_array_unshare(&array, 0) == 0);
  CHECK_PRINTED(&array, "[]");
  byname_any_drop(&array);
}

static void shapes_and_complex_numbers(void) {
  int64_t dims[] = {2, 3};
  byname_any value = none_value();
  CHECK(byname_shape_new(dims, 2, &value) == 0);
  CHECK_PRINTED(&value, "Shape(2, 3)");
  byname_any_drop(&value);
  CHECK(byname_complex_new(1, -2, &value) == 0);
  CHECK_PRINTED(&value, "(1-2j)");
  byname_any_drop(&value);
}

static void maps_keep_the_order_of_insertion(void) {
  byname_any map = none_value();
  byname_any shared = none_value();
  byname_any key = chars_value("b");
  byname_any value = int_value(1);
  size_t cursor = 0;
  const byname_any* found_key;
  const byname_any* found;
  CHECK(byname_map_new(4, &map) == 0);
  CHECK(byname_map_put(map.as_object, &key, &value) == 0);
  key = chars_value("a");
  value = int_value(2);
  CHECK(byname_map_put(map.as_object, &key, &value) == 0);
  CHECK(byname_map_size(map.as_object) == 2);
  found = byname_map_get(map.as_object, &key);
  CHECK(found != NULL && found->as_int == 2);
  CHECK(byname_map_next(map.as_object, &cursor, &found_key, &found) == 1 && found->as_int == 1);
  CHECK(byname_map_next(map.as_object, &cursor, &found_key, &found) == 1 && found->as_int == 2);
  CHECK(byname_map_next(map.as_object, &cursor, &found_key, &found) == 0);
  CHECK(byname_any_copy(&map, &shared) == 0);
  CHECK(byname_map_unshare(&map) == 0 && map.as_object != shared.as_object);
  CHECK(byname_map_remove(map.as_object, &key) == 1);
  CHECK(byname_map_remove(map.as_object, &key) == 0);
  CHECK(byname_map_get(map.as_object, &key) == NULL);
  CHECK_PRINTED(&map, "{'b': 1}");
  CHECK_PRINTED(&shared, "{'b': 1, 'a': 2}");
  CHECK(byname_map_put(map.as_object, &map, &value) == -1);
  byname_object_release(byname_error_take());
  byname_any_drop(&map);
  byname_any_drop(&shared);
}

static void dtypes_and_devices_are_read_and_written(void) {
  byname_dtype dtype = {0, 0, 0};
  byname_device device = {0, 0};
  byname_any text = none_value();
  CHECK(byname_dtype_parse(str("int8x4"), &dtype) == 0);
  CHECK(dtype.code == 0 && dtype.bits == 8 && dtype.lanes == 4);
  CHECK(byname_dtype_print(dtype, &text) == 0);
  CHECK_TEXT(&text, "int8x4");
  CHECK(byname_device_parse(str("cuda:1"), &device) == 0 && device.type == 2 && device.id == 1);
  CHECK(byname_device_print(device, &text) == 0);
  CHECK_TEXT(&text, "cuda:1");
  CHECK(byname_dtype_parse(str("int3"), &dtype) == -1);
  CHECK_ERROR("ValueError", "expected a dtype such as 'float32', 'int8x4' or 'bool', got 'int3'");
  CHECK(byname_device_parse(str("cpux"), &device) == -1);
  CHECK_ERROR("ValueError", "expected a device such as 'cpu' or 'cuda:1', got 'cpux'");
}

int main(void) {
  CHECK(strcmp(byname_version(), BYNAME_VERSION) == 0);
  CHECK(byname_abi_version() == BYNAME_ABI_VERSION);
  copies_own_and_views_become_what_they_show();
  text_and_bytes_are_different();
  numbers_are_equal_by_value_and_hash_alike();
  conversions_go_by_the_one_table();
  a_binding_converts_the_objects_of_its_language();
  arrays_are_shared_until_they_are_changed();
  shapes_and_complex_numbers();
  maps_keep_the_order_of_insertion();
  dtypes_and_devices_are_read_and_written();
  CHECK(byname_error_take() == NULL);
  return 0;
}
