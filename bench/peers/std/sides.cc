// The peer std::function: what a typed call costs without names, checks or unloading.
#include <cstdint>
#include <functional>

#include "runner/companion.h"
#include "runner/side.h"

namespace {

using Add = std::function<int64_t(int64_t, int64_t)>;

const Add* add;

void prepare() {
  add = bench::open_function<const Add*()>(bench::companion_path(&add, "peer_std_callee.so"), "peer_std_add")();
  bench::require((*add)(40, 2) == 42, "the std::function is wrong");
}

void run(int64_t n) {
  const Add& function = *add;
  for (int64_t i = 0; i < n; ++i) keep(function(i, 1));
}

}  // namespace

const bench_side* bench_sides(size_t* count) {
  static const bench_side sides[] = {{"cpp.call.typed", prepare, nullptr, run, nullptr, 0, BENCH_LOOP}};
  *count = 1;
  return sides;
}
