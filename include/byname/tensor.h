// Tensors: typed, strided memory, shared without copies through DLPack.
#ifndef BYNAME_TENSOR_H_
#define BYNAME_TENSOR_H_

#include <initializer_list>
#include <span>
#include <vector>

#include "byname/device.h"
#include "byname/dtype.h"

namespace byname {

// Sizes that may be written as {2, 3}.
class Sizes {
 public:
  Sizes(std::initializer_list<int64_t> sizes) noexcept : sizes_(sizes.begin(), sizes.size()) {}  // NOLINT
  Sizes(std::span<const int64_t> sizes) noexcept : sizes_(sizes) {}                              // NOLINT
  Sizes(const std::vector<int64_t>& sizes) noexcept : sizes_(sizes) {}                           // NOLINT
  std::span<const int64_t> span() const noexcept { return sizes_; }

 private:
  std::span<const int64_t> sizes_;
};

// A reference to a tensor; copies share it and its memory. Never null, except after a move. Reading the description
// from several threads is safe; who writes elements must see to it that nobody else is at them.
class Tensor {
 public:
  // Fresh CPU memory, 64-byte aligned, not initialised. Throws ValueError, OverflowError, MemoryError.
  static Tensor empty(Sizes shape, DType dtype) {
    byname_any made{};
    std::span<const int64_t> sizes = shape.span();
    detail::check(byname_tensor_new(sizes.data(), static_cast<int32_t>(sizes.size()), dtype.raw(),
                                    Device(DeviceType::kCpu).raw(), &made));
    return adopt(made);
  }
  // Over the elements of a vector, which it keeps. Their number must be the shape's.
  template <class T>
  static Tensor of(std::vector<T> elements, Sizes shape);
  // Over memory that somebody else gives back, see byname_tensor_view.
  static Tensor wrap(const byname_tensor_view& view) {
    byname_any made{};
    detail::check(byname_tensor_wrap(&view, &made));
    return adopt(made);
  }
  // Take the managed tensor, also if they throw: ValueError for one that describes no tensor, BufferError for another
  // major version. The tensor keeps the calling module's code, which the deleter may be.
  static Tensor from_dlpack(byname_dl_managed* managed) {
    byname_any made{};
    detail::check(byname_tensor_from_dlpack(managed, &detail::this_dso, &made));
    return adopt(made);
  }
  static Tensor from_dlpack(byname_dl_managed_versioned* managed) {
    byname_any made{};
    detail::check(byname_tensor_from_dlpack_versioned(managed, &detail::this_dso, &made));
    return adopt(made);
  }
  // Takes a reference.
  Tensor(byname_tensor* taken, Adopt) noexcept : data_(reinterpret_cast<Data*>(taken), Adopt()) {}

  // To be given to somebody who calls its deleter. The first form throws BufferError if the tensor is read-only.
  byname_dl_managed* to_dlpack() const {
    byname_dl_managed* managed = nullptr;
    detail::check(byname_tensor_to_dlpack(raw(), &managed));
    return managed;
  }
  byname_dl_managed_versioned* to_dlpack_versioned() const {
    byname_dl_managed_versioned* managed = nullptr;
    detail::check(byname_tensor_to_dlpack_versioned(raw(), &managed));
    return managed;
  }

  int32_t ndim() const noexcept { return dl().ndim; }
  std::span<const int64_t> shape() const noexcept { return {dl().shape, static_cast<size_t>(dl().ndim)}; }
  // In elements.
  std::span<const int64_t> strides() const noexcept { return {dl().strides, static_cast<size_t>(dl().ndim)}; }
  DType dtype() const noexcept { return DType(dl().dtype); }
  Device device() const noexcept { return Device(dl().device); }
  // How many elements there are.
  int64_t size() const noexcept {
    int64_t count = 1;
    for (int64_t dim : shape()) count *= dim;
    return count;
  }
  // The bytes of so many elements side by side.
  int64_t nbytes() const noexcept { return (size() * dl().dtype.bits * dl().dtype.lanes + 7) / 8; }
  // Whether the elements stand side by side in row-major order.
  bool is_contiguous() const noexcept;
  bool is_read_only() const noexcept { return (byname_tensor_flags(raw()) & BYNAME_DL_READ_ONLY) != 0; }
  // The address of the first element, on whatever device it is.
  void* address() const noexcept { return static_cast<char*>(dl().data) + dl().byte_offset; }
  // The same for elements of type T: throws TypeError for another dtype, and for a T that is not const if the tensor is
  // read-only. Elements are `strides` apart.
  template <class T>
  T* data() const;

  // Views: other descriptions of the same memory, which they keep. Dimensions may be counted from the end, -1 the last;
  // IndexError if there is no such dimension.
  //
  // Of the given shape, element (0, 0, ...) `offset` elements behind this one's. ValueError if it reaches outside.
  Tensor view(Sizes shape, Sizes strides, int64_t offset = 0) const;
  // The elements begin, begin + step, ... before `end` of a dimension, as Python's slices count.
  Tensor slice(int32_t dim, int64_t begin, int64_t end, int64_t step = 1) const;
  // The part at one index of a dimension, without that dimension. IndexError.
  Tensor select(int32_t dim, int64_t index) const;
  // The same elements in row-major order; one size may be -1. ValueError if sizes do not fit, or the tensor is not
  // contiguous.
  Tensor reshape(Sizes shape) const;
  Tensor transpose(int32_t dim0, int32_t dim1) const;
  // With the dimensions in reverse order.
  Tensor transpose() const;

  const byname_dl_tensor& dl() const noexcept { return data_->dl; }
  byname_object* raw() const noexcept { return data_->raw(); }
  // Whether both are one tensor; elements are not compared.
  friend bool operator==(const Tensor& a, const Tensor& b) noexcept { return a.data_ == b.data_; }

 private:
  friend struct Convert<Tensor>;
  // byname_tensor as an object.
  struct Data : Object {
    byname_dl_tensor dl;
  };
  static_assert(sizeof(Data) == sizeof(byname_tensor));
  static Tensor adopt(const byname_any& made) noexcept {
    return {reinterpret_cast<byname_tensor*>(made.as_object), Adopt()};
  }
  Ref<Data> data_;
};

namespace detail BYNAME_HIDDEN {

// Throws TypeError unless elements of a tensor may be seen as `dtype`.
BYNAME_COLD inline void throw_elements(const Tensor& tensor, DType dtype) {
  if (tensor.dtype() != dtype) {
    throw Error("TypeError", "expected a tensor of " + dtype.print() + ", got one of " + tensor.dtype().print());
  }
  throw Error("TypeError", "expected a writable tensor, got a read-only one");
}

BYNAME_COLD inline void throw_dimension(int64_t dim, int32_t ndim) {
  throw Error("IndexError",
              "expected a dimension of a tensor of " + std::to_string(ndim) + ", got " + std::to_string(dim));
}

// Whether elements stand side by side in row-major order.
inline bool is_contiguous(const byname_dl_tensor& dl) noexcept {
  int64_t expected = 1;
  bool is_compact = true;
  for (int32_t i = dl.ndim; i-- > 0;) {
    if (dl.shape[i] == 0) return true;
    if (dl.shape[i] != 1 && dl.strides[i] != expected) is_compact = false;
    expected *= dl.shape[i];
  }
  return is_compact;
}

}  // namespace detail

inline bool Tensor::is_contiguous() const noexcept { return detail::is_contiguous(dl()); }

template <class T>
T* Tensor::data() const {
  if (dtype() != DType::of<T>() || (!std::is_const_v<T> && is_read_only())) {
    detail::throw_elements(*this, DType::of<T>());
  }
  return static_cast<T*>(address());
}

template <class T>
Tensor Tensor::of(std::vector<T> elements, Sizes shape) {
  static_assert(!std::is_same_v<T, bool>, "byname: a vector<bool> has no elements in memory");
  int64_t count = 1;
  for (int64_t dim : shape.span()) count *= dim;
  if (count != static_cast<int64_t>(elements.size())) {
    throw Error("ValueError", "expected " + std::to_string(count) + " elements for the shape, got " +
                                  std::to_string(elements.size()));
  }
  auto* kept = new std::vector<T>(std::move(elements));
  byname_tensor_view view{};
  view.tensor = {kept->data(),
                 Device().raw(),
                 static_cast<int32_t>(shape.span().size()),
                 DType::of<T>().raw(),
                 const_cast<int64_t*>(shape.span().data()),
                 nullptr,
                 0};
  view.context = kept;
  view.release = [](void* context) { delete static_cast<std::vector<T>*>(context); };
  view.dso = &detail::this_dso;
  return wrap(view);
}

template <>
inline constexpr const char* kPortableName<Tensor> = "tensor";

template <>
struct Convert<Tensor> : detail::HeldByBorrow<Tensor> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_TENSOR);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, detail::Borrowed<Tensor>& to) noexcept {
    to.set(reinterpret_cast<byname_tensor*>(from.as_object));
    return from.type_index == BYNAME_TENSOR;
  }
  static byname_any pack(const Tensor& value, Side) noexcept { return detail::any_object(value.raw()); }
  static void store(byname_any* out, Tensor value) noexcept { *out = detail::any_object(value.data_.leak()->raw()); }
};

}  // namespace byname

#include "byname/tensor_view.h"

#endif  // BYNAME_TENSOR_H_
