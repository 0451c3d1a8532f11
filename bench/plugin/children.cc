// Three hundred types of depth 5.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "types.h"

namespace {

constexpr int kChildren = 300;

// "bench.Child" and three digits.
template <int I>
inline constexpr char kChildKey[] = {
    'b', 'e', 'n', 'c', 'h', '.', 'C', 'h', 'i', 'l', 'd', '0' + I / 100, '0' + I / 10 % 10, '0' + I % 10, '\0'};

template <int I>
struct Child : byname::Derive<Child<I>, bench::Level4, kChildKey<I>> {};

template <int... I>
byname::ObjectRef last_child(std::integer_sequence<int, I...>) {
  std::array<int32_t, sizeof...(I)> indices = {byname::type_index<Child<I>>()...};
  if (indices[0] == indices[kChildren - 1]) throw std::runtime_error("the types share an index");
  return byname::make<Child<kChildren - 1>>();
}

}  // namespace

BYNAME_LIBRARY("bench", lib) {
  lib.def("last_child", [] { return last_child(std::make_integer_sequence<int, kChildren>()); });
}
