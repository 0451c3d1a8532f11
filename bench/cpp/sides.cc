// The table of values that bench_runner reads. Registration comes first: it is measured on a table without other names.
#include "plugin/many.h"
#include "runner/companion.h"
#include "runner/side.h"
#include "values.h"

namespace values {

byname::Module load_plugin(const char* file) {
  return byname::load(bench::companion_path(reinterpret_cast<const void*>(&bench_sides), file));
}

byname::Handle plugin_function(const char* name) {
  load_plugin("libbench_plugin.so");
  return byname::get(name);
}

}  // namespace values

const bench_side* bench_sides(size_t* count) {
  using namespace values;
  static const bench_side sides[] = {
      {"cpp.register", prepare_register, nullptr, run_register, check_register, bench::kManyFunctions, BENCH_FRESH},
      {"cpp.call.packed", prepare_add, nullptr, run_packed, nullptr, 0, BENCH_LOOP},
      {"cpp.call.typed", prepare_add, nullptr, run_typed, nullptr, 0, BENCH_LOOP},
      {"cpp.call.string", prepare_text, nullptr, run_text, nullptr, 0, BENCH_LOOP},
      {"cpp.call.tensors", prepare_tensors, nullptr, run_tensors, nullptr, 0, BENCH_LOOP},
      {"cpp.call.c_abi", prepare_add, nullptr, run_c_abi, nullptr, 0, BENCH_LOOP},
      {"cpp.lookup", prepare_lookup, nullptr, run_lookup, nullptr, 0, BENCH_LOOP},
      {"cpp.lookup.threads", prepare_add, nullptr, run_one_lookup, nullptr, 0, BENCH_THREADS},
      {"cpp.call.threads.handle", prepare_add, nullptr, run_packed, nullptr, 0, BENCH_THREADS},
      {"cpp.call.threads.name", prepare_add, nullptr, run_call_by_lookup, nullptr, 0, BENCH_THREADS},
      {"cpp.is_instance", prepare_is_instance, nullptr, run_is_instance, nullptr, 0, BENCH_LOOP},
      {"cpp.object.make", nullptr, nullptr, run_make, nullptr, 0, BENCH_LOOP},
      {"factory.create", prepare_create, nullptr, run_create, nullptr, 0, BENCH_LOOP},
      {"factory.json", prepare_json, nullptr, run_json, nullptr, 0, BENCH_LOOP},
  };
  *count = sizeof sides / sizeof *sides;
  return sides;
}
