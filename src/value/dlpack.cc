// Tensors in and out by DLPack.
#include <cstdlib>
#include <new>
#include <string>

#include "value/error.h"
#include "value/tensor.h"
#include "value/value.h"

namespace byname::core {
namespace {

constexpr uint32_t kMajor = 1;
constexpr uint32_t kMinor = 0;

template <class Managed>
void release_managed(void* context) {
  auto* managed = static_cast<Managed*>(context);
  if (managed->deleter != nullptr) managed->deleter(managed);
}

template <class Managed>
int wrap_managed(Managed* managed, uint64_t flags, byname_dso* dso, byname_any* out) {
  byname_tensor_view view = {managed->tensor, flags, managed, &release_managed<Managed>, dso};
  return wrap_tensor(view, out);
}

int refuse_null() { return raise("ValueError", "expected a DLPack tensor, got a null pointer"); }

template <class Managed>
void delete_managed(Managed* managed) {
  byname_object_release(static_cast<byname_object*>(managed->context));
  delete managed;
}

// Shape and strides stay where they are: in the tensor, which is kept.
template <class Managed>
Managed* make_managed(const byname_object* tensor) {
  auto* managed = new (std::nothrow) Managed();
  if (managed == nullptr) {
    raise_out_of_memory();
    return nullptr;
  }
  managed->tensor = reinterpret_cast<const byname_tensor*>(tensor)->dl;
  managed->context = const_cast<byname_object*>(tensor);
  managed->deleter = &delete_managed<Managed>;
  byname_object_retain(const_cast<byname_object*>(tensor));
  return managed;
}

}  // namespace

int tensor_from_dlpack(byname_dl_managed* managed, byname_dso* dso, byname_any* out) {
  if (managed == nullptr) return refuse_null();
  return wrap_managed(managed, 0, dso, out);
}

int tensor_from_dlpack(byname_dl_managed_versioned* managed, byname_dso* dso, byname_any* out) {
  if (managed == nullptr) return refuse_null();
  if (managed->major == kMajor) return wrap_managed(managed, managed->flags, dso, out);
  // Of another version only the deleter may be used.
  std::string message = "expected DLPack version " + std::to_string(kMajor) + ", got " +
                        std::to_string(managed->major) + "." + std::to_string(managed->minor);
  release_managed<byname_dl_managed_versioned>(managed);
  return raise("BufferError", message);
}

int tensor_to_dlpack(const byname_object* tensor, byname_dl_managed** out) {
  if ((tensor_flags(tensor) & BYNAME_DL_READ_ONLY) != 0) {
    return raise("BufferError", "expected a writable tensor, got a read-only one (use versioned DLPack)");
  }
  auto* managed = make_managed<byname_dl_managed>(tensor);
  if (managed == nullptr) return -1;
  *out = managed;
  return 0;
}

int tensor_to_dlpack(const byname_object* tensor, byname_dl_managed_versioned** out) {
  auto* managed = make_managed<byname_dl_managed_versioned>(tensor);
  if (managed == nullptr) return -1;
  managed->major = kMajor;
  managed->minor = kMinor;
  managed->flags = tensor_flags(tensor);
  *out = managed;
  return 0;
}

}  // namespace byname::core
