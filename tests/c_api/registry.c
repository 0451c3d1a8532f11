/* The table of names from C: registration, blocks, listeners, protection. */
#include "check.h"

static int num_dropped = 0;
static void count_drop(void* context) {
  (void)context;
  ++num_dropped;
}

static int twice(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)num_arguments;
  *result = int_value(2 * arguments[0].as_int);
  return 0;
}

static byname_definition definition_of(const char* text) {
  byname_definition definition;
  memset(&definition, 0, sizeof definition);
  definition.struct_size = sizeof definition;
  definition.text = str(text);
  definition.callback = twice;
  definition.context = &num_dropped;
  definition.context_deleter = count_drop;
  definition.file = "registry.c";
  definition.line = 1;
  return definition;
}

static void names_come_and_go(void) {
  byname_definition definition = definition_of("test.c.twice(int a) -> int");
  struct byname_registration* registration = NULL;
  struct byname_registration* again = NULL;
  byname_entry* entry;
  byname_any argument = int_value(21);
  byname_any result = none_value();
  byname_any pinned = none_value();
  byname_any names = none_value();
  byname_str keyword = str("a");
  CHECK(byname_find(str("test.c.twice")) == NULL);
  CHECK(byname_find_attached(str("test.c.twice")) == NULL);
  CHECK(byname_get(str("test.c.twice")) == NULL);
  byname_object_release(byname_error_take());
  CHECK(byname_register(&definition, &registration) == 0);
  CHECK(byname_register(&definition, &again) == -1 && again == NULL);
  CHECK_ERROR("ValueError", "'test.c.twice' is registered twice: at registry.c:1 and at registry.c:1");
  CHECK(num_dropped == 1);
  entry = byname_find(str("test.c.twice"));
  CHECK(entry != NULL && entry == byname_get(str("test.c.twice")) &&
        entry == byname_find_attached(str("test.c.twice")));
  CHECK(byname_call(entry, &argument, 1, &result) == 0 && result.as_int == 42);
  CHECK(byname_call_named(entry, &argument, 1, &keyword, 1, &result) == 0 && result.as_int == 42);
  CHECK(byname_call(entry, NULL, 0, &result) == -1);
  CHECK_ERROR("TypeError", "test.c.twice(): argument 'a' (position 1) is missing");
  CHECK(byname_names(str("test.c."), &names) == 0);
  CHECK_PRINTED(&names, "['test.c.twice']");
  byname_any_drop(&names);
  CHECK(byname_entry_pin(entry, &pinned) == 0);
  byname_registration_remove(registration);
  CHECK(byname_call(entry, &argument, 1, &result) == -1);
  CHECK_ERROR("NotFound", "'test.c.twice' is not registered any more (it was removed, or its module unloaded)");
  CHECK(byname_call_named(entry, &argument, 1, &keyword, 1, &result) == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_entry_raise_removed(entry) == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_function_call(pinned.as_object, &argument, 1, &result) == 0 && result.as_int == 42);
  CHECK(num_dropped == 1);
  byname_any_drop(&pinned);
  byname_collect();
  CHECK(num_dropped == 2);
  CHECK(byname_remove(str("test.c.twice")) == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_register(&definition, &registration) == 0);
  byname_registration_keep(registration);
  CHECK(byname_remove(str("test.c.twice")) == 0);
}

static void a_protected_function_survives_its_removal(void) {
  byname_definition definition = definition_of("test.c.held(int a) -> int");
  struct byname_registration* registration = NULL;
  byname_entry* entry;
  byname_guard guard;
  byname_guard usual;
  byname_any argument = int_value(4);
  byname_any result = none_value();
  byname_collect();
  num_dropped = 0;
  CHECK(byname_register(&definition, &registration) == 0);
  entry = byname_find(str("test.c.held"));
  guard = byname_protect(entry);
  CHECK(guard.cell != NULL);
  usual = byname_protect_usual(entry);
  CHECK(usual.cell == guard.cell && usual.thread == byname_thread_here());
  byname_unprotect_usual(usual);
  byname_registration_remove(registration);
  byname_collect();
  CHECK(num_dropped == 0);
  CHECK(guard.cell->safe_call(guard.cell, &argument, 1, &result) == 0 && result.as_int == 8);
  byname_unprotect(guard);
  byname_collect();
  CHECK(num_dropped == 1);
  CHECK(byname_protect(entry).cell == NULL);
}

static char heard[256];
static void hear(void* context, byname_str name, int created) {
  size_t prefix = strlen("test.c.heard.");
  CHECK(context == heard);
  if (name.size < prefix || memcmp(name.data, "test.c.heard.", prefix) != 0) return;
  strcat(heard, created ? "+" : "-");
  strncat(heard, name.data + prefix, name.size - prefix);
}

static void listeners_hear_of_names(void) {
  byname_definition definition = definition_of("test.c.heard.f(int a) -> int");
  byname_listener listener = {hear, heard};
  struct byname_registration* registration = NULL;
  uint64_t id = 0;
  CHECK(byname_listener_register(listener, &id) == 0 && id != 0);
  CHECK(byname_register(&definition, &registration) == 0);
  byname_registration_remove(registration);
  byname_listener_remove(id);
  CHECK(byname_register(&definition, &registration) == 0);
  byname_registration_remove(registration);
  CHECK(strcmp(heard, "+f-f") == 0);
}

static void on_unload(void* context) { (void)context; }

static int32_t shape = 0;

static byname_factory factory_of(const char* prefix, const char* variant) {
  byname_factory factory = {str(prefix), str(variant)};
  return factory;
}

/* A factory, which may make anything as far as C goes. */
static void define_products(struct byname_library* library) {
  byname_definition definition = definition_of("Twice(int a) -> int");
  definition.file = "registry.c";
  definition.line = 7;
  CHECK(byname_library_product(library, shape, &definition) == -1);
  CHECK_ERROR("ValueError",
              "'Twice' (registry.c:7) is a product of 'test.c.Shape', which has no factory (lib.factory<T>(\"name\") "
              "declares it)");
  CHECK(byname_library_factory(library, factory_of("shape", ""), shape, "registry.c", 1) == 0);
  CHECK(byname_library_product(library, shape, &definition) == 0);
}

static void check_products(void) {
  byname_factory shapes = factory_of("test.c.block.shape", "");
  byname_any config = none_value();
  byname_any key = none_value();
  byname_any value = none_value();
  byname_any result = none_value();
  CHECK(byname_factory_of(shape, &result, &value) == 0);
  CHECK_TEXT(&result, "test.c.block.shape");
  CHECK_TEXT(&value, "");
  CHECK(byname_factory_of(BYNAME_OBJECT, &result, &value) == -1);
  CHECK_ERROR("NotFound", "type 'Object' has no factory (is the library that declares it loaded?)");
  CHECK(byname_factory_base(shapes) == shape);
  CHECK(byname_factory_base(factory_of("test.c.block.shape", "float32")) == 0);
  CHECK(byname_factory_types(shapes, &result) == 0);
  CHECK(result.type_index == BYNAME_ARRAY && ((const byname_array*)result.as_object)->size == 1);
  CHECK_TEXT(&((const byname_array*)result.as_object)->data[0], "Twice");
  byname_any_drop(&result);
  byname_entry* creator = byname_factory_find_attached(shapes, str("Twice"));
  CHECK(creator != NULL && creator == byname_factory_get(shapes, str("Twice")));
  CHECK(byname_factory_find_attached(shapes, str("Thrice")) == NULL);
  CHECK(byname_factory_get(shapes, str("Thrice")) == NULL);
  CHECK_ERROR("NotFound", "'test.c.block.shape': unknown type 'Thrice' (did you mean 'Twice'? known: Twice)");
  CHECK(byname_factory_get(factory_of("test.c.none", ""), str("Twice")) == NULL);
  CHECK_ERROR(
      "NotFound",
      "nothing is registered under the name 'test.c.none.Twice' (nothing is registered under 'test.c.none.'; is "
      "its library loaded, and linked whole?)");
  CHECK(byname_map_new(2, &config) == 0);
  CHECK(byname_string_new(str("type"), &key) == 0 && byname_string_new(str("Twice"), &value) == 0);
  CHECK(byname_map_put(config.as_object, &key, &value) == 0);
  CHECK(byname_string_new(str("a"), &key) == 0);
  value = int_value(4);
  CHECK(byname_map_put(config.as_object, &key, &value) == 0);
  CHECK(byname_factory_create(shapes, &config, &result) == 0 && result.as_int == 8);
  CHECK(byname_factory_create(shapes, &value, &result) == -1);
  CHECK_ERROR("ValueError",
              "cannot make an object of 'test.c.block.shape': $: expected a configuration with 'type', got int");
  byname_any_drop(&config);
}

static void run_block(struct byname_library* library) {
  byname_definition definition = definition_of("twice(int a) -> int");
  CHECK_STR(byname_library_prefix(library), "test.c.block");
  CHECK(byname_library_define(library, &definition) == 0);
  definition = definition_of("bad(int a, -> int");
  CHECK(byname_library_define(library, &definition) == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_library_alias(library, str("old"), str("twice"), str("0.2"), "registry.c", 1) == 0);
  CHECK(byname_library_own(library, "registry.c", 1) == 0);
  CHECK(byname_library_on_unload(library, on_unload, NULL) == 0);
  define_products(library);
}

static int num_warnings = 0;
static void count_warning(void* context, byname_str kind, byname_str message) {
  (void)context;
  CHECK_STR(kind, "DeprecationWarning");
  CHECK_STR(message, "'test.c.block.old' is deprecated since 0.2 (use 'test.c.block.twice')");
  ++num_warnings;
}

static void a_block_is_a_static_node(void) {
  static byname_library_node node = {
      sizeof node, BYNAME_ABI_VERSION, {"test.c.block", 12}, "registry.c", 1, 0, run_block, NULL, NULL};
  byname_warning_handler handler = {count_warning, NULL};
  byname_any argument = int_value(4);
  byname_any result = none_value();
  byname_type_decl decl = {sizeof decl, BYNAME_OBJECT, {"test.c.Shape", 12}, 0, NULL};
  CHECK(byname_type_register(&decl, &shape) == 0);
  byname_warning_handler_set(handler, NULL);
  byname_library_link(&node);
  CHECK(byname_attach() == 0);
  CHECK(byname_call(byname_get(str("test.c.block.twice")), &argument, 1, &result) == 0 && result.as_int == 8);
  CHECK(byname_call(byname_get(str("test.c.block.old")), &argument, 1, &result) == 0 && result.as_int == 8);
  CHECK(num_warnings == 1);
  check_products();
  CHECK(byname_find(str("test.c.block.bad")) == NULL);
  byname_library_unlink(&node);
  handler.function = NULL;
  byname_warning_handler_set(handler, NULL);
}

int main(void) {
  names_come_and_go();
  a_protected_function_survives_its_removal();
  listeners_hear_of_names();
  a_block_is_a_static_node();
  CHECK(byname_error_take() == NULL);
  return 0;
}
