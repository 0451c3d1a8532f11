// Tensors: making, wrapping, DLPack, TensorOf.
#include "byname/tensor.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

using Dims = std::vector<int64_t>;

Dims dims(std::span<const int64_t> span) { return {span.begin(), span.end()}; }

// A managed tensor that counts how often its deleter was called.
template <class Managed>
struct Producer {
  Managed managed{};
  int deletions = 0;
  std::vector<float> elements = std::vector<float>(24);
  Dims shape = {2, 3};

  Producer() {
    managed.tensor.data = elements.data();
    managed.tensor.device = Device().raw();
    managed.tensor.ndim = 2;
    managed.tensor.dtype = DType::of<float>().raw();
    managed.tensor.shape = shape.data();
    managed.context = this;
    managed.deleter = [](Managed* self) { ++static_cast<Producer*>(self->context)->deletions; };
    if constexpr (requires { managed.major; }) managed.major = 1;
    std::iota(elements.begin(), elements.end(), 0.0F);
  }
};
using Old = Producer<byname_dl_managed>;
using Versioned = Producer<byname_dl_managed_versioned>;

TEST(Tensor, is_made_with_aligned_memory_and_row_major_strides) {
  Tensor tensor = Tensor::empty({2, 3, 4}, DType::of<float>());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data<float>()) % 64, 0u);
  EXPECT_EQ(dims(tensor.shape()), (Dims{2, 3, 4}));
  EXPECT_EQ(dims(tensor.strides()), (Dims{12, 4, 1}));
  EXPECT_EQ(tensor.ndim(), 3);
  EXPECT_EQ(tensor.size(), 24);
  EXPECT_EQ(tensor.nbytes(), 96);
  EXPECT_EQ(tensor.dtype(), DType::of<float>());
  EXPECT_EQ(tensor.device(), Device());
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_FALSE(tensor.is_read_only());
  for (int i = 0; i < 24; ++i) tensor.data<float>()[i] = static_cast<float>(i);
  EXPECT_EQ(tensor.data<const float>()[23], 23);
}

TEST(Tensor, may_have_no_dimensions_or_no_elements) {
  Tensor scalar = Tensor::empty({}, DType::of<double>());
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.nbytes(), 8);
  *scalar.data<double>() = 2;
  Tensor none = Tensor::empty({3, 0, 2}, DType::of<double>());
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.nbytes(), 0);
  EXPECT_EQ(dims(none.strides()), (Dims{2, 2, 1}));
  EXPECT_TRUE(none.is_contiguous());
  EXPECT_NE(none.address(), nullptr);
}

TEST(Tensor, elements_may_be_smaller_than_a_byte_or_have_lanes) {
  EXPECT_EQ(Tensor::empty({3}, DType("int4")).nbytes(), 2);
  EXPECT_EQ(Tensor::empty({3}, DType("int8x4")).nbytes(), 12);
  EXPECT_EQ(Tensor::empty({5}, DType("bfloat16")).nbytes(), 10);
}

TEST(Tensor, sizes_that_no_memory_has_are_errors) {
  EXPECT_EQ(thrown([] { Tensor::empty({2, -1}, DType::of<float>()); }),
            "ValueError: expected a tensor with sizes of at least 0, got shape (2, -1)");
  EXPECT_EQ(thrown([] { Tensor::empty({INT64_MAX, 2}, DType::of<float>()); }),
            "OverflowError: a tensor of shape (9223372036854775807, 2) and dtype float32 does not fit in memory");
  EXPECT_EQ(thrown([] { Tensor::empty({int64_t{1} << 59}, DType::of<float>()); }),
            "OverflowError: a tensor of shape (576460752303423488,) and dtype float32 does not fit in memory");
  EXPECT_EQ(thrown([] { Tensor::empty({INT64_MAX, 0, 4}, DType::of<float>()); }),
            "OverflowError: a tensor of shape (9223372036854775807, 0, 4) and dtype float32 does not fit in memory");
  EXPECT_EQ(thrown([] { Tensor::empty(Dims(65, 1), DType::of<float>()); }),
            "ValueError: expected a tensor of at most 64 dimensions, got one of 65");
  EXPECT_EQ(Tensor::empty(Dims(64, 1), DType::of<float>()).ndim(), 64);
  EXPECT_EQ(thrown([] { Tensor::empty({1}, DType()); }),
            "ValueError: expected a tensor whose elements have a size, got dtype dtype(code=0, bits=0)x0");
}

TEST(Tensor, the_core_makes_memory_on_the_cpu_only) {
  int64_t size = 1;
  byname_any made{};
  EXPECT_EQ(byname_tensor_new(&size, 1, DType::of<float>().raw(), Device("cuda:0").raw(), &made), -1);
  EXPECT_EQ(raised(), "ValueError: expected device 'cpu', got 'cuda:0' (wrap memory of that device)");
}

TEST(Tensor, its_elements_are_seen_as_what_they_are) {
  Tensor tensor = Tensor::empty({1}, DType::of<float>());
  EXPECT_EQ(thrown([&] { tensor.data<double>(); }), "TypeError: expected a tensor of float64, got one of float32");
  EXPECT_EQ(thrown([&] { tensor.data<const int32_t>(); }), "TypeError: expected a tensor of int32, got one of float32");
}

TEST(Tensor, keeps_a_vector) {
  Tensor tensor = Tensor::of(std::vector<int32_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(tensor.data<int32_t>()[5], 6);
  EXPECT_EQ(tensor.dtype(), DType::of<int32_t>());
  EXPECT_EQ(thrown([] { Tensor::of(std::vector<int32_t>{1, 2}, {3}); }),
            "ValueError: expected 3 elements for the shape, got 2");
}

// Fault: NULL strides
TEST(Tensor, wraps_memory_and_gives_it_back_once) {
  int releases = 0;
  float elements[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {2, 3};
  byname_tensor_view view{};
  view.tensor = {elements, Device().raw(), 2, DType::of<float>().raw(), shape, nullptr, 0};
  view.flags = BYNAME_DL_READ_ONLY;
  view.context = &releases;
  view.release = [](void* context) { ++*static_cast<int*>(context); };
  {
    Tensor tensor = Tensor::wrap(view);
    shape[0] = 99;
    EXPECT_EQ(dims(tensor.shape()), (Dims{2, 3}));
    EXPECT_EQ(dims(tensor.strides()), (Dims{3, 1}));
    EXPECT_TRUE(tensor.is_read_only());
    EXPECT_EQ(tensor.data<const float>()[4], 4);
    EXPECT_EQ(thrown([&] { tensor.data<float>(); }), "TypeError: expected a writable tensor, got a read-only one");
    Tensor copy = tensor;
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 1);
  shape[0] = -1;
  EXPECT_EQ(thrown([&] { Tensor::wrap(view); }),
            "ValueError: expected a tensor with sizes of at least 0, got shape (-1, 3)");
  EXPECT_EQ(releases, 2);
}

TEST(Tensor, whose_release_is_a_modules_code_counts_for_that_module) {
  Tensor of_the_core = Tensor::empty({1}, DType::of<float>());
  Tensor of_this_program = Tensor::of(std::vector<float>{1}, {1});
  EXPECT_NE(byname_object_prefix(of_this_program.raw())->owner, byname_object_prefix(of_the_core.raw())->owner);
  // A view keeps that one and has no code of its own.
  EXPECT_EQ(byname_object_prefix(of_this_program.slice(0, 0, 1).raw())->owner,
            byname_object_prefix(of_the_core.slice(0, 0, 1).raw())->owner);
}

// Fault: no elements and no memory
TEST(Tensor, wrapped_memory_may_be_missing_only_if_there_are_no_elements) {
  int64_t shape[1] = {0};
  byname_tensor_view view{};
  view.tensor = {nullptr, Device().raw(), 1, DType::of<float>().raw(), shape, nullptr, 0};
  EXPECT_EQ(Tensor::wrap(view).size(), 0);
  EXPECT_EQ(Tensor::wrap(view).address(), nullptr);
  shape[0] = 1;
  EXPECT_EQ(thrown([&] { Tensor::wrap(view); }), "ValueError: expected a tensor with data, got none for shape (1,)");
  view.tensor.shape = nullptr;
  EXPECT_EQ(thrown([&] { Tensor::wrap(view); }), "ValueError: expected a tensor with a shape, got none");
  view.tensor.ndim = -1;
  EXPECT_EQ(thrown([&] { Tensor::wrap(view); }),
            "ValueError: expected a tensor of at most 64 dimensions, got one of -1");
}

// Fault: an offset in bytes
// Fault: negative strides
TEST(Tensor, wrapped_memory_may_have_an_offset_and_negative_strides) {
  float elements[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[1] = {3};
  int64_t strides[1] = {-2};
  byname_tensor_view view{};
  view.tensor = {elements, Device().raw(), 1, DType::of<float>().raw(), shape, strides, 5 * sizeof(float)};
  Tensor tensor = Tensor::wrap(view);
  EXPECT_EQ(*tensor.data<float>(), 5);
  EXPECT_EQ(tensor.data<float>()[2 * tensor.strides()[0]], 1);
  EXPECT_FALSE(tensor.is_contiguous());
}

// Fault: NULL strides
TEST(DLPack, a_tensor_comes_in_without_a_copy_and_goes_back_once) {
  Old producer;
  {
    Tensor tensor = Tensor::from_dlpack(&producer.managed);
    EXPECT_EQ(tensor.data<float>(), producer.elements.data());
    EXPECT_EQ(dims(tensor.strides()), (Dims{3, 1}));
    EXPECT_FALSE(tensor.is_read_only());
    EXPECT_EQ(producer.deletions, 0);
  }
  EXPECT_EQ(producer.deletions, 1);
}

// Fault: a read-only array
TEST(DLPack, a_read_only_tensor_stays_read_only) {
  Versioned producer;
  producer.managed.flags = BYNAME_DL_READ_ONLY | BYNAME_DL_COPIED;
  {
    Tensor tensor = Tensor::from_dlpack(&producer.managed);
    EXPECT_TRUE(tensor.is_read_only());
    EXPECT_EQ(thrown([&] { tensor.to_dlpack(); }),
              "BufferError: expected a writable tensor, got a read-only one (use versioned DLPack)");
    byname_dl_managed_versioned* out = tensor.to_dlpack_versioned();
    EXPECT_EQ(out->flags, BYNAME_DL_READ_ONLY);
    EXPECT_EQ(out->major, 1u);
    out->deleter(out);
  }
  EXPECT_EQ(producer.deletions, 1);
}

TEST(DLPack, another_major_version_is_refused_and_given_back) {
  Versioned producer;
  producer.managed.major = 2;
  producer.managed.minor = 5;
  EXPECT_EQ(thrown([&] { Tensor::from_dlpack(&producer.managed); }), "BufferError: expected DLPack version 1, got 2.5");
  EXPECT_EQ(producer.deletions, 1);
}

TEST(DLPack, what_describes_no_tensor_is_refused_and_given_back) {
  Old producer;
  producer.shape[0] = -2;
  EXPECT_EQ(thrown([&] { Tensor::from_dlpack(&producer.managed); }),
            "ValueError: expected a tensor with sizes of at least 0, got shape (-2, 3)");
  EXPECT_EQ(producer.deletions, 1);
  EXPECT_EQ(thrown([] { Tensor::from_dlpack(static_cast<byname_dl_managed*>(nullptr)); }),
            "ValueError: expected a DLPack tensor, got a null pointer");
}

TEST(DLPack, a_producer_without_a_deleter_is_kept_by_nobody) {
  Old producer;
  producer.managed.deleter = nullptr;
  EXPECT_EQ(Tensor::from_dlpack(&producer.managed).size(), 6);
}

// Fault: a tensor outlives its owner
TEST(DLPack, what_goes_out_outlives_the_tensor) {
  byname_dl_managed* out = nullptr;
  {
    Tensor tensor = Tensor::of(std::vector<int64_t>{1, 2, 3, 4}, {2, 2});
    out = tensor.slice(0, 1, 2).to_dlpack();
  }
  EXPECT_EQ(out->tensor.ndim, 2);
  EXPECT_EQ(out->tensor.shape[0], 1);
  EXPECT_EQ(out->tensor.strides[0], 2);
  EXPECT_EQ(*reinterpret_cast<int64_t*>(static_cast<char*>(out->tensor.data) + out->tensor.byte_offset), 3);
  Tensor back = Tensor::from_dlpack(out);
  EXPECT_EQ(back.data<int64_t>()[1], 4);
}

// Fault: bool and bfloat16
TEST(DLPack, elements_of_any_type_pass) {
  for (const char* name : {"bool", "bfloat16", "float8_e5m2", "complex64", "uint64"}) {
    Tensor tensor = Tensor::empty({3}, DType(name));
    EXPECT_EQ(Tensor::from_dlpack(tensor.to_dlpack()).dtype().print(), name);
  }
}

uint32_t references(const Tensor& tensor) { return static_cast<uint32_t>(tensor.raw()->counts); }

TEST(Tensor, a_parameter_borrows_it) {
  Function count([](const Tensor& tensor) { return references(tensor); });
  Tensor tensor = Tensor::empty({1}, DType::of<float>());
  EXPECT_EQ(count(tensor).to<uint32_t>(), 1u);
  Function keep([](Tensor kept) { return kept; });
  EXPECT_EQ(keep(tensor).to<Tensor>(), tensor);
  EXPECT_EQ(references(tensor), 1u);
}

TEST(TensorOf, elements_lie_where_their_type_must) {
  alignas(float) char memory[17] = {};
  int64_t size = 4;
  byname_tensor_view view{};
  view.tensor = {memory, Device(DeviceType::kCpu).raw(), 1, DType::of<float>().raw(), &size, nullptr, 1};
  const std::string text =
      "TypeError: expected contiguous float32 Tensor on the cpu, got misaligned float32 Tensor of shape (4,) and "
      "strides "
      "(1,)";
  EXPECT_EQ(thrown([&] { TensorOf<const float> typed(Tensor::wrap(view)); }), text);
  view.tensor.data = memory + 1;
  view.tensor.byte_offset = 0;
  EXPECT_EQ(thrown([&] { TensorOf<const float> typed(Tensor::wrap(view)); }), text);
  view.tensor.data = memory;
  EXPECT_EQ(TensorOf<const float>(Tensor::wrap(view)).size(), 4);
  view.tensor.data = memory + 1;  // the first element's place counts, not its parts
  view.tensor.byte_offset = 3;
  size = 3;
  EXPECT_EQ(TensorOf<const float>(Tensor::wrap(view)).size(), 3);
}

TEST(TensorOf, gives_elements_by_index) {
  Tensor tensor = Tensor::of(std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3});
  TensorOf<float, 2> typed(tensor);
  EXPECT_EQ(typed(1, 2), 5);
  typed(0, 1) = 10;
  EXPECT_EQ(tensor.data<float>()[1], 10);
  EXPECT_EQ(typed.span().size(), 6u);
  EXPECT_EQ(typed.shape(1), 3);
  EXPECT_EQ(typed.size(), 6);
  TensorOf<const float> any_rank(tensor);
  EXPECT_EQ(any_rank(1, 0), 3);
  EXPECT_EQ(any_rank.ndim(), 2);
  TensorOf<double, 0> scalar(Tensor::of(std::vector<double>{7}, {}));
  EXPECT_EQ(scalar(), 7);
}

TEST(TensorOf, takes_only_what_it_says) {
  Any tensor = Tensor::of(std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3});
  EXPECT_TRUE((tensor.is<TensorOf<float, 2>>()));
  EXPECT_TRUE((tensor.is<TensorOf<const float, -1>>()));
  EXPECT_FALSE((tensor.is<TensorOf<float, 1>>()));
  EXPECT_FALSE((tensor.is<TensorOf<double, 2>>()));
  Any transposed = tensor.to<Tensor>().transpose();
  EXPECT_TRUE(transposed.is<Tensor>());
  EXPECT_FALSE((transposed.is<TensorOf<float, 2>>()));
  EXPECT_FALSE(Any(1).is<Tensor>());
  EXPECT_FALSE((Any(1).is<TensorOf<float, 2>>()));
}

TEST(TensorOf, const_elements_may_be_of_a_read_only_tensor) {
  Versioned producer;
  producer.managed.flags = BYNAME_DL_READ_ONLY;
  Any tensor = Tensor::from_dlpack(&producer.managed);
  EXPECT_TRUE((tensor.is<TensorOf<const float, 2>>()));
  EXPECT_FALSE((tensor.is<TensorOf<float, 2>>()));
}

TEST(TensorOf, memory_of_another_device_is_not_taken) {
  Old producer;
  producer.managed.tensor.device = Device("cuda:0").raw();
  Any tensor = Tensor::from_dlpack(&producer.managed);
  EXPECT_TRUE(tensor.is<Tensor>());
  EXPECT_FALSE((tensor.is<TensorOf<float, 2>>()));
}

TEST(VisitDType, calls_with_the_type_that_a_dtype_is) {
  auto size = [](auto type) { return sizeof(typename decltype(type)::type); };
  EXPECT_EQ(visit_dtype(DType("float64"), size), 8u);
  EXPECT_EQ(visit_dtype(DType("bool"), size), 1u);
  EXPECT_EQ(visit_dtype(DType("uint16"), size), 2u);
  EXPECT_EQ((visit_dtype<std::complex<double>, float>(DType("complex128"), size)), 16u);
  EXPECT_EQ(thrown([&] { visit_dtype(DType("bfloat16"), size); }),
            "TypeError: dtype 'bfloat16' is none of those that are handled here");
  EXPECT_EQ(thrown([&] { visit_dtype<float>(DType("float64"), size); }),
            "TypeError: dtype 'float64' is none of those that are handled here");
  int calls = 0;
  visit_dtype(DType("int8"), [&calls](auto) { ++calls; });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace byname
