// The second plugin: filters of its own, products of the first one's factory.
#include <algorithm>

#include "filter.h"

using namespace byname::literals;

namespace {

class Gray : public Filter {
 public:
  // Y' of ITU-R BT.601.
  byname::Tensor apply(const Image& image) const override {
    return changed(image, [&](int64_t y, int64_t x, int64_t) {
      return static_cast<uint8_t>((299 * image(y, x, 0) + 587 * image(y, x, 1) + 114 * image(y, x, 2)) / 1000);
    });
  }
};

class Contrast : public Filter {
 public:
  explicit Contrast(double gain) : gain_(gain) {}
  byname::Tensor apply(const Image& image) const override {
    return changed(image, [&](int64_t y, int64_t x, int64_t channel) {
      return static_cast<uint8_t>(std::clamp(128 + gain_ * (image(y, x, channel) - 128), 0.0, 255.0));
    });
  }

 private:
  double gain_;
};

}  // namespace

BYNAME_LIBRARY("light", lib) {
  lib.product<Filter, Gray>("Gray", {}, "Without its colours, an image of 3 equal channels.");
  lib.product<Filter, Contrast, double>("Contrast", {"gain"_a}, "Brightness as far from the middle as `gain` says.");
}
