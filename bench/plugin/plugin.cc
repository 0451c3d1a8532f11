// What the benchmarks call by name, from C++ and from Python.
#include <byname/byname.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>

using namespace byname::literals;

namespace {

int64_t call_many(const byname::Function& function, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += function(i).to<int64_t>();
  return sum;
}

}  // namespace

BYNAME_LIBRARY("bench", lib) {
  lib.def("nothing", [] {});
  lib.def("add", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a});
  lib.def("add_named", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a});
  lib.def("sum4", [](double a, double b, double c, double d) { return a + b + c + d; });
  lib.def("text", [](std::string_view s, int64_t n) { return static_cast<int64_t>(s.size()) + s[0] + n; });
  lib.def("call_many", call_many);
  lib.def("throw", [](int64_t) -> int64_t { throw std::runtime_error("thrown in C++"); });
}
