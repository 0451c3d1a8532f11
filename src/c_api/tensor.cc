// Tensors behind the C interface.
#include "value/tensor.h"

#include "value/error.h"

using namespace byname;

int byname_tensor_new(const int64_t* shape, int32_t ndim, byname_dtype dtype, byname_device device, byname_any* out) {
  return core::guarded([&] { return core::make_tensor(shape, ndim, dtype, device, out); });
}

int byname_tensor_wrap(const byname_tensor_view* view, byname_any* out) { return core::wrap_tensor(*view, out); }

int byname_tensor_alias(const byname_object* base, const byname_dl_tensor* description, byname_any* out) {
  return core::guarded([&] { return core::alias_tensor(base, *description, out); });
}

int byname_tensor_from_dlpack(byname_dl_managed* managed, byname_dso* dso, byname_any* out) {
  return core::guarded([&] { return core::tensor_from_dlpack(managed, dso, out); });
}

int byname_tensor_from_dlpack_versioned(byname_dl_managed_versioned* managed, byname_dso* dso, byname_any* out) {
  return core::guarded([&] { return core::tensor_from_dlpack(managed, dso, out); });
}

int byname_tensor_to_dlpack(const byname_object* tensor, byname_dl_managed** out) {
  return core::tensor_to_dlpack(tensor, out);
}

int byname_tensor_to_dlpack_versioned(const byname_object* tensor, byname_dl_managed_versioned** out) {
  return core::tensor_to_dlpack(tensor, out);
}

uint64_t byname_tensor_flags(const byname_object* tensor) { return core::tensor_flags(tensor); }
