// Floor of the registration row: emplace 10,000 std::function objects into an empty unordered_map.
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "floors.h"
#include "runner/companion.h"
#include "runner/names.h"

namespace floors {
namespace {

std::vector<std::string> names;
std::unordered_map<std::string, std::function<int64_t(int64_t, int64_t)>> table;

}  // namespace

void prepare_register() { names = bench::names(); }

void run_register(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    table.emplace(names[static_cast<size_t>(i)], [](int64_t a, int64_t b) { return a + b; });
  }
}

void check_register() {
  bench::require(table.size() == names.size() && table.at(names[7])(40, 2) == 42, "the map is wrong");
}

}  // namespace floors
