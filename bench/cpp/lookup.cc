// Looking up one of ten thousand names, and one name from two threads.
#include <string>
#include <vector>

#include "runner/companion.h"
#include "runner/names.h"
#include "runner/side.h"
#include "values.h"

namespace values {
namespace {

std::vector<std::string> names;  // registered, so they stay
std::vector<std::string> queries;

}  // namespace

void prepare_lookup() {
  names = bench::names();
  for (const std::string& name : names) {
    byname::register_function(std::string_view(name), [](int64_t a, int64_t b) { return a + b; }).keep();
  }
  queries = bench::shuffled_names();
  for (const std::string& query : queries) bench::require(byname::get(query).name() == query, "the table is wrong");
}

void run_lookup(int64_t n) {
  size_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    keep(byname::get(queries[at]));
    if (++at == queries.size()) at = 0;
  }
}

void run_one_lookup(int64_t n) {
  for (int64_t i = 0; i < n; ++i) keep(byname::get("bench.add"));
}

void run_call_by_lookup(int64_t n) {
  for (int64_t i = 0; i < n; ++i) keep(byname::get("bench.add")(i, 1).to<int64_t>());
}

}  // namespace values
