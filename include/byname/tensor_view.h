// The views of a tensor. Included by tensor.h; include that.
#ifndef BYNAME_TENSOR_VIEW_H_
#define BYNAME_TENSOR_VIEW_H_

#include <algorithm>
#include <string>
#include <utility>

#include "byname/tensor.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

// A description that is changed before a tensor is made of it.
struct Layout {
  explicit Layout(const Tensor& tensor)
      : shape(tensor.shape().begin(), tensor.shape().end()),
        strides(tensor.strides().begin(), tensor.strides().end()) {}
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  Tensor view_of(const Tensor& tensor) const { return tensor.view(shape, strides, offset); }
};

inline size_t dimension(const Tensor& tensor, int32_t dim) {
  int32_t counted = dim < 0 ? dim + tensor.ndim() : dim;
  if (counted < 0 || counted >= tensor.ndim()) throw_dimension(dim, tensor.ndim());
  return static_cast<size_t>(counted);
}

// A bound of a slice: counted from the end if negative, then within [least, most].
inline int64_t slice_bound(int64_t bound, int64_t size, int64_t least, int64_t most) {
  if (bound < 0) bound += size;
  return std::clamp(bound, least, most);
}

// Wraps: strides of a tensor without elements may be anything, and the core refuses a view that reaches outside.
inline int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

[[noreturn]] BYNAME_COLD inline void throw_reshape(const Tensor& tensor) {
  if (!tensor.is_contiguous()) {
    throw Error("ValueError", "expected a contiguous tensor to reshape, got one with strides (copy it first)");
  }
  throw Error("ValueError", "expected a shape of " + std::to_string(tensor.size()) + " elements");
}

}  // namespace detail

inline Tensor Tensor::view(Sizes shape, Sizes strides, int64_t offset) const {
  if (shape.span().size() != strides.span().size()) {
    detail::throw_error("ValueError", "expected as many strides as sizes");
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(offset, int64_t{dl().dtype.bits} * dl().dtype.lanes, &bytes)) {
    detail::throw_error("OverflowError", "the offset of a view is beyond all memory");
  }
  if (bytes % 8 != 0) detail::throw_error("ValueError", "expected a view that begins at a whole byte");
  byname_dl_tensor wanted = dl();
  wanted.ndim = static_cast<int32_t>(shape.span().size());
  wanted.shape = const_cast<int64_t*>(shape.span().data());
  wanted.strides = const_cast<int64_t*>(strides.span().data());
  wanted.byte_offset += static_cast<uint64_t>(bytes / 8);
  byname_any made{};
  detail::check(byname_tensor_alias(raw(), &wanted, &made));
  return adopt(made);
}

inline Tensor Tensor::slice(int32_t dim, int64_t begin, int64_t end, int64_t step) const {
  if (step == 0) detail::throw_error("ValueError", "slice step cannot be zero");
  size_t d = detail::dimension(*this, dim);
  int64_t size = shape()[d];
  int64_t least = step < 0 ? -1 : 0;
  int64_t most = step < 0 ? size - 1 : size;
  begin = detail::slice_bound(begin, size, least, most);
  end = detail::slice_bound(end, size, least, most);
  int64_t distance = step < 0 ? begin - end : end - begin;
  detail::Layout layout(*this);
  uint64_t stride = step < 0 ? -static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
  layout.shape[d] = distance <= 0 ? 0 : static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride + 1);
  // Of one element or none the stride says nothing, and could overflow.
  if (layout.shape[d] > 1) layout.strides[d] = detail::product(strides()[d], step);
  if (this->size() > 0 && layout.shape[d] > 0) layout.offset = detail::product(begin, strides()[d]);
  return layout.view_of(*this);
}

inline Tensor Tensor::select(int32_t dim, int64_t index) const {
  size_t d = detail::dimension(*this, dim);
  int64_t counted = index < 0 ? index + shape()[d] : index;
  if (counted < 0 || counted >= shape()[d]) detail::throw_error("IndexError", "tensor index out of range");
  detail::Layout layout(*this);
  if (size() > 0) layout.offset = detail::product(counted, strides()[d]);
  layout.shape.erase(layout.shape.begin() + static_cast<std::ptrdiff_t>(d));
  layout.strides.erase(layout.strides.begin() + static_cast<std::ptrdiff_t>(d));
  return layout.view_of(*this);
}

inline Tensor Tensor::reshape(Sizes wanted) const {
  std::vector<int64_t> sizes(wanted.span().begin(), wanted.span().end());
  int64_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& dim : sizes) {
    bool is_open = dim == -1 && open == nullptr;
    if (is_open) open = &dim;
    if (!is_open && (dim < 0 || __builtin_mul_overflow(known, dim, &known))) detail::throw_reshape(*this);
  }
  if (open != nullptr) *open = known == 0 ? 0 : size() / known;
  if (open != nullptr && known != 0) known *= *open;
  if (!is_contiguous() || (open != nullptr && known == 0 && size() != 0) || known != size()) {
    detail::throw_reshape(*this);
  }
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return view(sizes, strides);
}

inline Tensor Tensor::transpose(int32_t dim0, int32_t dim1) const {
  size_t a = detail::dimension(*this, dim0);
  size_t b = detail::dimension(*this, dim1);
  detail::Layout layout(*this);
  std::swap(layout.shape[a], layout.shape[b]);
  std::swap(layout.strides[a], layout.strides[b]);
  return layout.view_of(*this);
}

inline Tensor Tensor::transpose() const {
  detail::Layout layout(*this);
  std::ranges::reverse(layout.shape);
  std::ranges::reverse(layout.strides);
  return layout.view_of(*this);
}

}  // namespace byname

#endif  // BYNAME_TENSOR_VIEW_H_
