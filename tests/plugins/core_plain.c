/* A library in C: its node by hand, callbacks without a dso. */
#include <byname/c_api.h>

static int twice(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)num_arguments;
  result->type_index = BYNAME_INT;
  result->small_size = 0;
  result->as_int = 2 * arguments[0].as_int;
  return 0;
}

static int give_function(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  byname_definition definition = {0};
  (void)context;
  (void)arguments;
  (void)num_arguments;
  definition.struct_size = sizeof definition;
  definition.callback = twice;
  return byname_function_new(&definition, result);
}

static void run(struct byname_library* library) {
  byname_definition definition = {0};
  definition.struct_size = sizeof definition;
  definition.text = (byname_str){"twice(int a) -> int", 19};
  definition.callback = twice;
  definition.file = __FILE__;
  definition.line = __LINE__;
  if (byname_library_define(library, &definition) != 0) return;
  definition.text = (byname_str){"give_function() -> Function", 27};
  definition.callback = give_function;
  byname_library_define(library, &definition);
}

static byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, NULL};
static byname_library_node node = {
    sizeof(byname_library_node), BYNAME_ABI_VERSION, {"core.plain", 10}, __FILE__, 1, 0, run, &dso, NULL};

__attribute__((constructor)) static void link_node(void) { byname_library_link(&node); }
__attribute__((destructor)) static void unlink_node(void) { byname_library_unlink(&node); }
