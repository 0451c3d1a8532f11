// Registering ten thousand functions: the load of a plugin whose block does so.
#include <string>

#include "plugin/many.h"
#include "runner/companion.h"
#include "values.h"

namespace values {
namespace {

constexpr bench::ManyNames kNames;

}  // namespace

void prepare_register() { plugin_function("bench.add"); }  // the core's own first use is no part of it

void run_register(int64_t) { load_plugin("libbench_many.so"); }

// Nothing may have been left for later: each function tells its schema, documentation and site.
void check_register() {
  for (const char* name : kNames.texts) {
    byname::Function function = byname::get(std::string("many.") + name).pin();
    bench::require(function.schema() == std::string("many.") + name + "(int a, int b) -> int", "a schema is wrong");
    bench::require(function.doc() == bench::kManyDoc, "a documentation is wrong");
    byname::Any description;
    byname::detail::check(byname_function_describe(function.raw(), description.out()));
    auto* map = description.raw().as_object;
    byname::Any key("file");
    const byname_any* file = byname_map_get(map, &key.raw());
    bench::require(file && byname::AnyView(*file).to<std::string>().ends_with("many.cc"), "a site is wrong");
    bench::require(function(40, 2).to<int64_t>() == 42, "a function is wrong");
  }
}

}  // namespace values
