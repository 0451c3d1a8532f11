// Functions that show what a Python object becomes in C++, and give it back.
#include <byname/byname.h>

#include <chrono>
#include <complex>
#include <filesystem>
#include <set>
#include <tuple>
#include <variant>

using namespace byname::literals;
using byname::Any;
using byname::AnyView;

namespace {

template <class T>
T echo(T value) {
  return value;
}

Any kept;

byname::Tensor show(const byname::Tensor& x) { return x; }

double sum(const byname::Tensor& x) {
  double total = 0;
  for (int64_t i = 0; i < x.shape()[0]; ++i) total += x.data<const double>()[i * x.strides()[0]];
  return total;
}

// A tensor with a byte offset, whose memory another tensor holds.
byname::Tensor tail(const byname::Tensor& x, int64_t begin) { return x.slice(0, begin, x.shape()[0]); }

byname::Tensor wrap_nothing() {
  byname_tensor_view view{};
  static int64_t shape[2] = {0, 3};
  view.tensor = {nullptr, {1, 0}, 2, {2, 32, 1}, shape, nullptr, 0};
  return byname::Tensor::wrap(view);
}

struct CellNode : byname::Derive<CellNode, byname::Object, "values.Cell"> {
  std::optional<int64_t> value;
};

}  // namespace

BYNAME_LIBRARY("values", lib) {
  lib.def("echo", [](AnyView value) { return value.copy(); });
  lib.def("type_name", [](AnyView value) { return std::string(value.type_name()); });
  lib.def("keep", [](Any value) { kept = std::move(value); });
  lib.def("kept", [] { return kept; });
  lib.def("type_name_of_kept", [] { return std::string(kept.type_name()); });
  lib.def("equal", [](Any a, Any b) { return a == b; });

  lib.def("int8", echo<int8_t>, {"x"_a});
  lib.def("uint8", echo<uint8_t>, {"x"_a});
  lib.def("int32", echo<int32_t>, {"x"_a});
  lib.def("int64", echo<int64_t>, {"x"_a});
  lib.def("uint64", echo<uint64_t>, {"x"_a});
  lib.def("float32", echo<float>, {"x"_a});
  lib.def("float64", echo<double>, {"x"_a});
  lib.def("bool", echo<bool>, {"x"_a});
  lib.def("complex", echo<std::complex<double>>, {"x"_a});
  lib.def("str", echo<std::string>, {"x"_a});
  lib.def("text_size", [](std::string_view text) { return static_cast<int64_t>(text.size()); }, {"x"_a});
  lib.def("bytes", echo<byname::Bytes>, {"x"_a});
  lib.def("path", echo<std::filesystem::path>, {"x"_a});
  lib.def("seconds", echo<std::chrono::duration<double>>, {"x"_a});
  lib.def("pointer", echo<void*>, {"x"_a});
  lib.type<CellNode>("Holds an int or none.")
      .init<>()
      .method("set", [](CellNode& cell, int64_t value) { cell.value = value; }, {"value"_a})
      .method("set_or_not", [](CellNode& cell, std::optional<int64_t> value) { cell.value = value; }, {"value"_a})
      .method("get", [](const CellNode& cell) { return cell.value; });
  lib.def("optional_int", echo<std::optional<int64_t>>, {"x"_a});
  lib.def("list_of_int", echo<std::vector<int64_t>>, {"x"_a});
  lib.def("set_of_int", echo<std::set<int64_t>>, {"x"_a});
  lib.def("list_of_list", echo<std::vector<std::vector<std::string>>>, {"x"_a});
  lib.def("dict", echo<std::map<std::string, int64_t>>, {"x"_a});
  lib.def("tuple", echo<std::tuple<int64_t, std::string>>, {"x"_a});
  lib.def("shape", [](byname::Shape shape) { return shape; }, {"x"_a});
  lib.def("dtype", [](byname::DType dtype) { return dtype; }, {"x"_a});
  lib.def("device", [](byname::Device device) { return device; }, {"x"_a});
  lib.def("nested_map", [] {
    byname::Map<Any, Any> map;
    map.set(byname::Array<int64_t>{1, 2}, std::string("list"));
    map.set(int64_t{3}, byname::Array<Any>{Any(1), Any(), Any("x")});
    return map;
  });
  lib.def("not_utf8", [] { return std::string("a\xff"); });

  lib.def("width.u8", [](uint8_t) { return "uint8"; });
  lib.def("width.u16", [](uint16_t) { return "uint16"; });
  lib.def("width.u32", [](uint32_t) { return "uint32"; });
  lib.def("width.u64", [](uint64_t) { return "uint64"; });
  lib.def("kind.int", [](int64_t) { return "int"; });
  lib.def("kind.bool", [](bool) { return "bool"; });
  lib.def("kind.float", [](double) { return "float"; });
  lib.def("decay.scalar", [](int64_t) { return "scalar"; });
  lib.def("decay.tensor", [](const byname::Tensor&) { return "tensor"; });

  lib.def("tensor", show, {"x"_a});
  lib.def("sum", sum, {"x"_a});
  lib.def("tail", tail, {"x"_a, "begin"_a});
  lib.def("zero_sized", wrap_nothing);
  lib.def("bfloat16", [] { return byname::Tensor::of(std::vector<uint16_t>{0x3f80, 0x4000, 0xc040}, {3}); });
  lib.def("floats2", [](byname::TensorOf<const float, 2> x) { return x.shape()[0] * x.shape()[1]; }, {"x"_a});
  lib.def("writable", [](byname::TensorOf<double, 1> x) { x.data()[0] = 42; }, {"x"_a});
}
