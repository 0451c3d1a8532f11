// expect: byname: tensors have no elements of this type
#include <byname/tensor_of.h>

byname::DType text_elements() { return byname::DType::of<char*>(); }
