// The names and the documentation of the ten thousand functions that plugin/many.cc registers.
#pragma once

#include <cstddef>

namespace bench {

inline constexpr int kManyFunctions = 10000;
inline constexpr size_t kManyNameSize = 14;
inline constexpr const char* kManyDoc = "Add two integers.";

// "function_0000" to "function_9999"
struct ManyNames {
  char texts[kManyFunctions][kManyNameSize]{};
  constexpr ManyNames() {
    for (int i = 0; i < kManyFunctions; ++i) {
      const char stem[] = "function_";
      for (size_t c = 0; c < 9; ++c) texts[i][c] = stem[c];
      int digits = i;
      for (size_t c = 12; c > 8; --c, digits /= 10) texts[i][c] = static_cast<char>('0' + digits % 10);
    }
  }
};

}  // namespace bench
