// Views of tensors.
#include "byname/tensor_view.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

using Dims = std::vector<int64_t>;

Tensor numbers(Sizes shape) {
  int64_t count = 1;
  for (int64_t dim : shape.span()) count *= dim;
  std::vector<int64_t> elements(static_cast<size_t>(count));
  std::iota(elements.begin(), elements.end(), 0);
  return Tensor::of(std::move(elements), shape);
}

// All elements in row-major order.
std::vector<int64_t> elements(const Tensor& tensor) {
  std::vector<int64_t> out;
  Dims index(tensor.shape().size());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t place = 0;
    int64_t rest = i;
    for (size_t d = index.size(); d-- > 0;) {
      place += rest % tensor.shape()[d] * tensor.strides()[d];
      rest /= tensor.shape()[d];
    }
    out.push_back(tensor.data<const int64_t>()[place]);
  }
  return out;
}

Dims shape(const Tensor& tensor) { return {tensor.shape().begin(), tensor.shape().end()}; }

TEST(View, slices_count_as_in_python) {
  Tensor tensor = numbers({6});
  EXPECT_EQ(elements(tensor.slice(0, 1, 4)), (Dims{1, 2, 3}));
  EXPECT_EQ(elements(tensor.slice(0, -2, 100)), (Dims{4, 5}));
  EXPECT_EQ(elements(tensor.slice(0, 0, 6, 4)), (Dims{0, 4}));
  EXPECT_EQ(elements(tensor.slice(0, 5, -100, -2)), (Dims{5, 3, 1}));
  EXPECT_EQ(elements(tensor.slice(0, 100, 0, -1)), (Dims{5, 4, 3, 2, 1}));
  EXPECT_EQ(elements(tensor.slice(0, 4, 2)), (Dims{}));
  EXPECT_EQ(elements(tensor.slice(0, 6, 6)), (Dims{}));
  EXPECT_EQ(elements(tensor.slice(0, 0, 6, INT64_MAX)), (Dims{0}));
  EXPECT_EQ(elements(tensor.slice(0, 5, -100, INT64_MIN)), (Dims{5}));
  EXPECT_EQ(elements(tensor.slice(0, INT64_MIN, INT64_MAX)), (Dims{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(elements(numbers({2, 3}).slice(1, 1, 3)), (Dims{1, 2, 4, 5}));
  EXPECT_EQ(elements(numbers({2, 3}).slice(-1, 2, -100, -1)), (Dims{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(thrown([&] { tensor.slice(0, 0, 1, 0); }), "ValueError: slice step cannot be zero");
}

TEST(View, selecting_drops_a_dimension) {
  Tensor tensor = numbers({2, 3});
  EXPECT_EQ(elements(tensor.select(0, 1)), (Dims{3, 4, 5}));
  EXPECT_EQ(elements(tensor.select(1, -1)), (Dims{2, 5}));
  EXPECT_EQ(elements(tensor.select(0, 1).select(0, 2)), (Dims{5}));
  EXPECT_EQ(thrown([&] { tensor.select(0, 2); }), "IndexError: tensor index out of range");
  EXPECT_EQ(thrown([&] { tensor.select(0, -3); }), "IndexError: tensor index out of range");
}

TEST(View, reshaping_keeps_the_elements) {
  Tensor tensor = numbers({2, 3});
  EXPECT_EQ(shape(tensor.reshape({3, 2})), (Dims{3, 2}));
  EXPECT_EQ(elements(tensor.reshape({3, 2})), (Dims{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(shape(tensor.reshape({-1})), (Dims{6}));
  EXPECT_EQ(shape(tensor.reshape({1, -1, 2})), (Dims{1, 3, 2}));
  EXPECT_EQ(shape(numbers({0, 3}).reshape({-1, 3})), (Dims{0, 3}));
  EXPECT_EQ(shape(numbers({0, 3}).reshape({5, 0})), (Dims{5, 0}));
  EXPECT_EQ(shape(numbers({1}).reshape({})), (Dims{}));
}

TEST(View, a_shape_that_does_not_fit_is_an_error) {
  Tensor tensor = numbers({2, 3});
  for (const Dims& wanted : {Dims{4}, Dims{-1, 4}, Dims{-1, -1}, Dims{-2, -3}, Dims{-1, 0}, Dims{7, -1}, Dims{},
                             Dims{INT64_MAX, INT64_MAX}}) {
    EXPECT_EQ(thrown([&] { tensor.reshape(wanted); }), "ValueError: expected a shape of 6 elements");
  }
  EXPECT_EQ(thrown([&] { tensor.transpose().reshape({6}); }),
            "ValueError: expected a contiguous tensor to reshape, got one with strides (copy it first)");
}

TEST(View, transposing_swaps_dimensions) {
  Tensor tensor = numbers({2, 3});
  EXPECT_EQ(elements(tensor.transpose()), (Dims{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(shape(numbers({2, 3, 4}).transpose()), (Dims{4, 3, 2}));
  EXPECT_EQ(shape(numbers({2, 3, 4}).transpose(0, -1)), (Dims{4, 3, 2}));
  EXPECT_EQ(shape(numbers({2, 3, 4}).transpose(1, 0)), (Dims{3, 2, 4}));
  EXPECT_EQ(thrown([&] { tensor.transpose(0, 2); }), "IndexError: expected a dimension of a tensor of 2, got 2");
  EXPECT_EQ(thrown([&] { tensor.slice(-3, 0, 1); }), "IndexError: expected a dimension of a tensor of 2, got -3");
}

TEST(View, any_strides_inside_of_the_tensor_will_do) {
  Tensor tensor = numbers({6});
  EXPECT_EQ(elements(tensor.view({2, 2}, {3, 1}, 1)), (Dims{1, 2, 4, 5}));
  EXPECT_EQ(elements(tensor.view({3}, {-1}, 5)), (Dims{5, 4, 3}));
  EXPECT_EQ(elements(tensor.view({2, 3}, {0, 2})), (Dims{0, 2, 4, 0, 2, 4}));
  EXPECT_EQ(elements(tensor.view({0}, {1}, 100)), (Dims{}));
}

TEST(View, reaching_outside_is_an_error) {
  Tensor tensor = numbers({6});
  EXPECT_EQ(thrown([&] { tensor.view({7}, {1}); }), "ValueError: a view of shape (7,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({2}, {6}); }), "ValueError: a view of shape (2,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({2}, {-1}); }), "ValueError: a view of shape (2,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({1}, {1}, -1); }),
            "ValueError: a view of shape (1,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({3}, {INT64_MAX}); }),
            "ValueError: a view of shape (3,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({1}, {1}, INT64_MAX); }),
            "OverflowError: the offset of a view is beyond all memory");
  EXPECT_EQ(thrown([&] { tensor.slice(0, 0, 2).view({3}, {1}); }),
            "ValueError: a view of shape (3,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { numbers({0}).view({1}, {1}); }),
            "ValueError: a view of shape (1,) reaches outside of its tensor");
  EXPECT_EQ(thrown([&] { tensor.view({1, 2}, {1}); }), "ValueError: expected as many strides as sizes");
  EXPECT_EQ(thrown([] { Tensor::empty({4}, DType("int4")).slice(0, 1, 2); }),
            "ValueError: expected a view that begins at a whole byte");
}

TEST(View, of_a_tensor_without_elements_may_have_any_strides) {
  int64_t shape[2] = {0, 9};
  int64_t strides[2] = {INT64_MAX, INT64_MIN};
  byname_tensor_view wrapped{};
  wrapped.tensor = {nullptr, Device().raw(), 2, DType::of<int64_t>().raw(), shape, strides, 0};
  EXPECT_EQ(Tensor::wrap(wrapped).slice(1, 3, 9, 2).size(), 0);
}

// Fault: a tensor outlives its owner
TEST(View, keeps_the_memory_but_not_the_views_between) {
  Tensor part = [] {
    Tensor whole = numbers({10});
    return whole.slice(0, 2, 8).slice(0, 1, 5).reshape({2, 2}).transpose();
  }();
  EXPECT_EQ(elements(part), (Dims{3, 5, 4, 6}));
  Tensor whole = numbers({4});
  Tensor view = whole.slice(0, 0, 2);
  for (int i = 0; i < 100'000; ++i) view = view.slice(0, 0, 2);
  EXPECT_EQ(static_cast<uint32_t>(whole.raw()->counts), 2u);
}

// Fault: a read-only array
TEST(View, is_as_writable_as_its_tensor) {
  std::vector<float> memory(4);
  int64_t size = 4;
  byname_tensor_view wrapped{};
  wrapped.tensor = {memory.data(), Device().raw(), 1, DType::of<float>().raw(), &size, nullptr, 0};
  wrapped.flags = BYNAME_DL_READ_ONLY;
  EXPECT_TRUE(Tensor::wrap(wrapped).slice(0, 1, 2).is_read_only());
  wrapped.flags = 0;
  EXPECT_FALSE(Tensor::wrap(wrapped).slice(0, 1, 2).is_read_only());
}

TEST(View, of_packed_elements_does_not_reach_before_the_first_byte) {
  Tensor base = Tensor::empty({8}, DType("int4"));
  int64_t size = 2;
  int64_t stride = -1;
  byname_dl_tensor description = {nullptr, base.dl().device, 1, base.dl().dtype, &size, &stride, 0};
  byname_any view{};
  EXPECT_EQ(byname_tensor_alias(base.raw(), &description, &view), -1);
  EXPECT_EQ(raised(), "ValueError: a view of shape (2,) reaches outside of its tensor");
  description.byte_offset = 1;
  EXPECT_EQ(byname_tensor_alias(base.raw(), &description, &view), 0);
  byname_any_drop(&view);
}

}  // namespace
}  // namespace byname
