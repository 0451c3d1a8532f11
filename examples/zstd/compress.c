/* Compresses or restores a file: `compress PLUGIN compress FILE FILE.zst 19`. Nothing here knows libzstd. */
#include <byname/c_api.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static byname_str text(const char* characters) { return (byname_str){characters, strlen(characters)}; }

/* Everything below that returns int returns 0, or -1 with an error in the thread's slot. */

static int fail(const char* action, const char* path) {
  return byname_error_raisef("OSError", "cannot %s '%s': %s", action, path, strerror(errno));
}

/* What is read is to be freed, on failure too. */
static int read_file(const char* path, byname_str* out) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return fail("open", path);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  char* bytes = malloc(size + 1);
  rewind(file);
  size_t done = bytes == NULL ? 0 : fread(bytes, 1, size, file);
  *out = (byname_str){bytes, done};
  return fclose(file) == 0 && done == size ? 0 : fail("read", path);
}

static int write_file(const char* path, byname_str bytes) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) return fail("open", path);
  size_t done = fwrite(bytes.data, 1, bytes.size, file);
  return fclose(file) == 0 && done == bytes.size ? 0 : fail("write", path);
}

/* zstd.compress(input, level=…) or zstd.decompress(input). The output is to be dropped. */
static int call(const char* action, byname_str input, const char* level, byname_any* output) {
  char name[64];
  snprintf(name, sizeof(name), "zstd.%s", action);
  byname_entry* entry = byname_get(text(name));
  if (entry == NULL) return -1;
  byname_any arguments[2] = {{.type_index = BYNAME_BYTE_VIEW, .as_str = &input}, {.type_index = BYNAME_INT}};
  if (level == NULL) return byname_call(entry, arguments, 1, output);
  arguments[1].as_int = atoi(level);
  byname_str keyword = text("level");
  return byname_call_named(entry, arguments, 2, &keyword, 1, output);
}

static int run(const char* plugin, const char* action, const char* from, const char* to, const char* level) {
  byname_any module = {0};
  byname_any output = {0};
  byname_str input = {NULL, 0};
  byname_str bytes = {NULL, 0};
  int status = byname_module_load(text(plugin), text(""), &module);
  if (status == 0) status = read_file(from, &input);
  if (status == 0) status = call(action, input, level, &output);
  if (status == 0) {
    byname_any_bytes(&output, &bytes);
    status = write_file(to, bytes);
  }
  if (status == 0) {
    printf("  C       %-11s %-3s %10zu -> %10zu bytes %7.1f %%\n", action, level == NULL ? "" : level, input.size,
           bytes.size, 100.0 * bytes.size / (input.size > 0 ? input.size : 1));
  }
  free((char*)input.data);
  byname_any_drop(&output);
  byname_any_drop(&module);
  return status;
}

int main(int argc, char** argv) {
  if (argc < 5 || argc > 6) {
    fprintf(stderr, "usage: %s PLUGIN compress|decompress INPUT OUTPUT [LEVEL]\n", argv[0]);
    return 2;
  }
  if (run(argv[1], argv[2], argv[3], argv[4], argc > 5 ? argv[5] : NULL) == 0) return 0;
  byname_object* error = byname_error_take();
  byname_str kind = byname_error_kind(error);
  byname_str message = byname_error_message(error);
  fprintf(stderr, "%.*s: %.*s\n", (int)kind.size, kind.data, (int)message.size, message.data);
  byname_object_release(error);
  return 1;
}
