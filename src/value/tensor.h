// Tensors: DLPack's description of memory, and who keeps that memory.
#ifndef BYNAME_VALUE_TENSOR_H_
#define BYNAME_VALUE_TENSOR_H_

#include <cstdint>

#include "byname/c_api.h"

namespace byname::core {

inline constexpr int32_t kMaxDimensions = 64;

// What stands behind BYNAME_TENSOR in the core's own objects. Shape and strides follow it.
struct TensorObject {
  byname_tensor shared;
  uint64_t flags;
  byname_object* owner;            // whose memory it shows; NULL: its own
  void (*release)(void* context);  // gives the memory back; may be NULL
  void* context;
};

// The functions that return int raise an error and return -1 if they fail; `out` owns.

// Of fresh CPU memory, 64-byte aligned, not initialised.
int make_tensor(const int64_t* shape, int32_t ndim, byname_dtype dtype, byname_device device, byname_any* out);
// Over memory of somebody else's. On failure, too, view.release is called, once.
int wrap_tensor(const byname_tensor_view& view, byname_any* out);
// Over a part of the memory of `base`, which it keeps, and as writable as that.
int alias_tensor(const byname_object* base, const byname_dl_tensor& description, byname_any* out);

uint64_t tensor_flags(const byname_object* tensor);

// Take what they are given.
int tensor_from_dlpack(byname_dl_managed* managed, byname_dso* dso, byname_any* out);
int tensor_from_dlpack(byname_dl_managed_versioned* managed, byname_dso* dso, byname_any* out);
int tensor_to_dlpack(const byname_object* tensor, byname_dl_managed** out);
int tensor_to_dlpack(const byname_object* tensor, byname_dl_managed_versioned** out);

}  // namespace byname::core

#endif  // BYNAME_VALUE_TENSOR_H_
