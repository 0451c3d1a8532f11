// The first plugin: PNG files, the base of all filters with its factory, and two filters.
#include <png.h>

#include <algorithm>

#include "filter.h"

using namespace byname::literals;

namespace {

// A filter in any language: made of a function.
class FilterOfFunction : public Filter {
 public:
  using Apply = byname::TypedFunction<byname::Tensor(Image)>;
  explicit FilterOfFunction(Apply apply) : apply_(std::move(apply)) {}
  byname::Tensor apply(const Image& image) const override { return apply_(image); }

 private:
  Apply apply_;
};

class Pipeline : public Filter {
 public:
  explicit Pipeline(std::vector<std::shared_ptr<Filter>> filters) : filters_(std::move(filters)) {}
  byname::Tensor apply(const Image& image) const override {
    byname::Tensor result = image.tensor();
    for (const auto& filter : filters_) result = filter->apply(Image(result));
    return result;
  }

 private:
  std::vector<std::shared_ptr<Filter>> filters_;
};

class Blur : public Filter {
 public:
  explicit Blur(int64_t radius) : radius_(radius) {
    if (radius < 0) throw std::invalid_argument("'radius' expects 0 or more, got " + std::to_string(radius));
  }
  byname::Tensor apply(const Image& image) const override {
    return changed(image, [&](int64_t y, int64_t x, int64_t channel) {
      int64_t sum = 0;
      int64_t count = 0;
      for (int64_t i = std::max<int64_t>(0, y - radius_); i <= std::min(image.shape(0) - 1, y + radius_); ++i) {
        for (int64_t j = std::max<int64_t>(0, x - radius_); j <= std::min(image.shape(1) - 1, x + radius_); ++j) {
          sum += image(i, j, channel);
          ++count;
        }
      }
      return static_cast<uint8_t>(sum / count);
    });
  }

 private:
  int64_t radius_;
};

byname::Tensor read(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) throw std::runtime_error(path + ": " + png.message);
  png.format = PNG_FORMAT_RGB;
  byname::Tensor image = byname::Tensor::empty({png.height, png.width, 3}, byname::DType::of<uint8_t>());
  if (png_image_finish_read(&png, nullptr, image.address(), 0, nullptr) == 0) {
    throw std::runtime_error(path + ": " + png.message);
  }
  return image;
}

void write(const std::string& path, const Image& image) {
  if (image.shape(2) != 3) throw std::invalid_argument("expected 3 channels, got " + std::to_string(image.shape(2)));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.height = static_cast<png_uint_32>(image.shape(0));
  png.width = static_cast<png_uint_32>(image.shape(1));
  png.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&png, path.c_str(), 0, image.data(), 0, nullptr) == 0) {
    throw std::runtime_error(path + ": " + png.message);
  }
}

}  // namespace

BYNAME_LIBRARY("image", lib) {
  lib.def(
      "read", [](const std::string& path) { return read(path); }, {"path"_a},
      "The pixels of a PNG file, uint8 of shape (height, width, 3).", byname::blocking);
  lib.def(
      "write", [](const std::string& path, Image image) { write(path, image); }, {"path"_a, "image"_a},
      "Write pixels, uint8 of shape (height, width, 3), to a PNG file.", byname::blocking);
  // A constructor that takes the methods as functions: so the class can be implemented in Python.
  lib.type<Filter>("Filter", "Changes an image.")
      .init(
          [](FilterOfFunction::Apply apply) -> std::unique_ptr<Filter> {
            return std::make_unique<FilterOfFunction>(std::move(apply));
          },
          {"apply"_a})
      .method("apply", &Filter::apply, {"image"_a}, "The changed image; the given one stays as it is.");
  lib.factory<Filter>("filter")
      .product<Blur, int64_t>("Blur", {"radius"_a = 1}, "The mean of a square of 2 radius + 1 pixels.")
      .product<Pipeline, std::vector<std::shared_ptr<Filter>>>("Pipeline", {"filters"_a}, "One after the other.");
}
