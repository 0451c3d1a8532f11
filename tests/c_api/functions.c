/* Functions from C: callbacks with and without a schema, keywords, calls back. */
#include "check.h"

static int num_dropped = 0;
static void drop_context(void* context) {
  ++num_dropped;
  free(context);
}

static int64_t* new_context(int64_t value) {
  int64_t* context = malloc(sizeof *context);
  *context = value;
  return context;
}

/* a + b + *context */
static int add(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  CHECK(num_arguments == 2 && arguments[0].type_index == BYNAME_INT && arguments[1].type_index == BYNAME_INT);
  *result = int_value(arguments[0].as_int + arguments[1].as_int + *(int64_t*)context);
  return 0;
}

static int count(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)arguments;
  *result = int_value(num_arguments);
  return 0;
}

static int fail(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  (void)num_arguments;
  (void)result;
  return byname_error_raisef("KeyError", "no %lld", (long long)arguments[0].as_int);
}

/* Calls its first argument with the second. */
static int call_back(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)context;
  CHECK(num_arguments == 2);
  return byname_function_call(arguments[0].as_object, &arguments[1], 1, result);
}

static byname_object* make(const char* text, byname_call_fn callback, int64_t* context) {
  byname_definition definition;
  byname_any function = none_value();
  memset(&definition, 0, sizeof definition);
  definition.struct_size = sizeof definition;
  definition.text = str(text);
  definition.callback = callback;
  definition.context = context;
  definition.context_deleter = context == NULL ? NULL : drop_context;
  definition.doc = str("A function in C.");
  definition.file = "functions.c";
  definition.line = 1;
  if (byname_function_new(&definition, &function) != 0) return NULL;
  CHECK(function.type_index == BYNAME_FUNCTION);
  return function.as_object;
}

static void a_schema_converts_fills_and_checks(void) {
  byname_object* function = make("test.add(int a, int b=10) -> int", add, new_context(100));
  byname_any arguments[3] = {int_value(1), int_value(2), int_value(3)};
  byname_any result = none_value();
  byname_any text = none_value();
  byname_str names[2];
  CHECK(byname_function_call(function, arguments, 2, &result) == 0 && result.as_int == 103);
  CHECK(byname_function_call(function, arguments, 1, &result) == 0 && result.as_int == 111);
  arguments[0].type_index = BYNAME_BOOL;
  CHECK(byname_function_call(function, arguments, 2, &result) == 0 && result.as_int == 103);
  names[0] = str("b");
  names[1] = str("a");
  CHECK(byname_function_call_named(function, arguments, 2, names, 2, &result) == 0 && result.as_int == 103);
  CHECK(byname_function_call(function, arguments, 3, &result) == -1);
  CHECK_ERROR("TypeError", "test::add(): takes 1 to 2 arguments, got 3");
  CHECK(byname_function_call(function, arguments, 0, &result) == -1);
  CHECK_ERROR("TypeError", "test::add(): argument 'a' (position 1) is missing");
  arguments[1] = chars_value("x");
  CHECK(byname_function_call(function, arguments, 2, &result) == -1);
  CHECK_ERROR("TypeError", "test::add(): argument 'b' (position 2) expects int, got str");
  CHECK(byname_function_call_named(function, arguments, 1, names, 2, &result) == -1);
  CHECK_ERROR("ValueError", "2 names for 1 arguments");
  CHECK(byname_function_schema(function, &text) == 0);
  CHECK_TEXT(&text, "test::add(int a, int b=10) -> int");
  CHECK(byname_function_doc(function, &text) == 0);
  CHECK_TEXT(&text, "A function in C.");
  CHECK(byname_function_name(function, &text) == 0);
  CHECK_TEXT(&text, "");
  CHECK(byname_function_describe(function, &text) == 0 && text.type_index == BYNAME_MAP);
  byname_any_drop(&text);
  CHECK(*(int64_t*)((void**)byname_function_closure((byname_function*)(void*)function))[1] == 100);
  CHECK(num_dropped == 0);
  byname_object_release(function);
  CHECK(num_dropped == 1);
}

static void without_a_schema_all_arguments_come_as_they_are(void) {
  byname_object* function = make("", count, NULL);
  byname_any arguments[3] = {int_value(1), float_value(2), chars_value("x")};
  byname_any result = none_value();
  byname_str name = str("a");
  CHECK(byname_function_call(function, arguments, 3, &result) == 0 && result.as_int == 3);
  CHECK(byname_function_call(function, NULL, 0, &result) == 0 && result.as_int == 0);
  CHECK(byname_function_call_named(function, arguments, 1, &name, 1, &result) == -1);
  CHECK_ERROR("TypeError", "function(): unexpected keyword 'a'");
  CHECK(byname_function_call_named(function, arguments, 2, NULL, 0, &result) == 0 && result.as_int == 2);
  byname_object_release(function);
}

static void a_bad_definition_drops_the_context(void) {
  num_dropped = 0;
  CHECK(make("test.bad(int a, -> int", add, new_context(1)) == NULL);
  byname_object_release(byname_error_take());
  CHECK(num_dropped == 1);
  CHECK(make("test.bad(int a) -> int", NULL, new_context(1)) == NULL);
  CHECK_ERROR("ValueError", "a definition without a callback");
  CHECK(num_dropped == 2);
}

static void callbacks_call_back_and_their_errors_pass(void) {
  byname_object* outer = make("outer(Function f, int a) -> int", call_back, NULL);
  byname_object* inner = make("inner(int a) -> int", fail, NULL);
  byname_any arguments[2];
  byname_any result = none_value();
  byname_any trace = none_value();
  byname_object* error;
  arguments[0] = object_value(inner);
  arguments[1] = int_value(7);
  CHECK(byname_function_call(outer, arguments, 2, &result) == -1);
  error = byname_error_take();
  CHECK_STR(byname_error_kind(error), "KeyError");
  CHECK_STR(byname_error_message(error), "no 7");
  CHECK(byname_error_trace(error, &trace) == 0);
  CHECK_TEXT(&trace, "outer (functions.c:1)\ninner (functions.c:1)");
  byname_object_release(error);
  byname_object_release(inner);
  byname_object_release(outer);
}

static void coercing_converts_and_calls(void) {
  byname_object* function = make("test.add(int a, int b) -> int", add, new_context(0));
  byname_any arguments[2] = {int_value(1), int_value(2)};
  byname_any result = none_value();
  arguments[1].type_index = BYNAME_BOOL;
  arguments[1].as_int = 1;
  CHECK(byname_function_coerce(function, arguments, 2, &result) == 0 && result.as_int == 2);
  byname_object_release(function);
}

static void signatures_have_ids_by_their_names(void) {
  static const char* const parts[] = {"i8", "(", "i8", NULL};
  static byname_signature first = {sizeof first, 1, NULL, NULL, NULL, parts, NULL};
  static byname_signature second = {sizeof second, 1, NULL, NULL, NULL, parts, NULL};
  static byname_signature nameless = {sizeof nameless, 1, NULL, NULL, NULL, NULL, NULL};
  CHECK(byname_signature_id(&first) != NULL);
  CHECK(byname_signature_id(&first) == byname_signature_id(&second) && first.id == second.id);
  CHECK(byname_signature_id(&nameless) == NULL);
}

/* What a callback gives is what its schema declares. */
static int give_context(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  (void)arguments;
  (void)num_arguments;
  return byname_any_copy((const byname_any*)context, result);
}

static void the_result_of_a_callback_is_checked_and_converted(void) {
  static const struct {
    const char* schema;
    const char* error; /* NULL: none */
  } cases[] = {{"f() -> int", NULL},
               {"f() -> float", NULL},
               {"f() -> Any", NULL},
               {"f() -> ...", NULL},
               {"f", NULL},
               {"f() -> str", "f(): the result expects str, got int"},
               {"f() -> ()", "f(): the result expects None, got int"},
               {"f() -> (int, str)", "f(): the result expects (int, str), got int"}};
  byname_any value = int_value(3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    byname_definition definition = {0};
    byname_any function = none_value();
    byname_any result = none_value();
    int status;
    definition.struct_size = sizeof definition;
    definition.text = str(cases[i].schema);
    definition.callback = give_context;
    definition.context = &value;
    CHECK(byname_function_new(&definition, &function) == 0);
    status = byname_function_call(function.as_object, NULL, 0, &result);
    if (cases[i].error == NULL) {
      CHECK(status == 0 && result.type_index == (i == 1 ? BYNAME_FLOAT : BYNAME_INT));
    } else {
      CHECK(status == -1 && result.type_index == BYNAME_NONE);
      CHECK_ERROR("TypeError", cases[i].error);
    }
    byname_any_drop(&function);
  }
}

static void a_caller_that_wants_another_type_raises_the_same(void) {
  byname_type type = {0};
  byname_any value = int_value(300);
  type.kind = BYNAME_KIND_STR;
  type.fixed_size = -1;
  CHECK(byname_function_refuse_result(str("f"), &value, &type) == -1);
  CHECK_ERROR("TypeError", "f(): the result expects str, got int");
  type.kind = BYNAME_KIND_INT;
  type.bits = 8;
  CHECK(byname_function_refuse_result(str(""), &value, &type) == -1);
  CHECK_ERROR("OverflowError", "function(): the result expects int8, got 300 (out of range)");
}

static void a_struct_without_its_size_is_refused(void) {
  byname_definition definition = {0};
  byname_type_decl type = {0};
  byname_class_decl class_decl = {0};
  struct byname_registration* registration = NULL;
  struct byname_class* owner = NULL;
  int32_t index = 0;
  char text[128];
  definition.text = str("test.sizeless");
  definition.callback = count;
  CHECK(byname_register(&definition, &registration) == -1);
  snprintf(text, sizeof text,
           "cannot register 'test.sizeless': expected struct_size of byname_definition to be at least %zu, got 0",
           sizeof definition);
  CHECK_ERROR("ValueError", text);
  type.key = str("test.Sizeless");
  CHECK(byname_type_register(&type, &index) == -1);
  snprintf(text, sizeof text, "expected struct_size of byname_type_decl to be at least %zu, got 0", sizeof type);
  CHECK_ERROR("ValueError", text);
  CHECK(byname_class_register(&class_decl, &owner) == -1);
  snprintf(text, sizeof text, "expected struct_size of byname_class_decl to be at least %zu, got 0", sizeof class_decl);
  CHECK_ERROR("ValueError", text);
}

int main(void) {
  the_result_of_a_callback_is_checked_and_converted();
  a_caller_that_wants_another_type_raises_the_same();
  a_struct_without_its_size_is_refused();
  a_schema_converts_fills_and_checks();
  without_a_schema_all_arguments_come_as_they_are();
  a_bad_definition_drops_the_context();
  callbacks_call_back_and_their_errors_pass();
  coercing_converts_and_calls();
  signatures_have_ids_by_their_names();
  CHECK(byname_error_take() == NULL);
  return 0;
}
