// What the tvm-ffi peer calls by name, in a shared object of its own; also loaded from Python.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "types.h"

namespace {

namespace ffi = tvm::ffi;
namespace reflection = tvm::ffi::reflection;

constexpr int kChildren = 300;

// "peer.Child" and three digits.
template <int I>
inline constexpr char kChildKey[] = {
    'p', 'e', 'e', 'r', '.', 'C', 'h', 'i', 'l', 'd', '0' + I / 100, '0' + I / 10 % 10, '0' + I % 10, '\0'};

template <int I>
struct ChildObj : peer::Level4Obj {
  static constexpr const char* _type_key = kChildKey<I>;
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(ChildObj, peer::Level4Obj);
};

template <int... I>
peer::Level4 last_child(std::integer_sequence<int, I...>) {
  std::array<int32_t, sizeof...(I)> indices = {ChildObj<I>::_GetOrAllocRuntimeTypeIndex()...};
  if (indices[0] == indices[kChildren - 1]) throw std::runtime_error("the types share an index");
  return peer::Level4(ffi::make_object<ChildObj<kChildren - 1>>());
}

int64_t call_many(const ffi::Function& function, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += function(i).cast<int64_t>();
  return sum;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  reflection::GlobalDef()
      .def("peer.add", [](int64_t a, int64_t b) { return a + b; })
      .def("peer.add_named", [](int64_t a, int64_t b) { return a + b; })
      .def("peer.text",
           [](const ffi::String& s, int64_t n) { return static_cast<int64_t>(s.size()) + s.data()[0] + n; })
      .def("peer.tensors", [](ffi::TensorView a, ffi::TensorView b) -> int64_t { return a.ndim() + b.ndim(); })
      .def("peer.last_child", [] { return last_child(std::make_integer_sequence<int, kChildren>()); })
      .def("peer.nothing", [] {})
      .def("peer.sum4", [](double a, double b, double c, double d) { return a + b + c + d; })
      .def("peer.size", [](ffi::TensorView x) -> int64_t { return x.size(0); })
      .def("peer.call_many", call_many)
      .def("peer.throw", [](int64_t) -> int64_t { throw std::runtime_error("thrown in C++"); });
}

}  // namespace
