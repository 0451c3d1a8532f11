// The exchange interface of DLPack 1.x that producers offer as the type attribute __dlpack_c_exchange_api__.
#ifndef BYNAME_PYTHON_DLPACK_H_
#define BYNAME_PYTHON_DLPACK_H_

#include "base.h"

namespace byname::python {

struct ExchangeHeader {
  uint32_t major;
  uint32_t minor;
  ExchangeHeader* previous;
};

struct ExchangeApi {
  ExchangeHeader header;
  int (*allocate)(byname_dl_tensor* prototype, byname_dl_managed_versioned** out, void* context,
                  void (*set_error)(void* context, const char* kind, const char* message));
  int (*managed_of_object)(void* object, byname_dl_managed_versioned** out);
  int (*object_of_managed)(byname_dl_managed_versioned* managed, void** out);  // takes
  int (*view_of_object)(void* object, byname_dl_tensor* out);                  // borrowed
  int (*current_stream)(int32_t device_type, int32_t device_id, void** out);
};

constexpr const char* kExchangeCapsule = "dlpack_exchange_api";
constexpr uint32_t kDlpackMajor = 1;

}  // namespace byname::python

#endif  // BYNAME_PYTHON_DLPACK_H_
