// The names that the look-up and registration rows use, the same for every side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bench {

inline constexpr int kNames = 10000;

// "ns7.function_1234": a hundred namespaces, as in a process with a few large libraries.
inline std::string name_of(int i) { return "ns" + std::to_string(i % 100) + ".function_" + std::to_string(i); }

inline std::vector<std::string> names() {
  std::vector<std::string> all;
  all.reserve(kNames);
  for (int i = 0; i < kNames; ++i) all.push_back(name_of(i));
  return all;
}

// The same names in an order that no prefetcher guesses; the same order in every process.
inline std::vector<std::string> shuffled_names() {
  std::vector<std::string> all = names();
  std::shuffle(all.begin(), all.end(), std::mt19937_64(1));
  return all;
}

}  // namespace bench
