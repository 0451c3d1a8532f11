/* Errors and warnings from C. */
#include "check.h"

static void the_slot_holds_the_last_error(void) {
  CHECK(byname_error_take() == NULL);
  CHECK(byname_error_raise(str("ValueError"), str("first")) == -1);
  CHECK(byname_error_raisef("KeyError", "%s %d", "second", 2) == -1);
  CHECK_ERROR("KeyError", "second 2");
  CHECK(byname_error_take() == NULL);
}

static void long_messages_are_formatted_whole(void) {
  char text[1000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  CHECK(byname_error_raisef("ValueError", "%s", text) == -1);
  CHECK_ERROR("ValueError", text);
}

static void errors_have_causes_traces_and_go_back_into_the_slot(void) {
  byname_any cause = none_value();
  byname_any error = none_value();
  byname_any trace = none_value();
  byname_object* taken;
  CHECK(byname_error_new(str("OSError"), str("no file"), NULL, &cause) == 0);
  CHECK(byname_error_new(str("RuntimeError"), str("cannot start"), cause.as_object, &error) == 0);
  byname_any_drop(&cause);
  CHECK_STR(byname_error_message(byname_error_cause(error.as_object)), "no file");
  CHECK(byname_error_cause(byname_error_cause(error.as_object)) == NULL);
  byname_error_pass(error.as_object, str("inner"), "inner.c", 1);
  byname_error_pass(error.as_object, str("outer"), NULL, 0);
  CHECK(byname_error_trace(error.as_object, &trace) == 0);
  CHECK_TEXT(&trace, "outer\ninner (inner.c:1)");
  CHECK(byname_error_raise_object(error.as_object) == -1);
  taken = byname_error_take();
  CHECK(taken == error.as_object);
  byname_object_release(taken);
}

static void kinds_are_a_family(void) {
  CHECK(byname_error_kind_is(str("NotFound"), str("LookupError")) == 1);
  CHECK(byname_error_kind_is(str("NotFound"), str("AttributeError")) == 1);
  CHECK(byname_error_kind_is(str("NotFound"), str("ValueError")) == 0);
  CHECK(byname_error_kind_is_known(str("NotFound")) == 1);
  CHECK(byname_error_kind_is_known(str("test.c.Error")) == 0);
  CHECK(byname_error_kind_register(str("test.c.Error"), str("ValueError")) == 0);
  CHECK(byname_error_kind_is_known(str("test.c.Error")) == 1);
  CHECK(byname_error_kind_register(str("test.c.Error"), str("ValueError")) == 0);
  CHECK(byname_error_kind_is(str("test.c.Error"), str("Exception")) == 1);
  CHECK_STR(byname_error_kind_parent(str("test.c.Error")), "ValueError");
  CHECK_STR(byname_error_kind_parent(str("BaseException")), "");
  CHECK(byname_error_kind_register(str("test.c.Error"), str("KeyError")) == -1);
  CHECK_ERROR("ValueError", "error kind 'test.c.Error' is below 'ValueError' already, it cannot be below 'KeyError'");
}

static void an_exception_class_needs_a_known_parent(void) {
  byname_error_class declared;
  memset(&declared, 0, sizeof declared);
  declared.struct_size = sizeof declared;
  declared.kind = str("test.c.Orphan");
  declared.parent = str("test.c.Unknown");
  CHECK(byname_error_class_register(&declared) == -1);
  CHECK_ERROR("ValueError", "error kind 'test.c.Orphan' needs a parent that is known, got 'test.c.Unknown'");
}

static void without_an_exception_there_is_none_to_raise(void) {
  CHECK(byname_error_raise_current() == -1);
  CHECK_ERROR("RuntimeError", "no exception is being handled");
  CHECK(byname_error_raise_through(NULL) == -1);
  CHECK_ERROR("RuntimeError", "no exception is being handled");
}

static int num_warnings = 0;
static void hear(void* context, byname_str kind, byname_str message) {
  CHECK(context == &num_warnings);
  CHECK_STR(kind, "DeprecationWarning");
  CHECK_STR(message, "old");
  ++num_warnings;
}

static void warnings_go_to_the_handler(void) {
  byname_warning_handler handler = {hear, &num_warnings};
  byname_warning_handler old = {hear, NULL};
  byname_warning_handler_set(handler, &old);
  CHECK(old.function == NULL);
  byname_warn(str("DeprecationWarning"), str("old"));
  CHECK(num_warnings == 1);
  byname_warning_handler_set(old, &handler);
  CHECK(handler.function == hear);
}

int main(void) {
  the_slot_holds_the_last_error();
  long_messages_are_formatted_whole();
  errors_have_causes_traces_and_go_back_into_the_slot();
  kinds_are_a_family();
  an_exception_class_needs_a_known_parent();
  without_an_exception_there_is_none_to_raise();
  warnings_go_to_the_handler();
  CHECK(byname_error_take() == NULL);
  return 0;
}
