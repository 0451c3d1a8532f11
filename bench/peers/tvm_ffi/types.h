// The object types of the tvm-ffi peer: a chain of depth 4, whose 300 children sit in the plugin.
#pragma once

#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>

namespace peer {

struct Level1Obj : tvm::ffi::Object {
  TVM_FFI_DECLARE_OBJECT_INFO("peer.Level1", Level1Obj, tvm::ffi::Object);
};
struct Level2Obj : Level1Obj {
  TVM_FFI_DECLARE_OBJECT_INFO("peer.Level2", Level2Obj, Level1Obj);
};
struct Level3Obj : Level2Obj {
  TVM_FFI_DECLARE_OBJECT_INFO("peer.Level3", Level3Obj, Level2Obj);
};
struct Level4Obj : Level3Obj {
  TVM_FFI_DECLARE_OBJECT_INFO("peer.Level4", Level4Obj, Level3Obj);
};
struct Level4 : tvm::ffi::ObjectRef {
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Level4, tvm::ffi::ObjectRef, Level4Obj);
};

struct PairObj : tvm::ffi::Object {
  int64_t first, second;
  PairObj(int64_t first, int64_t second) : first(first), second(second) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("peer.Pair", PairObj, tvm::ffi::Object);
};

}  // namespace peer
