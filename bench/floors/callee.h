// What floors/callee.c offers; looked up with dlsym, never linked.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct callee_tensor {
  void* data;
  int32_t dimensions;
  const int64_t* shape;
} callee_tensor;

__attribute__((visibility("default"))) int64_t callee_add(int64_t a, int64_t b);
__attribute__((visibility("default"))) int64_t callee_text(const char* data, size_t size, int64_t n);
__attribute__((visibility("default"))) int64_t callee_tensors(const callee_tensor* a, const callee_tensor* b);
__attribute__((visibility("default"))) void callee_throw(void);  // always throws std::runtime_error

#ifdef __cplusplus
}
#endif
