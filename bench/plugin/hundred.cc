// A plugin of a hundred functions, for the rows of loading and unloading; in a shared object of its own.
#include <byname/byname.h>

#include <cstdint>
#include <utility>

#include "many.h"

using namespace byname::literals;

namespace {

constexpr bench::ManyNames kNames;

template <size_t... I>
void define(byname::Library& lib, std::index_sequence<I...>) {
  (lib.def(
       kNames.texts[I], [](int64_t a, int64_t b) { return a * static_cast<int64_t>(I) + b; }, {"a"_a, "b"_a = 1},
       bench::kManyDoc),
   ...);
}

}  // namespace

BYNAME_LIBRARY("hundred", lib) { define(lib, std::make_index_sequence<100>()); }
