// Tensors whose element type, rank, layout and place are known: checked once, on entry.
//
//   lib.def("dot", [](byname::TensorOf<const float, 1> x, byname::TensorOf<const float, 1> y) {
//     float sum = 0;
//     for (int64_t i = 0; i < std::min(x.size(), y.size()); ++i) sum += x(i) * y(i);
//     return sum;
//   });
#ifndef BYNAME_TENSOR_OF_H_
#define BYNAME_TENSOR_OF_H_

#include "byname/tensor.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

constexpr byname_type tensor_type(const byname_tensor_spec* spec) {
  byname_type type = simple_type(BYNAME_KIND_TENSOR);
  type.tensor = spec;
  return type;
}

}  // namespace detail

// A contiguous CPU tensor of elements T (const: read-only ones will do) with NumDims dimensions (-1: any number).
template <class T, int32_t NumDims = -1>
class TensorOf {
 public:
  using element_type = T;
  // Throws TypeError if the tensor is no such one.
  explicit TensorOf(const Tensor& tensor)
      : TensorOf(detail::convert_to<TensorOf>(Convert<Tensor>::pack(tensor, detail::NoSide()))) {}
  // Takes a reference to a tensor that is one.
  TensorOf(byname_tensor* taken, Adopt) noexcept : tensor_(taken, Adopt()), data_(static_cast<T*>(tensor_.address())) {}

  T* data() const noexcept { return data_; }
  std::span<const int64_t> shape() const noexcept { return tensor_.shape(); }
  int64_t shape(int32_t dim) const noexcept { return tensor_.dl().shape[dim]; }
  int32_t ndim() const noexcept { return tensor_.ndim(); }
  int64_t size() const noexcept { return tensor_.size(); }
  // All elements in row-major order.
  std::span<T> span() const noexcept { return {data_, static_cast<size_t>(size())}; }
  // The element at an index for each dimension. No check.
  template <std::integral... Index>
    requires(NumDims < 0 || sizeof...(Index) == static_cast<size_t>(NumDims))
  T& operator()(Index... index) const noexcept {
    int64_t place = 0;
    [[maybe_unused]] const int64_t* dim = tensor_.dl().shape;
    ((place = place * *dim++ + static_cast<int64_t>(index)), ...);
    return data_[place];
  }
  const Tensor& tensor() const noexcept { return tensor_; }

 private:
  Tensor tensor_;
  T* data_;
};

template <class T, int32_t NumDims>
struct Convert<TensorOf<T, NumDims>> : detail::HeldByBorrow<TensorOf<T, NumDims>> {
  static constexpr byname_tensor_spec kSpec = {
      DType::of<T>().raw(), NumDims, static_cast<int32_t>(DeviceType::kCpu), 1, !std::is_const_v<T>, alignof(T)};
  static constexpr byname_type kType = detail::tensor_type(&kSpec);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<TensorOf<T, NumDims>>& to) noexcept {
    if (from.type_index != BYNAME_TENSOR) return false;
    auto* tensor = reinterpret_cast<byname_tensor*>(from.as_object);
    const byname_dl_tensor& dl = tensor->dl;
    if (DType(dl.dtype) != DType::of<T>() || (NumDims >= 0 && dl.ndim != NumDims)) return false;
    if (dl.device.type != kSpec.device_type || !detail::is_contiguous(dl)) return false;
    if (!std::is_const_v<T> && (byname_tensor_flags(from.as_object) & BYNAME_DL_READ_ONLY) != 0) return false;
    if ((reinterpret_cast<uintptr_t>(dl.data) + dl.byte_offset) % alignof(T) != 0) return false;
    to.set(tensor);
    return true;
  }
  static byname_any pack(const TensorOf<T, NumDims>& value, Side) noexcept {
    return detail::any_object(value.tensor().raw());
  }
  static void store(byname_any* out, const TensorOf<T, NumDims>& value) noexcept {
    Convert<Tensor>::store(out, value.tensor());
  }
};

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_unvisited(DType dtype) {
  throw Error("TypeError", "dtype '" + dtype.print() + "' is none of those that are handled here");
}

template <class... T>
struct Types {};
using ArithmeticTypes =
    Types<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t, uint16_t, uint32_t, uint64_t>;

template <class Fn, class First, class... Rest>
decltype(auto) visit_types(Types<First, Rest...>, DType dtype, Fn& fn) {
  using R = decltype(fn(std::type_identity<First>()));
  if constexpr (sizeof...(Rest) == 0) {
    if (dtype != DType::of<First>()) throw_unvisited(dtype);
    return static_cast<R>(fn(std::type_identity<First>()));
  } else {
    if (dtype != DType::of<First>()) return static_cast<R>(visit_types(Types<Rest...>(), dtype, fn));
    return static_cast<R>(fn(std::type_identity<First>()));
  }
}

}  // namespace detail

// Calls `fn` with std::type_identity<U> for the U that a dtype is and returns what it returns. U is one of T..., or, if
// those are not given, of bool and the integer and floating-point types of C++. Throws TypeError if it is none of them.
template <class... T, class Fn>
decltype(auto) visit_dtype(DType dtype, Fn&& fn) {
  if constexpr (sizeof...(T) == 0) {
    return detail::visit_types(detail::ArithmeticTypes(), dtype, fn);
  } else {
    return detail::visit_types(detail::Types<T...>(), dtype, fn);
  }
}

}  // namespace byname

#endif  // BYNAME_TENSOR_OF_H_
