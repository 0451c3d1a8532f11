// Every kind of value to every kind of type: whether it converts, and how well it fits.
#include <gtest/gtest.h>

#include <map>

#include "byname/function.h"
#include "byname/shape.h"
#include "byname/tensor.h"
#include "conversion.h"
#include "value/convert.h"

namespace byname::core {
namespace {

// '=' exactly, '^' as an ancestor, '<' without loss, '~' convertible, '*' as anything, '!' out of range, '.' not at
// all.
char letter(int rank) {
  if (rank == kOutOfRange) return '!';
  if (rank < 0) return '.';
  if (rank < kAncestor) return '=';
  if (rank < kLossless) return '^';
  if (rank < kConvertible) return '<';
  return rank < kAnything - 1 ? '~' : '*';
}

constexpr std::string_view kTypes[] = {"Any",          "None",           "bool",       "int8",
                                       "int",          "uint64",         "float32",    "float",
                                       "complex",      "Scalar",         "str",        "bytes",
                                       "Tensor",       "Shape",          "Device",     "Layout",
                                       "MemoryFormat", "ScalarType",     "Chain",      "Generator",
                                       "SymInt",       "Object",         "Function",   "int?",
                                       "int[]",        "Dict(str, int)", "(int, str)", "Union(int, str)",
                                       "byname.Error"};

std::string fits(const byname_any& value) {
  std::string row;
  for (std::string_view type : kTypes) row += letter(rank_of(value, type));
  return row;
}

// Columns:                    Any none bool i8 int u64 f32 float complex Scalar str bytes Tensor Shape Device Layout
//                             MemoryFormat ScalarType Chain Generator SymInt Object Function int? int[] Dict tuple
//                             Union Error
TEST(ConversionMatrix, none_is_taken_where_it_is_declared) { EXPECT_EQ(fits({}), "*=.....................=....."); }

TEST(ConversionMatrix, a_bool_is_a_bool_and_may_be_an_integer_but_no_float) {
  EXPECT_EQ(fits(bool_value(true)), "*.=~~~...<..........~..~...~.");
}

TEST(ConversionMatrix, an_integer_is_an_integer_and_may_be_a_float) {
  EXPECT_EQ(fits(int_value(5)), "*..===<<~<.....==...=..=...=.");
  EXPECT_EQ(fits(int_value(-1)), "*..==!<<~<.....==...=..=...=.");
}

TEST(ConversionMatrix, an_integer_above_int64_is_a_uint64) {
  EXPECT_EQ(fits(uint_value(UINT64_C(1) << 63)), "*..!!=~~~<..........!..!...!.");
}

TEST(ConversionMatrix, a_float_is_never_an_integer) {
  EXPECT_EQ(fits(float_value(2)), "*.....~=~<...................");
}

TEST(ConversionMatrix, an_integer_beyond_64_bits_is_out_of_range_but_for_floats) {
  EXPECT_EQ(fits(Scalar(1e25, "10000000000000000000000000").view()), "*..!!!~~~!..........!..!...!.");
  const std::string digits = "1" + std::string(400, '0');
  EXPECT_EQ(fits(Scalar(HUGE_VAL, digits).view()), "*..!!!!!!!..........!..!...!.");
}

TEST(ConversionMatrix, text_is_no_bytes_no_sequence_and_names_dtypes_and_devices) {
  EXPECT_EQ(fits(Any("abc").raw()), "*.........=....==..........=.");
  EXPECT_EQ(fits(Any("a text of more than seven bytes").raw()), "*.........=....==..........=.");
  EXPECT_EQ(fits(Any("cpu").raw()), "*.........=...~==..........=.");
  EXPECT_EQ(fits(Any("float32").raw()), "*.........=....==~.........=.");
}

TEST(ConversionMatrix, bytes_are_no_text_and_no_sequence) {
  EXPECT_EQ(fits(Bytes("abc").any().raw()), "*..........=.................");
  EXPECT_EQ(fits(Bytes("more than seven bytes").any().raw()), "*..........=.................");
}

TEST(ConversionMatrix, borrowed_text_and_bytes_are_as_owned_ones) {
  byname_str characters = {"abc", 3};
  byname_any view{BYNAME_STR_VIEW, 0, {0}};
  view.as_str = &characters;
  EXPECT_EQ(fits(view), fits(Any("abc").raw()));
  byname_any chars{BYNAME_CHARS, 0, {0}};
  chars.as_chars = "abc";
  EXPECT_EQ(fits(chars), fits(Any("abc").raw()));
  byname_any bytes{BYNAME_BYTE_VIEW, 0, {0}};
  bytes.as_str = &characters;
  EXPECT_EQ(fits(bytes), fits(Bytes("abc").any().raw()));
}

TEST(ConversionMatrix, complex_numbers_dtypes_devices_and_pointers_are_themselves) {
  EXPECT_EQ(fits(Any(std::complex<double>(1, 2)).raw()), "*.......=<...........*.......");
  EXPECT_EQ(fits(Any(DType("int8")).raw()), "*................=...........");
  EXPECT_EQ(fits(Any(Device("cpu")).raw()), "*.............=..............");
  int target = 0;
  EXPECT_EQ(fits(Any(static_cast<void*>(&target)).raw()), "*............................");
}

TEST(ConversionMatrix, containers_are_sequences_shapes_and_maps) {
  Any numbers(Shape{1, 2});
  EXPECT_EQ(fits(numbers.raw()), "*............=.......*..~....");
  byname_any items[] = {int_value(1), int_value(2)};
  Any array;
  detail::check(byname_array_new(items, 2, array.out()));
  EXPECT_EQ(fits(array.raw()), "*............~.......*..=....");
  Any mixed;
  byname_any words[] = {int_value(1), Any("a").raw()};
  detail::check(byname_tuple_new(words, 2, mixed.out()));
  EXPECT_EQ(fits(mixed.raw()), "*....................*....=..");
  Any map;
  detail::check(byname_map_new(0, map.out()));
  detail::check(byname_map_put(map.raw().as_object, &words[1], &words[0]));
  EXPECT_EQ(fits(map.raw()), "*....................*...=...");
}

TEST(ConversionMatrix, objects_are_what_their_type_says) {
  EXPECT_EQ(fits(Any(Tensor::empty({2}, DType("int32"))).raw()), "*...........^........*.......");
  EXPECT_EQ(fits(Any(Function([] {})).raw()), "*....................*=......");
  Any error;
  byname_error_new({"ValueError", 10}, {"x", 1}, nullptr, error.out());
  EXPECT_EQ(fits(error.raw()), "*....................*......=");
}

// A pointer has no word in the schema language.
TEST(ConversionMatrix, a_pointer_is_taken_by_pointers_alone_and_none_is_a_null_pointer) {
  const byname_type& type = Convert<void*>::kType;
  int target = 0;
  EXPECT_EQ(letter(rank_of(Any(static_cast<void*>(&target)).raw(), type)), '=');
  EXPECT_EQ(letter(rank_of({}, type)), '=');
  EXPECT_EQ(letter(rank_of(int_value(0), type)), '.');
  EXPECT_EQ(letter(rank_of(Any("x").raw(), type)), '.');
}

}  // namespace
}  // namespace byname::core
