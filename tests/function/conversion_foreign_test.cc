// Opaque objects of another language: its converter is asked for what the table itself cannot give.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "byname/function.h"
#include "byname/shape.h"
#include "conversion.h"
#include "object/pool.h"
#include "value/convert.h"

namespace byname::core {
namespace {

constinit CoreClass opaque_class(BYNAME_PY_OBJECT, sizeof(byname_py_object), alignof(byname_py_object), nullptr);

Any make_opaque() {
  auto* object = static_cast<byname_py_object*>(allocate(&opaque_class));
  byname_object_init(object, BYNAME_PY_OBJECT);
  object->object = nullptr;
  object->type_name = {"Duck", 4};
  byname_any value{BYNAME_PY_OBJECT, 0, {0}};
  value.as_object = &object->header;
  return Any(value, Adopt());
}

// The converter, while a test runs.
class ConversionOfForeignObjects : public testing::Test {
 protected:
  using Converter = std::function<int(const byname_type& wanted, byname_any* out)>;
  void set(Converter converter) {
    converter_ = std::move(converter);
    byname_foreign_converter_set(&call, this);
  }
  ~ConversionOfForeignObjects() override { byname_foreign_converter_set(nullptr, nullptr); }
  Any opaque = make_opaque();

 private:
  static int call(void* context, const byname_py_object*, const byname_type* wanted, byname_any* out) {
    return static_cast<ConversionOfForeignObjects*>(context)->converter_(*wanted, out);
  }
  Converter converter_;
};

int give(Any value, byname_any* out) {
  *out = value.leak();
  return 1;
}

TEST_F(ConversionOfForeignObjects, without_a_converter_they_are_only_objects) {
  EXPECT_EQ(converted(opaque.raw(), "int"), "no match");
  EXPECT_GE(rank_of(opaque.raw(), "Any"), 0);
  EXPECT_GE(rank_of(opaque.raw(), "Object"), 0);
  EXPECT_EQ(rank_of(opaque.raw(), "int?"), kNoMatch);
}

TEST_F(ConversionOfForeignObjects, what_the_converter_makes_is_converted_on) {
  set([](const byname_type&, byname_any* out) { return give(7, out); });
  EXPECT_EQ(converted(opaque.raw(), "int"), "7");
  EXPECT_EQ(converted(opaque.raw(), "uint8"), "7");
  EXPECT_EQ(converted(opaque.raw(), "float"), "7.0");
  EXPECT_EQ(converted(opaque.raw(), "Scalar"), "7");
  EXPECT_EQ(converted(opaque.raw(), "int?"), "7");
  EXPECT_EQ(converted(opaque.raw(), "complex"), "(7+0j)");
  EXPECT_EQ(converted(opaque.raw(), "str"), "no match");
}

TEST_F(ConversionOfForeignObjects, what_it_makes_has_to_fit) {
  set([](const byname_type&, byname_any* out) { return give(300, out); });
  EXPECT_EQ(converted(opaque.raw(), "uint8"), "out of range");
  EXPECT_EQ(converted(opaque.raw(), "int"), "300");
}

TEST_F(ConversionOfForeignObjects, of_several_integer_types_the_narrowest_that_holds_it_fits_best) {
  set([](const byname_type&, byname_any* out) { return give(300, out); });
  EXPECT_LT(rank_of(opaque.raw(), "int16"), rank_of(opaque.raw(), "uint16"));
  EXPECT_LT(rank_of(opaque.raw(), "uint16"), rank_of(opaque.raw(), "int32"));
  EXPECT_LT(rank_of(opaque.raw(), "float"), rank_of(opaque.raw(), "float32"));
}

TEST_F(ConversionOfForeignObjects, they_fit_less_well_than_values_of_the_type) {
  set([](const byname_type&, byname_any* out) { return give(7, out); });
  EXPECT_GE(rank_of(opaque.raw(), "int"), kConvertible);
  EXPECT_LT(rank_of(opaque.raw(), "int"), rank_of(opaque.raw(), "Any"));
}

TEST_F(ConversionOfForeignObjects, every_kind_of_type_that_needs_a_form_is_asked_for) {
  std::string asked;
  set([&asked](const byname_type& wanted, byname_any*) {
    asked += std::to_string(wanted.kind) + " ";
    return 0;
  });
  auto kinds_asked = [&](std::string_view type) {
    asked.clear();
    rank_of(opaque.raw(), type);
    return asked;
  };
  auto only = [](int kind) { return std::to_string(kind) + " "; };
  EXPECT_EQ(kinds_asked("int8"), only(BYNAME_KIND_INT));
  EXPECT_EQ(kinds_asked("float"), only(BYNAME_KIND_FLOAT));
  EXPECT_EQ(kinds_asked("Scalar"), only(BYNAME_KIND_SCALAR));
  EXPECT_EQ(kinds_asked("str"), only(BYNAME_KIND_STR));
  EXPECT_EQ(kinds_asked("bytes"), only(BYNAME_KIND_BYTES));
  EXPECT_EQ(kinds_asked("Tensor"), only(BYNAME_KIND_TENSOR));
  EXPECT_EQ(kinds_asked("Shape"), only(BYNAME_KIND_SHAPE));
  EXPECT_EQ(kinds_asked("Device"), only(BYNAME_KIND_DEVICE));
  EXPECT_EQ(kinds_asked("ScalarType"), only(BYNAME_KIND_DTYPE));
  EXPECT_EQ(kinds_asked("int[]"), only(BYNAME_KIND_LIST));
  EXPECT_EQ(kinds_asked("(int, str)"), only(BYNAME_KIND_TUPLE));
  EXPECT_EQ(kinds_asked("Dict(int, str)"), only(BYNAME_KIND_DICT));
  EXPECT_EQ(kinds_asked("Function"), only(BYNAME_KIND_FUNCTION));
  EXPECT_EQ(kinds_asked("byname.Error"), only(BYNAME_KIND_OBJECT));
  EXPECT_EQ(kinds_asked("bool"), "");
  EXPECT_EQ(kinds_asked("Any"), "");
  EXPECT_EQ(kinds_asked("Object"), "");
}

TEST_F(ConversionOfForeignObjects, items_of_lists_and_of_what_it_makes_are_asked_for_one_by_one) {
  set([this](const byname_type& wanted, byname_any* out) {
    if (wanted.kind == BYNAME_KIND_INT) return give(7, out);
    if (wanted.kind != BYNAME_KIND_LIST) return 0;
    const byname_any items[] = {opaque.raw(), int_value(1)};
    return byname_array_new(items, 2, out) == 0 ? 1 : -1;
  });
  const byname_any items[] = {int_value(2), opaque.raw()};
  Any list;
  detail::check(byname_array_new(items, 2, list.out()));
  EXPECT_EQ(converted(list.raw(), "int[]"), "[2, 7]");
  EXPECT_EQ(converted(opaque.raw(), "int[]"), "[7, 1]");
}

TEST_F(ConversionOfForeignObjects, a_converter_that_gives_the_object_back_is_not_asked_for_ever) {
  set([this](const byname_type&, byname_any* out) { return give(opaque, out); });
  EXPECT_EQ(converted(opaque.raw(), "int"), "no match");
}

TEST_F(ConversionOfForeignObjects, an_error_of_the_converter_is_the_error_of_the_conversion) {
  set([](const byname_type&, byname_any*) { return byname_error_raise({"KeyError", 8}, {"'no such duck'", 14}); });
  EXPECT_EQ(conversion_error(opaque.raw(), "int"), "KeyError: 'no such duck'");
  EXPECT_EQ(conversion_error(opaque.raw(), "int[]"), "KeyError: 'no such duck'");
}

TEST_F(ConversionOfForeignObjects, an_error_amid_a_container_drops_what_was_made) {
  set([](const byname_type& wanted, byname_any* out) {
    if (wanted.kind == BYNAME_KIND_LIST) return give(Shape{1, 2}, out);
    return byname_error_raise({"KeyError", 8}, {"'no'", 4});
  });
  Any key("a text of more than seven bytes");
  Any map;
  detail::check(byname_map_new(1, map.out()));
  detail::check(byname_map_put(map.raw().as_object, &key.raw(), &opaque.raw()));
  uint64_t before = key.raw().as_object->counts;
  EXPECT_EQ(conversion_error(map.raw(), "Dict(str, int)"), "KeyError: 'no'");
  EXPECT_EQ(key.raw().as_object->counts, before);
  EXPECT_EQ(converted(opaque.raw(), "int[]"), "[1, 2]");
}

TEST_F(ConversionOfForeignObjects, they_are_arguments_as_any_others) {
  set([](const byname_type&, byname_any* out) { return give(7, out); });
  Function twice([](int64_t number) { return 2 * number; });
  EXPECT_EQ(twice(opaque).to<int64_t>(), 14);
}

}  // namespace
}  // namespace byname::core
