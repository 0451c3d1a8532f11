#include <byname/c_api.h>
#include <stdio.h>
#include <string.h>

static byname_str str(const char* text) {
  byname_str result = {text, strlen(text)};
  return result;
}

/* Prints the version, what the plugin whose path is the first argument makes of 21, and how many names the module that
 * the second one names has; as far as there are any. */
int main(int argc, char** argv) {
  byname_any module = {0};
  byname_any number = {0};
  byname_entry* twice;
  puts(byname_version());
  if (argc < 2) return 0;
  number.type_index = BYNAME_INT;
  number.as_int = 21;
  if (byname_module_load(str(argv[1]), str(""), &module) != 0 || (twice = byname_get(str("consumer.twice"))) == NULL ||
      byname_call(twice, &number, 1, &number) != 0) {
    puts(byname_error_message(byname_error_take()).data);
    return 1;
  }
  printf("%d\n", (int)number.as_int);
  byname_any_drop(&module);
  if (argc < 3) return 0;
  if (byname_module_load(str(argv[2]), str(""), &module) != 0 || byname_module_names(module.as_object, &number) != 0) {
    puts(byname_error_message(byname_error_take()).data);
    return 1;
  }
  printf("%d\n", (int)((const byname_array*)number.as_object)->size);
  byname_any_drop(&number);
  byname_any_drop(&module);
  return 0;
}
