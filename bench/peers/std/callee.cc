// A std::function made in a shared object of its own.
#include <cstdint>
#include <functional>

extern "C" __attribute__((visibility("default"))) const std::function<int64_t(int64_t, int64_t)>* peer_std_add() {
  static const std::function<int64_t(int64_t, int64_t)> add = [](int64_t a, int64_t b) { return a + b; };
  return &add;
}
