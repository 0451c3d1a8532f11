// expect: byname: a vector<bool> has no elements in memory
#include <byname/tensor.h>

byname::Tensor flags() { return byname::Tensor::of(std::vector<bool>{true}, {1}); }
