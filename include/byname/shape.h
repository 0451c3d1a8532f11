// Shapes: a few sizes.
#ifndef BYNAME_SHAPE_H_
#define BYNAME_SHAPE_H_

#include <algorithm>
#include <initializer_list>
#include <span>

#include "byname/any.h"

namespace byname {

// Immutable; copies share.
class Shape {
 public:
  using value_type = int64_t;
  Shape() noexcept = default;
  Shape(std::initializer_list<int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const int64_t> sizes) {
    byname_any made{};
    detail::check(byname_shape_new(sizes.data(), sizes.size(), &made));
    shape_ = ObjectPtr<Data>(reinterpret_cast<Data*>(made.as_object), Adopt());
  }
  // Takes a reference.
  Shape(byname_shape* taken, Adopt) noexcept : shape_(reinterpret_cast<Data*>(taken), Adopt()) {}

  size_t size() const noexcept { return span().size(); }
  bool empty() const noexcept { return size() == 0; }
  // No check.
  int64_t operator[](size_t i) const noexcept { return span()[i]; }
  // Throws IndexError.
  int64_t at(size_t i) const {
    if (i >= size()) detail::throw_error("IndexError", "shape index out of range");
    return span()[i];
  }
  const int64_t* begin() const noexcept { return span().data(); }
  const int64_t* end() const noexcept { return begin() + size(); }
  std::span<const int64_t> span() const noexcept {
    return shape_ ? std::span(shape_->data, shape_->size) : std::span<const int64_t>();
  }
  // The product of the sizes: 1 for no sizes.
  int64_t count() const noexcept {
    int64_t product = 1;
    for (int64_t size : span()) product *= size;
    return product;
  }
  friend bool operator==(const Shape& a, const Shape& b) noexcept { return std::ranges::equal(a.span(), b.span()); }

 private:
  friend struct Convert<Shape>;
  // byname_shape as an object.
  struct Data : Object {
    const int64_t* data;
    size_t size;
  };
  static_assert(sizeof(Data) == sizeof(byname_shape));
  ObjectPtr<Data> shape_;
};

template <>
inline constexpr const char* kPortableName<Shape> = "shape";

template <>
struct Convert<Shape> : detail::HeldByBorrow<Shape> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_SHAPE);
  using Side = detail::OwnedSide;
  static bool load(const byname_any& from, detail::Borrowed<Shape>& to) {
    if (from.type_index != BYNAME_SHAPE) return false;
    to.set(reinterpret_cast<byname_shape*>(from.as_object));
    return true;
  }
  static byname_any pack(const Shape& value, Side& side) {
    if (value.shape_) return detail::any_object(value.shape_->raw());
    store(&side.value, value);
    return side.value;
  }
  static void store(byname_any* out, Shape value) {
    if (!value.shape_) value = Shape(std::span<const int64_t>());
    *out = detail::any_object(value.shape_.leak()->raw());
  }
};

}  // namespace byname

#endif  // BYNAME_SHAPE_H_
