// Text and bytes; copies of values; the words for types.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

std::string characters(const byname_any& value) {
  byname_str text{};
  if (byname_any_text(&value, &text) == 0 && byname_any_bytes(&value, &text) == 0) return "neither";
  return {text.data, text.size};
}

TEST(Text, up_to_seven_bytes_need_no_object) {
  for (size_t size = 0; size <= 20; ++size) {
    std::string text = std::string("abcdefghijklmnopqrst").substr(0, size);
    detail::OwnedSide made;
    ASSERT_EQ(byname_string_new(str(text), &made.value), 0);
    EXPECT_EQ(made.value.type_index, size <= 7 ? int{BYNAME_SMALL_STR} : int{BYNAME_STR});
    EXPECT_EQ(characters(made.value), text);
    detail::OwnedSide bytes;
    ASSERT_EQ(byname_bytes_new(str(text), &bytes.value), 0);
    EXPECT_EQ(bytes.value.type_index, size <= 7 ? int{BYNAME_SMALL_BYTES} : int{BYNAME_BYTES});
    EXPECT_EQ(characters(bytes.value), text);
  }
}

TEST(Text, small_text_is_zero_behind_its_end) {
  byname_any made{};
  ASSERT_EQ(byname_string_new(str("abc"), &made), 0);
  EXPECT_EQ(made.small_size, 3u);
  EXPECT_EQ(std::string_view(made.as_small, 8), std::string_view("abc\0\0\0\0\0", 8));
}

// Fault: a NUL inside of text, bytes and names
TEST(Text, a_nul_in_the_middle_round_trips_as_text_and_as_bytes) {
  for (std::string_view text : {std::string_view("a\0b", 3), std::string_view("long enough\0\xff\xfe!", 15)}) {
    String string(text);
    EXPECT_EQ(string.view(), text);
    EXPECT_EQ(string.data()[string.size()], '\0');
    EXPECT_EQ(Any(string).to<std::string>(), text);
    Bytes bytes(text);
    EXPECT_EQ(bytes.view(), text);
    EXPECT_EQ(bytes.data()[bytes.size()], '\0');
  }
}

TEST(Text, empty_text_may_have_no_address) {
  byname_any made{};
  ASSERT_EQ(byname_string_new({nullptr, 0}, &made), 0);
  EXPECT_EQ(characters(made), "");
}

TEST(Text, of_a_size_that_no_memory_has_is_an_error) {
  byname_any made{BYNAME_INT, 0, {5}};
  EXPECT_EQ(byname_string_new({"", SIZE_MAX}, &made), -1);
  EXPECT_EQ(raised(), "MemoryError: out of memory");
  EXPECT_EQ(made.as_int, 5);
}

TEST(Copy, of_a_view_owns_what_the_view_shows) {
  std::string text = "text of somebody else";
  byname_str view = str(text);
  byname_any views[3] = {view_of(view), view_of(view), {BYNAME_CHARS, 0, {0}}};
  views[1].type_index = BYNAME_BYTE_VIEW;
  views[2].as_chars = text.c_str();
  Any copies[3];
  for (int i = 0; i < 3; ++i) ASSERT_EQ(byname_any_copy(&views[i], copies[i].out()), 0);
  text.assign("?");
  EXPECT_EQ(copies[0].print(), "'text of somebody else'");
  EXPECT_EQ(copies[1].print(), "b'text of somebody else'");
  EXPECT_EQ(copies[2].print(), "'text of somebody else'");
}

TEST(Copy, of_short_text_is_small) {
  byname_str view = str("short");
  byname_any value = view_of(view);
  Any copy;
  ASSERT_EQ(byname_any_copy(&value, copy.out()), 0);
  EXPECT_EQ(copy.type_index(), BYNAME_SMALL_STR);
}

byname_scalar scalar_of(byname_any value, uint8_t code, uint8_t bits) {
  return {{code, bits, 1}, value, 0, {nullptr, 0}};
}

byname_any view_of(const byname_scalar& scalar) {
  byname_any value{BYNAME_SCALAR_VIEW, 0, {0}};
  value.as_scalar = &scalar;
  return value;
}

TEST(Copy, of_a_scalar_is_its_number_if_that_fits) {
  byname_scalar scalar = scalar_of({BYNAME_INT, 0, {200}}, 1, 8);
  byname_any value = view_of(scalar);
  Any copy;
  ASSERT_EQ(byname_any_copy(&value, copy.out()), 0);
  EXPECT_EQ(copy.type_index(), BYNAME_INT);
  EXPECT_EQ(copy.to<int64_t>(), 200);
}

TEST(Copy, of_an_integer_beyond_64_bits_is_an_overflow_error) {
  std::string digits = "18446744073709551616";
  byname_scalar scalar = {{0, 0, 0}, {BYNAME_NONE, 0, {0}}, 0x1p64, str(digits)};
  byname_any value = view_of(scalar);
  byname_any copy{};
  EXPECT_EQ(byname_any_copy(&value, &copy), -1);
  EXPECT_EQ(raised(), "OverflowError: int 18446744073709551616 does not fit in 64 bits");
  std::string many(1000, '9');
  scalar.text = str(many);
  EXPECT_EQ(byname_any_copy(&value, &copy), -1);
  EXPECT_EQ(raised(), "OverflowError: int " + std::string(40, '9') + "... does not fit in 64 bits");
}

TEST(Copy, of_what_is_only_lent_is_refused) {
  byname_dl_tensor dl{};
  byname_any value{BYNAME_DL_TENSOR, 0, {0}};
  value.as_dl_tensor = &dl;
  byname_any copy{};
  EXPECT_EQ(byname_any_copy(&value, &copy), -1);
  EXPECT_EQ(raised(), "TypeError: a value of type DLTensor is borrowed and cannot be kept");
  value.type_index = BYNAME_RVALUE;
  EXPECT_EQ(byname_any_copy(&value, &copy), -1);
  EXPECT_EQ(raised(), "TypeError: a value of type r-value reference is borrowed and cannot be kept");
  value.type_index = 33;
  EXPECT_EQ(byname_any_copy(&value, &copy), -1);
  EXPECT_EQ(raised(), "TypeError: a value of type an unknown type is borrowed and cannot be kept");
}

TEST(Copy, of_an_object_shares_it) {
  Any first = Array<int64_t>{1, 2, 3};
  Any second;
  ASSERT_EQ(byname_any_copy(&first.raw(), second.out()), 0);
  EXPECT_EQ(second.raw().as_object, first.raw().as_object);
}

struct Node : Derive<Node, Object, "test.text.Node"> {};

TEST(TypeName, is_the_word_that_messages_use) {
  EXPECT_EQ(Any().type_name(), "None");
  EXPECT_EQ(Any(1).type_name(), "int");
  EXPECT_EQ(Any(UINT64_MAX).type_name(), "int");
  EXPECT_EQ(Any(true).type_name(), "bool");
  EXPECT_EQ(Any(1.5).type_name(), "float");
  EXPECT_EQ(Any("short").type_name(), "str");
  EXPECT_EQ(Any("longer than that").type_name(), "str");
  EXPECT_EQ(Any(Bytes("short")).type_name(), "bytes");
  EXPECT_EQ(Any(Bytes("longer than that")).type_name(), "bytes");
  EXPECT_EQ(Any(DType::of<float>()).type_name(), "dtype");
  EXPECT_EQ(Any(Device()).type_name(), "Device");
  EXPECT_EQ(Any(Array<int64_t>()).type_name(), "list");
  EXPECT_EQ(Any(Map<String, int64_t>()).type_name(), "dict");
  EXPECT_EQ(Any(Tuple<int64_t>(1)).type_name(), "tuple");
  EXPECT_EQ(Any(Shape{1}).type_name(), "Shape");
  EXPECT_EQ(Any(std::complex<double>(1, 2)).type_name(), "complex");
  EXPECT_EQ(Any(Tensor::empty({1}, DType::of<float>())).type_name(), "Tensor");
  EXPECT_EQ(Any(Function([] {})).type_name(), "Function");
  EXPECT_EQ(Any(make<Node>()).type_name(), "test.text.Node");
  EXPECT_EQ(Any(static_cast<void*>(this)).type_name(), "pointer");
}

TEST(TypeName, of_a_scalar_tells_its_width) {
  byname_scalar scalar = scalar_of({BYNAME_INT, 0, {200}}, 1, 8);
  EXPECT_EQ(AnyView(view_of(scalar)).type_name(), "uint8");
  scalar = scalar_of({BYNAME_FLOAT, 0, {0}}, 2, 16);
  EXPECT_EQ(AnyView(view_of(scalar)).type_name(), "float16");
  scalar = scalar_of({BYNAME_FLOAT, 0, {0}}, 2, 8);
  EXPECT_EQ(AnyView(view_of(scalar)).type_name(), "float");
  scalar = scalar_of({BYNAME_BOOL, 0, {1}}, 6, 8);
  EXPECT_EQ(AnyView(view_of(scalar)).type_name(), "bool");
  scalar = scalar_of({BYNAME_NONE, 0, {0}}, 0, 0);
  EXPECT_EQ(AnyView(view_of(scalar)).type_name(), "int");
}

}  // namespace
}  // namespace byname
