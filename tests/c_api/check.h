/* What the tests in C share: checks that end the program, and values by hand. */
#ifndef BYNAME_TESTS_C_API_CHECK_H_
#define BYNAME_TESTS_C_API_CHECK_H_

#include <byname/c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      show_error();                                                           \
      exit(1);                                                                \
    }                                                                         \
  } while (0)
#define CHECK_TEXT(value, expected) check_text(__FILE__, __LINE__, (value), (expected))
#define CHECK_STR(str, expected) check_str(__FILE__, __LINE__, (str), (expected))
#define CHECK_ERROR(kind, message) check_error(__FILE__, __LINE__, (kind), (message))

static inline byname_str str(const char* text) {
  byname_str result;
  result.data = text;
  result.size = strlen(text);
  return result;
}

static inline void show_error(void) {
  byname_object* error = byname_error_take();
  if (error == NULL) return;
  fprintf(stderr, "  the error is %s: %s\n", byname_error_kind(error).data, byname_error_message(error).data);
}

static inline void check_str(const char* file, int line, byname_str got, const char* expected) {
  if (got.size == strlen(expected) && memcmp(got.data, expected, got.size) == 0) return;
  fprintf(stderr, "%s:%d: expected '%s', got '%.*s'\n", file, line, expected, (int)got.size, got.data);
  exit(1);
}

/* Drops the value. */
static inline void check_text(const char* file, int line, byname_any* value, const char* expected) {
  byname_str text = {NULL, 0};
  if (!byname_any_text(value, &text)) {
    fprintf(stderr, "%s:%d: expected text\n", file, line);
    exit(1);
  }
  check_str(file, line, text, expected);
  byname_any_drop(value);
  memset(value, 0, sizeof *value);
}

/* Takes the error of the slot. */
static inline void check_error(const char* file, int line, const char* kind, const char* message) {
  byname_object* error = byname_error_take();
  if (error == NULL) {
    fprintf(stderr, "%s:%d: expected an error\n", file, line);
    exit(1);
  }
  check_str(file, line, byname_error_kind(error), kind);
  check_str(file, line, byname_error_message(error), message);
  byname_object_release(error);
}

static inline byname_any none_value(void) {
  byname_any value;
  memset(&value, 0, sizeof value);
  return value;
}

static inline byname_any int_value(int64_t number) {
  byname_any value = none_value();
  value.type_index = BYNAME_INT;
  value.as_int = number;
  return value;
}

static inline byname_any float_value(double number) {
  byname_any value = none_value();
  value.type_index = BYNAME_FLOAT;
  value.as_float = number;
  return value;
}

static inline byname_any chars_value(const char* text) {
  byname_any value = none_value();
  value.type_index = BYNAME_CHARS;
  value.as_chars = text;
  return value;
}

static inline byname_any object_value(byname_object* object) {
  byname_any value = none_value();
  value.type_index = object->type_index;
  value.as_object = object;
  return value;
}

/* As print shows it. */
static inline void check_printed(const char* file, int line, const byname_any* value, const char* expected) {
  byname_any text = none_value();
  if (byname_any_print(value, &text) != 0) exit(1);
  check_text(file, line, &text, expected);
}
#define CHECK_PRINTED(value, expected) check_printed(__FILE__, __LINE__, (value), (expected))

#endif /* BYNAME_TESTS_C_API_CHECK_H_ */
