/* Modules from C. */
#include "check.h"

static const char kPath[] = BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_math.so";

static void a_module_is_loaded_listed_and_unloaded(void) {
  byname_any module = none_value();
  byname_any text = none_value();
  byname_any list = none_value();
  byname_any arguments[2] = {int_value(1), int_value(2)};
  byname_any result = none_value();
  byname_any function = none_value();
  const byname_array* modules;
  CHECK(byname_module_load(str(kPath), str(""), &module) == 0);
  CHECK(module.type_index == BYNAME_MODULE);
  CHECK(byname_module_is_loaded(module.as_object) == 1);
  CHECK(byname_module_path(module.as_object, &text) == 0);
  CHECK_TEXT(&text, kPath);
  CHECK(byname_module_names(module.as_object, &list) == 0);
  CHECK_PRINTED(&list,
                "['core.math.add', 'core.math.call', 'core.math.length', 'core.math.scale', "
                "'core.math.throw_out_of_range']");
  byname_any_drop(&list);
  CHECK(byname_module_get(module.as_object, str("core.math.add")) == byname_get(str("core.math.add")));
  CHECK(byname_module_get(module.as_object, str("core.math.ad")) == NULL);
  CHECK_ERROR("NotFound", "module '" BYNAME_TEST_PLUGIN_DIR
                          "/gcc/libcore_math.so' registered nothing under the name 'core.math.ad' (did you mean "
                          "'core.math.add'?)");
  CHECK(byname_modules(&list) == 0);
  modules = (const byname_array*)(void*)list.as_object;
  CHECK(modules->size == 1 && modules->data[0].type_index == BYNAME_MODULE);
  byname_any_drop(&list);
  CHECK(byname_call(byname_get(str("core.math.add")), arguments, 2, &result) == 0 && result.as_int == 3);
  /* A C++ exception that its function throws is an error here. */
  CHECK(byname_call(byname_get(str("core.math.throw_out_of_range")), NULL, 0, &result) == -1);
  CHECK_ERROR("IndexError", "far");
  CHECK(byname_module_holders(module.as_object, &list) == 0);
  CHECK_PRINTED(&list, "[]");
  byname_any_drop(&list);
  CHECK(byname_entry_pin(byname_get(str("core.math.add")), &function) == 0);
  CHECK(byname_module_holders(module.as_object, &list) == 0);
  CHECK_PRINTED(&list, "[\"function 'core.math.add', referenced or running\"]");
  byname_any_drop(&list);
  byname_any_drop(&function);
  CHECK(byname_module_reload(module.as_object, &list) == 0);
  CHECK_PRINTED(&list, "[]");
  byname_any_drop(&list);
  CHECK(byname_module_reload(module.as_object, NULL) == 0);
  CHECK(byname_call(byname_get(str("core.math.add")), arguments, 2, &result) == 0 && result.as_int == 3);
  CHECK(byname_module_unload(module.as_object, &list) == 0);
  CHECK_PRINTED(&list, "[]");
  byname_any_drop(&list);
  CHECK(byname_module_is_loaded(module.as_object) == 0);
  CHECK(byname_module_unload(module.as_object, NULL) == 0);
  CHECK(byname_module_reload(module.as_object, NULL) == -1);
  CHECK_ERROR("RuntimeError", "cannot reload '" BYNAME_TEST_PLUGIN_DIR "/gcc/libcore_math.so': it is not loaded");
  CHECK(byname_find(str("core.math.add")) == NULL);
  byname_any_drop(&module);
  CHECK(byname_collect() == 0);
}

static void what_is_not_there_is_an_error(void) {
  byname_any module = none_value();
  CHECK(byname_module_load(str("/nowhere/libx.so"), str(""), &module) == -1);
  CHECK(module.type_index == BYNAME_NONE);
  CHECK_ERROR(
      "FileNotFoundError",
      "cannot load '/nowhere/libx.so': /nowhere/libx.so: cannot open shared object file: No such file or directory "
      "('/nowhere' is no directory)");
}

int main(void) {
  a_module_is_loaded_listed_and_unloaded();
  what_is_not_there_is_an_error();
  CHECK(byname_error_take() == NULL);
  return 0;
}
