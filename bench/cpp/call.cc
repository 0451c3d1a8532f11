// Calls of functions of a plugin: packed, typed, with text, through the C interface.
#include <optional>
#include <stdexcept>
#include <string_view>

#include "runner/companion.h"
#include "runner/side.h"
#include "values.h"

namespace values {
namespace {

using Add = byname::TypedHandle<int64_t(int64_t, int64_t)>;

std::optional<byname::Handle> add;
std::optional<Add> typed_add;
std::optional<byname::Handle> text;

}  // namespace

void prepare_add() {
  add = plugin_function("bench.add");
  typed_add = Add(*add);
  bench::require((*add)(40, 2).to<int64_t>() == 42 && (*typed_add)(40, 2) == 42, "bench.add is wrong");
}

void run_packed(int64_t n) {
  byname::Handle function = *add;
  for (int64_t i = 0; i < n; ++i) keep(function(i, 1).to<int64_t>());
}

void run_typed(int64_t n) {
  Add function = *typed_add;
  for (int64_t i = 0; i < n; ++i) keep(function(i, 1));
}

void run_c_abi(int64_t n) {
  byname_entry* entry = add->raw();
  for (int64_t i = 0; i < n; ++i) {
    byname_any arguments[2] = {{BYNAME_INT, 0, {i}}, {BYNAME_INT, 0, {1}}};
    byname_any result = {BYNAME_NONE, 0, {0}};
    if (byname_call(entry, arguments, 2, &result) != 0) throw std::runtime_error("the call failed");
    keep(result.as_int);
  }
}

void prepare_text() {
  text = plugin_function("bench.text");
  bench::require((*text)(std::string_view("hello"), 1).to<int64_t>() == 5 + 'h' + 1, "bench.text is wrong");
}

void run_text(int64_t n) {
  byname::Handle function = *text;
  std::string_view hello = "hello";
  for (int64_t i = 0; i < n; ++i) keep(function(hello, i).to<int64_t>());
}

}  // namespace values
