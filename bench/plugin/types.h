// The object types of the object rows: a chain of depth 4, whose 300 children sit in the plugin.
#pragma once

#include <byname/byname.h>

#include <cstdint>

namespace bench {

struct Level1 : byname::Derive<Level1, byname::Object, "bench.Level1"> {};
struct Level2 : byname::Derive<Level2, Level1, "bench.Level2"> {};
struct Level3 : byname::Derive<Level3, Level2, "bench.Level3"> {};
// No indices are reserved for its children, as for any type whose author does not know who will derive from it.
struct Level4 : byname::Derive<Level4, Level3, "bench.Level4"> {};

struct Pair : byname::Derive<Pair, byname::Object, "bench.Pair"> {
  int64_t first, second;
  Pair(int64_t first, int64_t second) noexcept : first(first), second(second) {}
};

}  // namespace bench
