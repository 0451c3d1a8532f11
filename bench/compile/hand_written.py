"""The floor: C written by hand for each function, as for an interface of tagged 16-byte values.

Each function checks how many arguments came, the type of each and the range of narrow ones, and calls for an error text
that names the function, the argument, what was expected and what came. A table of names, signatures and documentation
is handed over when the object is loaded. What reports and registers sits in the runtime.
"""

from __future__ import annotations

from .functions import Function

PREAMBLE = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TYPE_NONE = 0, TYPE_INT = 1, TYPE_BOOL = 2, TYPE_FLOAT = 3, TYPE_SMALL_STR = 11, TYPE_STR = 65 };

typedef struct text {
  const char* data;
  size_t size;
} text;

typedef struct object {
  uint64_t count;
  int32_t type;
  int32_t padding;
  void (*deleter)(void*, int);
  text characters;
} object;

typedef struct any {
  int32_t type;
  uint32_t small_size;
  union {
    int64_t as_int;
    double as_float;
    char small[8];
    const object* as_object;
  };
} any;

typedef struct function {
  const char* name;
  const char* signature;
  const char* documentation;
  int (*call)(void* self, const any* arguments, int32_t count, any* result);
} function;

extern void runtime_register(const function* functions, size_t count);
extern int runtime_count_error(const function* self, int32_t count);
extern int runtime_type_error(const function* self, int32_t position, const any* argument);
extern int runtime_range_error(const function* self, int32_t position, const any* argument);

static volatile int64_t sink;
static const function functions[];
"""

# What reads argument {i} into {name}, or leaves with an error.
READ = {
    "int": """\
  if (arguments[{i}].type != TYPE_INT && arguments[{i}].type != TYPE_BOOL)
    return runtime_type_error(self, {i}, &arguments[{i}]);
  int64_t {name} = arguments[{i}].as_int;
""",
    "int32": """\
  if (arguments[{i}].type != TYPE_INT && arguments[{i}].type != TYPE_BOOL)
    return runtime_type_error(self, {i}, &arguments[{i}]);
  if (arguments[{i}].as_int < INT32_MIN || arguments[{i}].as_int > INT32_MAX)
    return runtime_range_error(self, {i}, &arguments[{i}]);
  int32_t {name} = (int32_t)arguments[{i}].as_int;
""",
    "bool": """\
  if (arguments[{i}].type != TYPE_BOOL) return runtime_type_error(self, {i}, &arguments[{i}]);
  bool {name} = arguments[{i}].as_int != 0;
""",
    "float": """\
  double {name};
  if (arguments[{i}].type == TYPE_FLOAT) {name} = arguments[{i}].as_float;
  else if (arguments[{i}].type == TYPE_INT) {name} = (double)arguments[{i}].as_int;
  else return runtime_type_error(self, {i}, &arguments[{i}]);
""",
    "float32": """\
  float {name};
  if (arguments[{i}].type == TYPE_FLOAT) {name} = (float)arguments[{i}].as_float;
  else if (arguments[{i}].type == TYPE_INT) {name} = (float)arguments[{i}].as_int;
  else return runtime_type_error(self, {i}, &arguments[{i}]);
""",
    "str": """\
  text {name};
  if (arguments[{i}].type == TYPE_SMALL_STR) {name} = (text){{arguments[{i}].small, arguments[{i}].small_size}};
  else if (arguments[{i}].type == TYPE_STR) {name} = arguments[{i}].as_object->characters;
  else return runtime_type_error(self, {i}, &arguments[{i}]);
""",
}

STORE = {
    "int": "  result->type = TYPE_INT;\n  result->as_int = {body};\n",
    "float": "  result->type = TYPE_FLOAT;\n  result->as_float = {body};\n",
    "bool": "  result->type = TYPE_BOOL;\n  result->as_int = {body};\n",
    "none": "  {body};\n  result->type = TYPE_NONE;\n  result->as_int = 0;\n",
}

KIND_NAMES = {"int": "int", "int32": "int32", "float": "float", "float32": "float32", "bool": "bool", "str": "str"}


def definition(function: Function) -> str:
    body = function.body.replace("static_cast<int64_t>(s.size())", "(int64_t)s.size").replace("s.size()", "s.size")
    reads = "".join(READ[kind].format(i=i, name=name) for i, (kind, name) in enumerate(function.parameters))
    count = len(function.parameters)
    return (
        f"\nstatic int {function.name}(void* cell, const any* arguments, int32_t count, any* result) {{\n"
        f"  (void)cell;\n  (void)arguments;\n"
        f"  const function* self = &functions[{function.index}];\n"
        f"  if (count != {count}) return runtime_count_error(self, count);\n"
        f"{reads}  result->small_size = 0;\n{STORE[function.result].format(body=body)}  return 0;\n}}\n"
    )


def entry(function: Function) -> str:
    parameters = ", ".join(f"{KIND_NAMES[kind]} {name}" for kind, name in function.parameters)
    result = {"none": "()"}.get(function.result, function.result)
    signature = f"{function.name}({parameters}) -> {result}"
    return f'  {{"bench.{function.name}", "{signature}", "{function.documentation}", {function.name}}},\n'


def source(functions: list[Function]) -> str:
    return (
        PREAMBLE
        + "".join(map(definition, functions))
        + "\nstatic const function functions[] = {\n"
        + "".join(map(entry, functions))
        + "};\n\n__attribute__((constructor)) static void register_all(void) {\n"
        + "  runtime_register(functions, sizeof functions / sizeof *functions);\n}\n"
    )
