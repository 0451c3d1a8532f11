// What the plugins of this example share: filters change images, which are tensors of shape (height, width, channels).
#ifndef BYNAME_EXAMPLES_FILTERS_FILTER_H_
#define BYNAME_EXAMPLES_FILTERS_FILTER_H_

#include <byname/byname.h>

using Image = byname::TensorOf<const uint8_t, 3>;

struct BYNAME_PUBLIC Filter {
  virtual ~Filter() = default;
  virtual byname::Tensor apply(const Image& image) const = 0;
};

// The new value of each byte, by its old one and its place.
template <class Change>
byname::Tensor changed(const Image& image, Change change) {
  byname::Tensor result = byname::Tensor::empty(image.shape(), byname::DType::of<uint8_t>());
  auto* out = result.data<uint8_t>();
  for (int64_t y = 0; y < image.shape(0); ++y) {
    for (int64_t x = 0; x < image.shape(1); ++x) {
      for (int64_t channel = 0; channel < image.shape(2); ++channel) *out++ = change(y, x, channel);
    }
  }
  return result;
}

#endif  // BYNAME_EXAMPLES_FILTERS_FILTER_H_
