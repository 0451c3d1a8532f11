/* The layouts as C sees them, and that what the library makes has them. */
#include "layout.h"

#include <string.h>

#include "check.h"

static void check_object(void) {
  byname_any text;
  const byname_string* string;
  CHECK(byname_string_new((byname_str){"eight ch", 8}, &text) == 0);
  CHECK(text.type_index == 65);
  CHECK(text.small_size == 0);
  string = (const byname_string*)(const void*)text.as_object;
  CHECK(string->header.counts == UINT64_C(0x100000001));
  CHECK(string->header.type_index == 65);
  CHECK(string->header.padding == 0);
  CHECK(string->text.data == (const char*)(string + 1));
  CHECK(string->text.size == 8);
  CHECK(memcmp(string->text.data, "eight ch", 9) == 0);
  byname_any_drop(&text);
}

static void check_small_text(void) {
  byname_any text;
  const byname_any expected = {11, 7, {.as_small = "seven c"}};
  CHECK(byname_string_new((byname_str){"seven c", 7}, &text) == 0);
  CHECK(memcmp(&text, &expected, sizeof(text)) == 0);
}

static void check_type(void) {
  const byname_type_info* info = byname_type_get(BYNAME_MAP);
  CHECK(info->type_index == BYNAME_MAP);
  CHECK(info->depth == 1);
  CHECK(info->ancestors[0] == byname_type_get(BYNAME_OBJECT));
  CHECK(byname_type_table()[BYNAME_MAP] == info);
}

int main(void) {
  check_object();
  check_small_text();
  check_type();
  return 0;
}
