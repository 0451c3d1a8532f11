// The table of floors that bench_runner reads.
#include "floors.h"
#include "runner/side.h"

const bench_side* bench_sides(size_t* count) {
  static const bench_side sides[] = {
      {"cpp.call.packed", floors::prepare_add, nullptr, floors::run_add, nullptr, 0, BENCH_LOOP},
      {"cpp.call.typed", floors::prepare_add, nullptr, floors::run_add, nullptr, 0, BENCH_LOOP},
      {"cpp.call.string", floors::prepare_text, nullptr, floors::run_text, nullptr, 0, BENCH_LOOP},
      {"cpp.call.tensors", floors::prepare_tensors, nullptr, floors::run_tensors, nullptr, 0, BENCH_LOOP},
      {"cpp.call.c_abi", floors::prepare_add, nullptr, floors::run_add, nullptr, 0, BENCH_LOOP},
      {"cpp.lookup", floors::prepare_lookup, nullptr, floors::run_lookup, nullptr, 0, BENCH_LOOP},
      {"cpp.register", floors::prepare_register, nullptr, floors::run_register, floors::check_register, 10000,
       BENCH_FRESH},
      {"cpp.is_instance", floors::prepare_tag_compare, nullptr, floors::run_tag_compare, nullptr, 0, BENCH_LOOP},
      {"cpp.object.make", nullptr, nullptr, floors::run_make_unique, nullptr, 0, BENCH_LOOP},
      {"factory.create", floors::prepare_create, nullptr, floors::run_create, nullptr, 0, BENCH_LOOP},
      {"factory.json", floors::prepare_json, nullptr, floors::run_json, nullptr, 0, BENCH_LOOP},
  };
  *count = sizeof sides / sizeof *sides;
  return sides;
}
