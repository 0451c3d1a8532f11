// The peer nanobind, called from Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(peer_nanobind, m) {
  m.def("nothing", [] {});
  m.def("add", [](int64_t a, int64_t b) { return a + b; });  // names would make the call slower
  m.def("add_named", [](int64_t a, int64_t b) { return a + b; }, "a"_a, "b"_a);
  m.def("sum4", [](double a, double b, double c, double d) { return a + b + c + d; });
  m.def("text", [](std::string_view s, int64_t n) { return static_cast<int64_t>(s.size()) + s[0] + n; });
  m.def("size", [](const nb::ndarray<nb::ro>& x) { return static_cast<int64_t>(x.shape(0)); });
  m.def("call_many", [](const nb::callable& function, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += nb::cast<int64_t>(function(i));
    return sum;
  });
  m.def("throw", [](int64_t) -> int64_t { throw std::runtime_error("thrown in C++"); });
}
