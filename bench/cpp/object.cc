// Whether an object is of a type, and making objects.
#include <optional>

#include "plugin/types.h"
#include "runner/companion.h"
#include "runner/side.h"
#include "values.h"

namespace values {
namespace {

std::optional<byname::ObjectRef> child;

}  // namespace

void prepare_is_instance() {
  child = plugin_function("bench.last_child")().to<byname::ObjectRef>();
  bench::require((*child)->type_key() == "bench.Child299", "the child is of another type");
  bench::require(byname::is_instance<bench::Level4>(child->get()), "the child is no instance of its parent");
  bench::require(!byname::is_instance<bench::Pair>(child->get()), "the child is an instance of a stranger");
}

void run_is_instance(int64_t n) {
  const byname::Object* object = child->get();
  for (int64_t i = 0; i < n; ++i) {
    asm volatile("" : "+r"(object));
    keep(byname::is_instance<bench::Level4>(*object));
  }
}

void run_make(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    byname::Ref<bench::Pair> pair = byname::make<bench::Pair>(i, 1);
    asm volatile("" : : "r"(pair.get()) : "memory");
  }
}

}  // namespace values
