// The functions that the call floors call: in a shared object of their own, so that no compiler sees through the call.
#include "callee.h"

int64_t callee_add(int64_t a, int64_t b) { return a + b; }

int64_t callee_text(const char* data, size_t size, int64_t n) { return (int64_t)size + data[0] + n; }

int64_t callee_tensors(const callee_tensor* a, const callee_tensor* b) { return a->dimensions + b->dimensions; }
