// Hashing of bytes: multiply and fold, eight bytes at a time.
#ifndef BYNAME_BASE_HASH_H_
#define BYNAME_BASE_HASH_H_

#include <cstdint>
#include <cstring>
#include <string_view>

namespace byname::core {

// Folds the 128-bit product of two words; the mixing step of wyhash and its kin.
inline uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline constexpr uint64_t kHashOdd1 = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
inline constexpr uint64_t kHashOdd2 = 0xD1B54A32D192ED03;  // its plane's companion

// All 64 bits are usable. Not for untrusted keys unless `seed` is secret.
inline uint64_t hash_bytes(std::string_view bytes, uint64_t seed = 0) {
  const char* data = bytes.data();
  size_t left = bytes.size();
  uint64_t state = seed ^ fold(left ^ kHashOdd1, kHashOdd2);
  uint64_t a = 0;
  uint64_t b = 0;
  while (left > 16) {
    std::memcpy(&a, data, 8);
    std::memcpy(&b, data + 8, 8);
    state = fold(a ^ state, b ^ kHashOdd1);
    data += 16;
    left -= 16;
  }
  // The last 1 to 16 bytes as two words that overlap rather than branch by byte.
  if (left >= 8) {
    std::memcpy(&a, data, 8);
    std::memcpy(&b, data + left - 8, 8);
  } else if (left >= 4) {
    uint32_t head;
    uint32_t tail;
    std::memcpy(&head, data, 4);
    std::memcpy(&tail, data + left - 4, 4);
    a = head;
    b = tail;
  } else if (left > 0) {
    a = static_cast<uint8_t>(data[0]) | static_cast<uint64_t>(static_cast<uint8_t>(data[left / 2])) << 8 |
        static_cast<uint64_t>(static_cast<uint8_t>(data[left - 1])) << 16;
    b = 0;
  }
  return fold(a ^ state ^ kHashOdd2, b ^ kHashOdd1 ^ state);
}

}  // namespace byname::core

#endif  // BYNAME_BASE_HASH_H_
