#include "value/hash.h"

#include <sys/random.h>
#include <time.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "value/error.h"
#include "value/number.h"
#include "value/value.h"
#include "value/walk.h"

namespace byname::core {
namespace {

// Odd, and secret: who does not know them cannot find values whose hashes collide.
struct Secrets {
  uint64_t words[4];
};

Secrets make_secrets() {
  Secrets secrets{};
  if (getrandom(secrets.words, sizeof secrets.words, GRND_NONBLOCK) != sizeof secrets.words) {
    // So early in the life of the machine, time and addresses have to do.
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t state = static_cast<uint64_t>(now.tv_nsec) ^ reinterpret_cast<uint64_t>(&secrets) << 20 ^
                     static_cast<uint64_t>(now.tv_sec) << 32;
    for (uint64_t& word : secrets.words) word = state = (state ^ state >> 29) * 0x9e3779b97f4a7c15 + 1;
  }
  for (uint64_t& word : secrets.words) word |= 1;
  return secrets;
}

const Secrets& secrets() {
  static const Secrets kSecrets = make_secrets();
  return kSecrets;
}
[[maybe_unused]] const bool is_made = (secrets(), true);

// Both halves of the product, so that each bit of the factors reaches all bits of the result.
uint64_t fold(uint64_t a, uint64_t b) {
  __uint128_t product = static_cast<__uint128_t>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <class Word>
uint64_t read(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

uint64_t hash_bytes(const char* data, size_t size, uint64_t tag) {
  const uint64_t* secret = secrets().words;
  uint64_t state = secret[0] ^ tag;
  size_t left = size;
  while (left > 16) {
    state = fold(read<uint64_t>(data) ^ secret[1], read<uint64_t>(data + 8) ^ state);
    data += 16;
    left -= 16;
  }
  uint64_t a = 0;
  uint64_t b = 0;
  if (left >= 8) {
    a = read<uint64_t>(data);
    b = read<uint64_t>(data + left - 8);
  } else if (left >= 4) {
    a = read<uint32_t>(data);
    b = read<uint32_t>(data + left - 4);
  } else if (left > 0) {
    a = read<uint8_t>(data) << 16 | read<uint8_t>(data + left / 2) << 8 | read<uint8_t>(data + left - 1);
  }
  return fold(fold(a ^ secret[2], b ^ state) ^ secret[3], size ^ secret[1]);
}

uint64_t hash_word(uint64_t word, uint64_t tag) {
  const uint64_t* secret = secrets().words;
  return fold(fold(word ^ secret[0], tag ^ secret[1]) ^ secret[2], secret[3]);
}

uint64_t hash_number(const Number& number) {
  if (number.is_integer) return hash_word(number.bits, number.is_negative ? 1 : 2);
  double real = number.real == 0 ? 0 : number.real;  // of a complex number; -0.0 equals 0.0
  uint64_t hash = hash_word(std::bit_cast<uint64_t>(real), 3);
  return number.imag == 0 ? hash : hash_word(hash, std::bit_cast<uint64_t>(number.imag));
}

// All but arrays and tuples. False: a map.
bool hash_leaf(const byname_any& value, uint64_t& out) {
  Number number{};
  byname_str text{};
  if (number_in(value, number)) {
    out = hash_number(number);
  } else if (byname_any_text(&value, &text) != 0) {
    out = hash_bytes(text.data, text.size, BYNAME_STR);
  } else if (byname_any_bytes(&value, &text) != 0) {
    out = hash_bytes(text.data, text.size, BYNAME_BYTES);
  } else if (value.type_index == BYNAME_SHAPE) {
    const auto* shape = reinterpret_cast<const byname_shape*>(value.as_object);
    out = hash_bytes(reinterpret_cast<const char*>(shape->data), shape->size * sizeof(int64_t), BYNAME_SHAPE);
  } else if (value.type_index == BYNAME_MAP) {
    return false;
  } else {
    // Of one representation (None, dtypes, devices, pointers), or objects by identity.
    int32_t tag = value.type_index < BYNAME_OBJECT ? value.type_index : int32_t{BYNAME_OBJECT};
    out = hash_word(value.type_index == BYNAME_NONE ? 0 : value.as_uint, static_cast<uint64_t>(tag));
  }
  return true;
}

}  // namespace

uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size(), BYNAME_STR); }

bool hash_value(const byname_any& value, uint64_t& out, const byname_any** unhashable) {
  if (!is_sequence(value)) {
    if (unhashable != nullptr) *unhashable = &value;
    return hash_leaf(value, out);
  }
  // The sizes make the order of visits tell the nesting.
  Items items(value);
  uint64_t state = hash_word(static_cast<uint64_t>(items.left), static_cast<uint64_t>(value.type_index));
  std::vector<Items> parents;
  for (;;) {
    while (items.left == 0) {
      if (parents.empty()) {
        out = state;
        return true;
      }
      items = parents.back();
      parents.pop_back();
    }
    const byname_any& item = *items.next++;
    --items.left;
    uint64_t hash = 0;
    if (is_sequence(item)) {
      // Parents with nothing left need not be come back to: a chain of any depth takes no room.
      if (items.left > 0) parents.push_back(items);
      items = Items(item);
      hash = hash_word(static_cast<uint64_t>(items.left), static_cast<uint64_t>(item.type_index));
    } else if (!hash_leaf(item, hash)) {
      if (unhashable != nullptr) *unhashable = &item;
      return false;
    }
    state = hash_word(state, hash);
  }
}

int hash_or_raise(const byname_any& value, uint64_t& out) {
  const byname_any* unhashable = nullptr;
  if (hash_value(value, out, &unhashable)) return 0;
  std::string message = "unhashable type: '";
  return raise("TypeError", message.append(type_name(*unhashable)).append("'"));
}

}  // namespace byname::core
