// Floors of the call rows: a call through a raw function pointer into another shared object.
#include "callee.h"
#include "floors.h"
#include "runner/companion.h"
#include "runner/side.h"

namespace floors {
namespace {

decltype(&callee_add) add;
decltype(&callee_text) text;
decltype(&callee_tensors) tensors;

template <class Function>
void open(Function*& function, const char* symbol) {
  function = bench::open_function<Function>(bench::companion_path(&add, "bench_callee.so"), symbol);
}

}  // namespace

void prepare_add() {
  open(add, "callee_add");
  bench::require(add(40, 2) == 42, "callee_add is wrong");
}

void run_add(int64_t n) {
  auto* function = add;
  for (int64_t i = 0; i < n; ++i) keep(function(i, 1));
}

void prepare_text() {
  open(text, "callee_text");
  bench::require(text("hello", 5, 1) == 5 + 'h' + 1, "callee_text is wrong");
}

void run_text(int64_t n) {
  auto* function = text;
  for (int64_t i = 0; i < n; ++i) keep(function("hello", 5, i));
}

namespace {
const int64_t shape[2] = {3, 4};
callee_tensor first = {nullptr, 2, shape};
callee_tensor second = {nullptr, 2, shape};
}  // namespace

void prepare_tensors() {
  open(tensors, "callee_tensors");
  bench::require(tensors(&first, &second) == 4, "callee_tensors is wrong");
}

void run_tensors(int64_t n) {
  auto* function = tensors;
  for (int64_t i = 0; i < n; ++i) keep(function(&first, &second));
}

}  // namespace floors
