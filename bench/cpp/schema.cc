// Parsing a schema of three arguments. In a shared object of its own, with the whole runtime inside: the parser is no
// part of the C interface.
#include "schema/schema.h"

#include "runner/companion.h"
#include "runner/side.h"

namespace {

constexpr std::string_view kText = "nn.scale(Tensor x, float factor=1.0, int? axis=None) -> Tensor";

void prepare() {
  byname::core::Schema schema = byname::core::parse_schema(kText);
  bench::require(schema.arguments().size() == 3 && schema.returns().size() == 1, "the schema is wrong");
  bench::require(byname::core::print_schema(schema) == kText, "the schema is printed otherwise");
}

void run(int64_t n) {
  std::string_view text = kText;
  for (int64_t i = 0; i < n; ++i) {
    asm volatile("" : "+r"(text));
    keep(byname::core::parse_schema(text));
  }
}

}  // namespace

const bench_side* bench_sides(size_t* count) {
  static const bench_side sides[] = {{"cpp.schema.parse", prepare, nullptr, run, nullptr, 0, BENCH_LOOP}};
  *count = 1;
  return sides;
}
