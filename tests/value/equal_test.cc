// Equality and hashes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

uint64_t hash_of(const Any& value) {
  uint64_t hash = 0;
  detail::check(byname_any_hash(&value.raw(), &hash));
  return hash;
}

// Equal both ways, and then of one hash.
bool equal(const Any& a, const Any& b) {
  EXPECT_EQ(a == b, b == a) << a.print() << " and " << b.print();
  if (a == b) {
    EXPECT_EQ(hash_of(a), hash_of(b)) << a.print() << " and " << b.print();
  }
  return a == b;
}

TEST(Equal, numbers_are_equal_by_value_whatever_their_type) {
  EXPECT_TRUE(equal(1, 1.0));
  EXPECT_TRUE(equal(1, true));
  EXPECT_TRUE(equal(1.0, true));
  EXPECT_TRUE(equal(0, false));
  EXPECT_TRUE(equal(0.0, -0.0));
  EXPECT_TRUE(equal(0, -0.0));
  EXPECT_TRUE(equal(std::complex<double>(1, 0), 1));
  EXPECT_TRUE(equal(std::complex<double>(1.5, -0.0), 1.5));
  EXPECT_TRUE(equal(std::complex<double>(1, 2), std::complex<double>(1, 2)));
  EXPECT_TRUE(equal(-5, -5.0));
  EXPECT_FALSE(equal(1, 2));
  EXPECT_FALSE(equal(1, 1.5));
  EXPECT_FALSE(equal(std::complex<double>(1, 2), 1));
  EXPECT_FALSE(equal(std::complex<double>(1, 2), std::complex<double>(1, 3)));
}

TEST(Equal, large_integers_are_not_rounded) {
  constexpr int64_t kOdd = (int64_t{1} << 53) + 1;
  EXPECT_FALSE(equal(kOdd, static_cast<double>(kOdd)));
  EXPECT_TRUE(equal(kOdd - 1, static_cast<double>(kOdd - 1)));
  EXPECT_FALSE(equal(INT64_MAX, 0x1p63));
  EXPECT_TRUE(equal(INT64_MIN, -0x1p63));
  EXPECT_TRUE(equal(uint64_t{1} << 63, 0x1p63));
  EXPECT_FALSE(equal(UINT64_MAX, 0x1p64));
  EXPECT_FALSE(equal(UINT64_MAX, -1));
  EXPECT_TRUE(equal(UINT64_MAX, UINT64_MAX));
  EXPECT_TRUE(equal(0x1p80, 0x1p80));
  EXPECT_TRUE(equal(INFINITY, INFINITY));
  EXPECT_FALSE(equal(INFINITY, -INFINITY));
}

TEST(Equal, nan_equals_nothing) {
  EXPECT_FALSE(equal(kNan, kNan));
  EXPECT_FALSE(equal(kNan, 0));
  EXPECT_FALSE(equal(Array<double>{kNan}, Array<double>{kNan}));
  // As a list in Python equals itself.
  Any array = Array<double>{kNan};
  EXPECT_TRUE(equal(array, array));
}

TEST(Equal, text_is_equal_by_content_and_differs_from_bytes_and_numbers) {
  std::string long_text = "more than seven characters";
  EXPECT_TRUE(equal("short", "short"));
  EXPECT_TRUE(equal(long_text, long_text));
  EXPECT_FALSE(equal("short", "shirt"));
  EXPECT_FALSE(equal("short", "shor"));
  EXPECT_FALSE(equal(std::string_view("a\0b", 3), "a"));
  EXPECT_FALSE(equal("short", Bytes("short")));
  EXPECT_FALSE(equal(long_text, Bytes(long_text)));
  EXPECT_FALSE(equal("1", 1));
  EXPECT_FALSE(equal("", Any()));
}

TEST(Equal, all_forms_of_one_text_are_equal_and_hash_equal) {
  for (std::string text : {"short", "more than seven characters"}) {
    byname_str view = str(text);
    byname_any forms[3] = {view_of(view), {BYNAME_CHARS, 0, {0}}, {}};
    forms[1].as_chars = text.c_str();
    Any owned(text);
    // As a foreign module makes them: an object for text of any length.
    forms[2] = owned.raw();
    byname_string object{};
    object.header.type_index = BYNAME_STR;
    object.text = view;
    byname_any as_object{BYNAME_STR, 0, {0}};
    as_object.as_object = &object.header;
    uint64_t hash = 0;
    for (const byname_any& form : {forms[0], forms[1], forms[2], as_object}) {
      EXPECT_EQ(byname_any_equal(&form, &owned.raw()), 1);
      ASSERT_EQ(byname_any_hash(&form, &hash), 0);
      EXPECT_EQ(hash, hash_of(owned));
    }
  }
}

TEST(Equal, containers_are_equal_by_kind_and_content) {
  EXPECT_TRUE(equal(Array<int64_t>{1, 2}, Array<double>{1, 2}));
  EXPECT_FALSE(equal(Array<int64_t>{1, 2}, Array<int64_t>{1, 2, 3}));
  EXPECT_FALSE(equal(Array<int64_t>{1, 2}, Array<int64_t>{2, 1}));
  EXPECT_FALSE(equal(Array<int64_t>{1, 2}, Tuple<int64_t, int64_t>(1, 2)));
  EXPECT_TRUE(equal(Tuple<int64_t, String>(1, "a"), Tuple<int64_t, String>(1, "a")));
  EXPECT_FALSE(equal(Shape{1, 2}, Tuple<int64_t, int64_t>(1, 2)));
  EXPECT_TRUE(equal(Shape{1, 2}, Shape{1, 2}));
  EXPECT_FALSE(equal(Shape{1, 2}, Shape{1}));
  EXPECT_TRUE(equal(Array<Any>{Array<Any>{}, 1}, Array<Any>{Array<Any>{}, 1}));
  EXPECT_FALSE(equal(Array<Any>{Array<Any>{}, 1}, Array<Any>{Array<Any>{1}}));
}

TEST(Equal, maps_are_equal_whatever_the_order_of_their_entries) {
  Any a = Map<String, Any>{{"x", 1}, {"y", Array<int64_t>{1}}};
  EXPECT_TRUE((a == Any(Map<String, Any>{{"y", Array<int64_t>{1}}, {"x", 1.0}})));
  EXPECT_FALSE((a == Any(Map<String, Any>{{"y", Array<int64_t>{2}}, {"x", 1}})));
  EXPECT_FALSE((a == Any(Map<String, Any>{{"x", 1}, {"z", Array<int64_t>{1}}})));
  EXPECT_FALSE((a == Any(Map<String, Any>{{"x", 1}})));
  EXPECT_TRUE((Any(Map<String, Any>{{"m", a}, {"n", a}}) == Any(Map<String, Any>{{"n", a}, {"m", a}})));
}

struct Node : Derive<Node, Object, "test.equal.Node"> {};

TEST(Equal, other_objects_are_equal_to_themselves_only) {
  Any a = make<Node>();
  Any b = make<Node>();
  EXPECT_TRUE(equal(a, a));
  EXPECT_FALSE(equal(a, b));
  EXPECT_FALSE(equal(Error("ValueError", "x").object() == nullptr, a));
}

TEST(Equal, dtypes_devices_and_pointers_are_equal_by_value) {
  EXPECT_TRUE(equal(DType::of<float>(), DType("float32")));
  EXPECT_FALSE(equal(DType::of<float>(), DType::of<double>()));
  EXPECT_TRUE(equal(Device("cuda:1"), Device("cuda:1")));
  EXPECT_FALSE(equal(Device("cuda:1"), Device("cuda:0")));
  int place = 0;
  EXPECT_TRUE(equal(static_cast<void*>(&place), static_cast<void*>(&place)));
  EXPECT_FALSE(equal(static_cast<void*>(&place), reinterpret_cast<int64_t>(&place)));
  EXPECT_TRUE(equal(Any(), Any()));
  EXPECT_FALSE(equal(Any(), 0));
}

TEST(Hash, of_a_map_and_of_what_contains_one_is_an_error) {
  Any map = Map<String, int64_t>{{"a", 1}};
  EXPECT_EQ(thrown([&] { hash_of(map); }), "TypeError: unhashable type: 'dict'");
  EXPECT_EQ(thrown([&] { hash_of(Array<Any>{1, Tuple<Any>(map)}); }), "TypeError: unhashable type: 'dict'");
}

TEST(Hash, tells_nestings_apart) {
  std::set<uint64_t> hashes = {hash_of(Array<Any>{1, 2}),
                               hash_of(Array<Any>{2, 1}),
                               hash_of(Array<Any>{Array<Any>{1}, 2}),
                               hash_of(Array<Any>{Array<Any>{1, 2}}),
                               hash_of(Array<Any>{1, Array<Any>{2}}),
                               hash_of(Array<Any>{Array<Any>{}, 1, 2}),
                               hash_of(Tuple<Any, Any>(1, 2)),
                               hash_of(Array<Any>{})};
  EXPECT_EQ(hashes.size(), 8u);
}

TEST(Hash, of_a_hundred_thousand_like_texts_and_numbers_does_not_collide) {
  std::set<uint64_t> hashes;
  std::set<uint32_t> low_bits;
  for (int64_t i = 0; i < 50'000; ++i) {
    hashes.insert(hash_of(i));
    hashes.insert(hash_of("a key that is long enough " + std::to_string(i)));
    low_bits.insert(static_cast<uint32_t>(hash_of(i) & 0xffff));
  }
  EXPECT_EQ(hashes.size(), 100'000u);
  // 65536 × (1 − e^(−50000 / 65536)) = 34974 places are hit by chance.
  EXPECT_NEAR(static_cast<double>(low_bits.size()), 34974, 600);
}

TEST(Hash, differs_from_process_to_process) {
  // A new process image, for a fork inherits the seed.
  auto hash_elsewhere = [] {
    std::string output;
    std::string command =
        std::string(testing::internal::GetArgvs()[0]) + " --gtest_filter=HashPrinter.* 2>&1 | grep '^hash '";
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[64];
    while (fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
    pclose(pipe);
    return output;
  };
  std::string first = hash_elsewhere();
  std::string second = hash_elsewhere();
  EXPECT_EQ(first.substr(0, 5), "hash ");
  EXPECT_NE(first, second);
}

// Run by the test above, in a process of its own.
TEST(HashPrinter, prints_the_hash_of_a_text) {
  uint64_t hash = hash_of("text");
  printf("\nhash %llu\n", static_cast<unsigned long long>(hash));
  EXPECT_EQ(hash, hash_of("text"));
}

TEST(Hash, complex_numbers_that_are_equal_have_one_hash) {
  Any plus = std::complex<double>(0.0, 1);
  Any minus = std::complex<double>(-0.0, 1);
  uint64_t hashes[2] = {};
  ASSERT_EQ(byname_any_hash(&plus.raw(), &hashes[0]), 0);
  ASSERT_EQ(byname_any_hash(&minus.raw(), &hashes[1]), 0);
  EXPECT_EQ(plus, minus);
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace byname
