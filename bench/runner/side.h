// What a shared object offers to bench_runner: the loops it times.
//
// One side is one way to do the work of one row: the value (Byname), the floor or a peer. Each way sits in a shared
// object of its own and exports bench_sides(), so that floors and peers see no Byname header, all are built with the
// same flags, and the runner can alternate between them in one process.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bench_kind {
  BENCH_LOOP,     // nanoseconds of an operation
  BENCH_THREADS,  // the throughput of two threads over that of one; run() is called from both
  BENCH_FRESH  // nanoseconds of an operation, each sample in a child process of its own: what happens once in a process
               // pays for memory that nobody has touched yet
};

typedef struct bench_side {
  const char* row;         // the name in bench/results.json
  void (*prepare)(void);   // once, before the first sample; checks that the work is done right; may be null; may throw
  void (*before)(void);    // before each sample, untimed; may be null
  void (*run)(int64_t n);  // the timed loop: n operations
  void (*after)(void);     // after each sample, untimed; may be null; may throw
  int64_t fixed_count;     // operations of one sample; 0: the runner finds a count that lasts long enough
  enum bench_kind kind;
} bench_side;

// The sides of this object; they live as long as the object.
__attribute__((visibility("default"))) const bench_side* bench_sides(size_t* count);

#ifdef __cplusplus
}

// Makes the compiler believe that `value` is read, so that what made it can't be left out. A register operand for what
// fits one: a memory operand would add a store to each operation.
template <class T>
inline void keep(const T& value) {
  if constexpr (sizeof(T) <= sizeof(void*) && __is_trivially_copyable(T)) {
    asm volatile("" : : "r"(value));
  } else {
    asm volatile("" : : "m"(value) : "memory");
  }
}
#endif
