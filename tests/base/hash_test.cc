#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>

namespace byname::core {
namespace {

TEST(Hash, is_the_same_for_the_same_bytes_wherever_they_are) {
  for (size_t size = 0; size < 100; ++size) {
    std::string bytes(size, 'x');
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 37);
    std::string shifted = "y" + bytes;
    EXPECT_EQ(hash_bytes(bytes), hash_bytes(std::string_view(shifted).substr(1))) << size;
  }
}

// Each size in memory of just that size: a sanitizer sees a byte too many.
TEST(Hash, reads_nothing_beyond_the_bytes) {
  for (size_t size = 0; size < 100; ++size) {
    auto bytes = std::make_unique<char[]>(size);
    std::memset(bytes.get(), 7, size);
    EXPECT_EQ(hash_bytes({bytes.get(), size}), hash_bytes(std::string(size, 7)));
  }
  EXPECT_EQ(hash_bytes({nullptr, 0}), hash_bytes(""));
}

TEST(Hash, every_byte_and_the_length_count) {
  std::set<uint64_t> hashes;
  size_t num_hashed = 0;
  for (size_t size = 0; size < 70; ++size) {
    std::string zeros(size, '\0');
    hashes.insert(hash_bytes(zeros));
    ++num_hashed;
    for (size_t i = 0; i < size; ++i) {
      std::string one = zeros;
      one[i] = 1;
      hashes.insert(hash_bytes(one));
      ++num_hashed;
    }
  }
  EXPECT_EQ(hashes.size(), num_hashed);
}

TEST(Hash, one_bit_changes_half_of_them) {
  const std::string name = "a.name.as.they.are";
  int num_changed = 0;
  int num_tried = 0;
  for (size_t bit = 0; bit < 8 * name.size(); ++bit) {
    std::string other = name;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    num_changed += std::popcount(hash_bytes(name) ^ hash_bytes(other));
    ++num_tried;
  }
  EXPECT_GT(num_changed, 28 * num_tried);
  EXPECT_LT(num_changed, 36 * num_tried);
}

// The lower bits choose a slot, the upper 16 are compared before the name is.
TEST(Hash, names_that_are_numbered_spread_over_low_and_high_bits) {
  int low[64] = {};
  int high[64] = {};
  for (int i = 0; i < 6400; ++i) {
    uint64_t hash = hash_bytes("module.function" + std::to_string(i));
    ++low[hash % 64];
    ++high[hash >> 58];
  }
  for (int i = 0; i < 64; ++i) {
    EXPECT_GT(low[i], 50);
    EXPECT_LT(low[i], 160);
    EXPECT_GT(high[i], 50);
    EXPECT_LT(high[i], 160);
  }
}

TEST(Hash, another_seed_gives_others) {
  EXPECT_NE(hash_bytes("name", 1), hash_bytes("name", 2));
  EXPECT_NE(hash_bytes("", 1), hash_bytes("", 2));
}

}  // namespace
}  // namespace byname::core
