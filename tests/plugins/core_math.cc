// Functions of plain types.
#include <byname/byname.h>

using namespace byname::literals;

namespace {

int64_t add(int64_t a, int64_t b) { return a + b; }

}  // namespace

BYNAME_LIBRARY("core.math", lib) {
  lib.def({"add", "core_math.cc", 13}, add, {"a"_a, "b"_a = 1}, "Add two integers.");
  lib.def("scale(float x, float factor=2.0) -> float", [](double x, double factor) { return x * factor; });
  lib.def("length", [](std::string_view text) { return static_cast<int64_t>(text.size()); });
  lib.def("throw_out_of_range", []() -> int64_t { throw std::out_of_range("far"); });
  lib.def("call", [](const byname::Function& callback) { return callback(); });
}
