// Floor of the look-up row: an unlocked std::unordered_map, found by a std::string that exists already.
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "floors.h"
#include "runner/companion.h"
#include "runner/names.h"
#include "runner/side.h"

namespace floors {
namespace {

using Callable = int64_t (*)(int64_t, int64_t);

int64_t add(int64_t a, int64_t b) { return a + b; }

std::unordered_map<std::string, Callable> table;
std::vector<std::string> queries;

}  // namespace

void prepare_lookup() {
  for (const std::string& name : bench::names()) table.emplace(name, add);
  queries = bench::shuffled_names();
  bench::require(table.size() == bench::kNames && table.find(queries[7])->second == add, "the map is wrong");
}

void run_lookup(int64_t n) {
  size_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    keep(table.find(queries[at])->second);
    if (++at == queries.size()) at = 0;
  }
}

}  // namespace floors
