// The functions of tensors.
#include <byname/byname.h>

#include <cstdint>

BYNAME_LIBRARY("bench", lib) {
  lib.def("tensors",
          [](const byname::Tensor& a, const byname::Tensor& b) { return static_cast<int64_t>(a.ndim() + b.ndim()); });
  lib.def("size", [](const byname::Tensor& x) { return x.shape()[0]; });
}
