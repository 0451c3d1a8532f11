#include "value/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "object/pool.h"
#include "value/dtype.h"
#include "value/error.h"
#include "value/print.h"
#include "value/value.h"

namespace byname::core {
namespace {

constexpr size_t kAlignment = 64;
constexpr int32_t kCpu = 1;

void destroy_tensor(void* object) {
  auto* tensor = static_cast<TensorObject*>(object);
  if (tensor->release != nullptr) tensor->release(tensor->context);
  byname_object_release(tensor->owner);
}

constinit CoreClass tensor_class(BYNAME_TENSOR, sizeof(TensorObject), alignof(TensorObject), &destroy_tensor);

// Tensors whose release function is a module's keep that module's code.
byname_class* class_for(byname_dso* dso) {
  if (dso == nullptr) return &tensor_class;
  byname_class_decl decl = {sizeof(byname_class_decl), BYNAME_TENSOR,   sizeof(TensorObject),
                            alignof(TensorObject),     &destroy_tensor, dso};
  byname_class* owner = nullptr;
  return byname_class_register(&decl, &owner) == 0 ? owner : nullptr;
}

std::string shape_text(std::span<const int64_t> shape) {
  std::string text = "(";
  for (int64_t dim : shape) text.append(text.size() > 1 ? ", " : "").append(std::to_string(dim));
  return text.append(shape.size() == 1 ? ",)" : ")");
}

int refuse(std::string_view kind, const std::string& message) { return raise(kind, message); }

// How many bytes the elements take when they stand side by side; -1: more than there can be.
int64_t byte_size(std::span<const int64_t> shape, byname_dtype dtype) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  int64_t bits = int64_t{dtype.bits} * dtype.lanes;
  for (int64_t dim : shape) {
    if (__builtin_mul_overflow(bits, dim, &bits)) return -1;
  }
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

// What a description must be, wherever it comes from, but for its data.
int check_description(const byname_dl_tensor& dl) {
  if (dl.ndim < 0 || dl.ndim > kMaxDimensions) {
    return refuse("ValueError", "expected a tensor of at most " + std::to_string(kMaxDimensions) +
                                    " dimensions, got one of " + std::to_string(dl.ndim));
  }
  if (dl.ndim > 0 && dl.shape == nullptr) return refuse("ValueError", "expected a tensor with a shape, got none");
  if (dl.dtype.bits == 0 || dl.dtype.lanes == 0) {
    return refuse("ValueError", "expected a tensor whose elements have a size, got dtype " + print_dtype(dl.dtype));
  }
  std::span<const int64_t> shape(dl.shape, static_cast<size_t>(dl.ndim));
  if (std::ranges::any_of(shape, [](int64_t dim) { return dim < 0; })) {
    return refuse("ValueError", "expected a tensor with sizes of at least 0, got shape " + shape_text(shape));
  }
  // Strides multiply up the sizes even if one of them is 0.
  int64_t product = int64_t{dl.dtype.bits} * dl.dtype.lanes;
  for (int64_t dim : shape) {
    if (!__builtin_mul_overflow(product, std::max<int64_t>(dim, 1), &product)) continue;
    return refuse("OverflowError", "a tensor of shape " + shape_text(shape) + " and dtype " + print_dtype(dl.dtype) +
                                       " does not fit in memory");
  }
  return 0;
}

int check_data(const byname_dl_tensor& dl) {
  std::span<const int64_t> shape(dl.shape, static_cast<size_t>(dl.ndim));
  if (dl.data != nullptr || byte_size(shape, dl.dtype) == 0) return 0;
  return refuse("ValueError", "expected a tensor with data, got none for shape " + shape_text(shape));
}

// An object with the description copied and nothing to release yet; NULL, and an error raised, if there is no memory.
TensorObject* allocate_tensor(byname_class* owner, const byname_dl_tensor& dl) {
  auto ndim = static_cast<size_t>(dl.ndim);
  void* memory = owner == nullptr ? nullptr : allocate(owner, 2 * ndim * sizeof(int64_t));
  if (memory == nullptr) return nullptr;
  byname_object_init(memory, BYNAME_TENSOR);
  auto* tensor = static_cast<TensorObject*>(memory);
  tensor->shared.dl = dl;
  auto* shape = reinterpret_cast<int64_t*>(tensor + 1);
  int64_t* strides = shape + ndim;
  std::copy_n(dl.shape, ndim, shape);
  if (dl.strides != nullptr) {
    std::copy_n(dl.strides, ndim, strides);
  } else {
    int64_t stride = 1;
    for (size_t i = ndim; i-- > 0;) {
      strides[i] = stride;
      stride *= std::max<int64_t>(shape[i], 1);
    }
  }
  tensor->shared.dl.shape = shape;
  tensor->shared.dl.strides = strides;
  tensor->flags = 0;
  tensor->owner = nullptr;
  tensor->release = nullptr;
  tensor->context = nullptr;
  return tensor;
}

const byname_dl_tensor& description_of(const byname_object* tensor) {
  return reinterpret_cast<const byname_tensor*>(tensor)->dl;
}

// The bytes from the first to behind the last that elements take, relative to `data`; false: none are taken, or more
// than can be counted.
bool byte_range(const byname_dl_tensor& dl, __int128& first, __int128& end) {
  __int128 low = 0;
  __int128 high = 0;
  for (int32_t i = 0; i < dl.ndim; ++i) {
    if (dl.shape[i] == 0) return false;
    __int128 reach = static_cast<__int128>(dl.shape[i] - 1) * dl.strides[i];
    (reach < 0 ? low : high) += reach;
  }
  __int128 bits = int64_t{dl.dtype.bits} * dl.dtype.lanes;
  first = dl.byte_offset - (-low * bits + 7) / 8;  // both round outwards
  end = dl.byte_offset + ((high + 1) * bits + 7) / 8;
  return true;
}

bool reaches_outside(const byname_dl_tensor& base, const byname_dl_tensor& view) {
  __int128 base_first = 0;
  __int128 base_end = 0;
  __int128 first = 0;
  __int128 end = 0;
  if (!byte_range(view, first, end)) return false;
  return !byte_range(base, base_first, base_end) || first < base_first || end > base_end;
}

}  // namespace

int make_tensor(const int64_t* shape, int32_t ndim, byname_dtype dtype, byname_device device, byname_any* out) {
  byname_dl_tensor dl = {nullptr, device, ndim, dtype, const_cast<int64_t*>(shape), nullptr, 0};
  if (check_description(dl) != 0) return -1;
  if (device.type != kCpu) {
    return refuse("ValueError",
                  "expected device 'cpu', got '" + print_device(device) + "' (wrap memory of that device)");
  }
  TensorObject* tensor = allocate_tensor(&tensor_class, dl);
  if (tensor == nullptr) return -1;
  OwnedAny made(object_value(&tensor->shared.header));
  int64_t size = byte_size({shape, static_cast<size_t>(ndim)}, dtype);
  // At least one unit, so that data is never NULL.
  size_t rounded = (static_cast<size_t>(std::max<int64_t>(size, 1)) + kAlignment - 1) / kAlignment * kAlignment;
  void* data = std::aligned_alloc(kAlignment, rounded);
  if (data == nullptr) return raise_out_of_memory();
  tensor->shared.dl.data = tensor->context = data;
  tensor->release = &std::free;
  *out = made.take();
  return 0;
}

int wrap_tensor(const byname_tensor_view& view, byname_any* out) {
  TensorObject* tensor = nullptr;
  int status = guarded([&] {
    if (check_description(view.tensor) != 0 || check_data(view.tensor) != 0) return -1;
    tensor = allocate_tensor(class_for(view.dso), view.tensor);
    return tensor == nullptr ? -1 : 0;
  });
  if (status != 0) {
    // The release function may use the slot.
    byname_object* error = std::exchange(byname_this_thread.error, nullptr);
    if (view.release != nullptr) view.release(view.context);
    return raise_object(error);
  }
  tensor->flags = view.flags & BYNAME_DL_READ_ONLY;
  tensor->release = view.release;
  tensor->context = view.context;
  *out = object_value(&tensor->shared.header);
  return 0;
}

int alias_tensor(const byname_object* base, const byname_dl_tensor& wanted, byname_any* out) {
  const byname_dl_tensor& from = description_of(base);
  byname_dl_tensor dl = wanted;
  dl.data = from.data;
  dl.device = from.device;
  if (check_description(dl) != 0) return -1;
  TensorObject* tensor = allocate_tensor(&tensor_class, dl);
  if (tensor == nullptr) return -1;
  OwnedAny made(object_value(&tensor->shared.header));
  if (reaches_outside(from, tensor->shared.dl)) {
    return refuse("ValueError", "a view of shape " + shape_text({dl.shape, static_cast<size_t>(dl.ndim)}) +
                                    " reaches outside of its tensor");
  }
  // A view of a view keeps what the first one shows: no chains.
  byname_object* owner = const_cast<byname_object*>(base);
  if (byname_is_own(base)) {
    byname_object* root = reinterpret_cast<const TensorObject*>(base)->owner;
    if (root != nullptr) owner = root;
  }
  byname_object_retain(owner);
  tensor->owner = owner;
  tensor->flags = tensor_flags(base);
  *out = made.take();
  return 0;
}

uint64_t tensor_flags(const byname_object* tensor) {
  return byname_is_own(tensor) ? reinterpret_cast<const TensorObject*>(tensor)->flags : 0;
}

}  // namespace byname::core
