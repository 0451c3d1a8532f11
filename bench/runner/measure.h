// Samples of the sides of one row, taken in turn.
//
// Why not Google Benchmark: it finishes all repetitions of one benchmark before the next begins (random interleaving
// shuffles repetitions but can't pair them), and it has no shared clock per repeat. On a machine that others use, value
// and floor then see different machines, and their ratio wanders by 20 %. Here each repeat times every side once, in
// turn, and the ratio is taken within the repeat.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>
#include <vector>

#include "side.h"

namespace bench {

struct Options {
  int repeats = 15;
  double sample_seconds = 0.004;
  cpu_set_t allowed;  // the CPUs the process may use; the two-thread rows take the last two
};

struct LabelledSide {
  std::string label;
  const bench_side* side;
  std::string error;            // why it could not be measured; empty: it was
  int64_t count = 0;            // operations of one sample
  std::vector<double> samples;  // nanoseconds of an operation, or the scaling; one a repeat
};

// Prepares, calibrates and measures all sides of one row. What a side throws becomes its `error`; the others go on.
void measure(std::vector<LabelledSide>& sides, const Options& options);

}  // namespace bench
