/* Types, objects, weak references and boxes from C. A std::type_info is made by C++; here its address is enough. */
#include "check.h"

struct counter {
  byname_object header;
  int64_t value;
};

static int num_destroyed = 0;
static void destroy_counter(void* object) {
  CHECK(((struct counter*)object)->value == 7);
  ++num_destroyed;
}

static int32_t register_type(const char* key, int32_t parent) {
  byname_type_decl decl = {sizeof decl, parent, {NULL, 0}, 0, NULL};
  int32_t index = -1;
  decl.key = str(key);
  CHECK(byname_type_register(&decl, &index) == 0);
  return index;
}

static void types_are_known_by_key_and_index(void) {
  int32_t base = register_type("test.c.Base", BYNAME_OBJECT);
  int32_t leaf = register_type("test.c.Leaf", base);
  const byname_type_info* info = byname_type_find(str("test.c.Leaf"));
  byname_type_decl again = {sizeof again, BYNAME_OBJECT, {NULL, 0}, 0, NULL};
  byname_any keys = none_value();
  int32_t index = -1;
  CHECK(info != NULL && info->type_index == leaf && info->depth == 2);
  CHECK(info == byname_type_get(leaf) && info == byname_type_table()[leaf]);
  CHECK_STR(info->key, "test.c.Leaf");
  CHECK(byname_type_is(leaf, base) == 1 && byname_type_is(base, leaf) == 0 && byname_type_is(leaf, BYNAME_OBJECT) == 1);
  CHECK(byname_type_find(str("test.c.Nothing")) == NULL);
  CHECK(register_type("test.c.Leaf", base) == leaf);
  again.key = str("test.c.Leaf");
  CHECK(byname_type_register(&again, &index) == -1 && index == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_type_keys(&keys) == 0);
  CHECK(((const byname_array*)(void*)keys.as_object)->size >= 2);
  byname_any_drop(&keys);
}

static void objects_are_counted_and_destroyed_once(void) {
  int32_t type = register_type("test.c.Counter", BYNAME_OBJECT);
  byname_class_decl decl = {sizeof decl, type, sizeof(struct counter), 8, destroy_counter, NULL};
  struct byname_class* owner = NULL;
  struct byname_class* same = NULL;
  struct counter* object;
  void* unused;
  byname_any value;
  CHECK(byname_class_register(&decl, &owner) == 0 && byname_class_register(&decl, &same) == 0 && owner == same);
  unused = byname_object_allocate(owner, 100);
  CHECK(unused != NULL);
  memset((char*)unused + sizeof(struct counter), 1, 100);
  byname_object_abandon(unused);
  object = byname_object_allocate(owner, 0);
  object->value = 7;
  byname_object_init(object, type);
  CHECK(object->header.deleter == byname_object_delete && byname_is_own(&object->header));
  CHECK(byname_object_prefix(&object->header)->twin == NULL);
  value = object_value(&object->header);
  CHECK_STR(byname_any_type_name(&value), "test.c.Counter");
  byname_object_retain(&object->header);
  byname_object_retain_weak(&object->header);
  byname_object_release(&object->header);
  CHECK(num_destroyed == 0);
  CHECK(byname_object_promote(&object->header) == 1);
  byname_object_release(&object->header);
  byname_object_release(&object->header);
  CHECK(num_destroyed == 1);
  CHECK(byname_object_promote(&object->header) == 0);
  byname_object_release_weak(&object->header);
  byname_object_release(NULL);
  byname_object_release_weak(NULL);
}

static void what_was_never_registered_is_no_box(void) {
  byname_object* error;
  CHECK(byname_error_raise(str("ValueError"), str("an object that is no box")) == -1);
  error = byname_error_take();
  CHECK(byname_box_cast(error, BYNAME_BOX) == NULL);
  byname_object_release(error);
}

int main(void) {
  types_are_known_by_key_and_index();
  objects_are_counted_and_destroyed_once();
  what_was_never_registered_is_no_box();
  CHECK(byname_error_take() == NULL);
  return 0;
}
