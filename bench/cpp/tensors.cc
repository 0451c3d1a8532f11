// A call with two tensors.
#include <optional>

#include "runner/companion.h"
#include "runner/side.h"
#include "values.h"

namespace values {
namespace {

std::optional<byname::Handle> tensors;

byname::Tensor make_tensor() { return byname::Tensor::empty({3, 4}, byname::DType::of<float>()); }

}  // namespace

void prepare_tensors() {
  tensors = plugin_function("bench.tensors");
  bench::require((*tensors)(make_tensor(), make_tensor()).to<int64_t>() == 4, "bench.tensors is wrong");
}

void run_tensors(int64_t n) {
  byname::Handle function = *tensors;
  byname::Tensor first = make_tensor();
  byname::Tensor second = make_tensor();
  for (int64_t i = 0; i < n; ++i) keep(function(first, second).to<int64_t>());
}

}  // namespace values
