// Ten thousand functions, for the rows of registration and memory; in a shared object of its own.
#include "many.h"

#include <byname/byname.h>

#include <cstdint>

using namespace byname::literals;

namespace {

// Names have to live as long as the module, so they are made by the compiler.
constexpr bench::ManyNames kNames;

}  // namespace

BYNAME_LIBRARY("many", lib) {
  for (const char (&name)[bench::kManyNameSize] : kNames.texts) {
    lib.def(name, [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a}, bench::kManyDoc);
  }
}
