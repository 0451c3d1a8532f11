// The floor of trace.off: the loop of cpp.call.packed over a library that cannot trace.
#include "cpp/values.h"
#include "runner/companion.h"
#include "runner/side.h"

namespace values {

byname::Handle plugin_function(const char* name) {
  byname::load(bench::companion_path(reinterpret_cast<const void*>(&bench_sides), "libbench_untraced_plugin.so"));
  return byname::get(name);
}

}  // namespace values

const bench_side* bench_sides(size_t* count) {
  static const bench_side sides[] = {
      {"cpp.call.packed", values::prepare_add, nullptr, values::run_packed, nullptr, 0, BENCH_LOOP}};
  *count = 1;
  return sides;
}
