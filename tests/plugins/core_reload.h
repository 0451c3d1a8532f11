// One module in several versions, which take each other's place. BYNAME_TEST_RELOAD is the version; 3 has larger
// objects, the block of 4 throws.
#include <byname/byname.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace {

constexpr int64_t kVersion = BYNAME_TEST_RELOAD;

struct ThingNode : byname::Derive<ThingNode, byname::Object, "core.reload.Thing"> {
  int64_t value = kVersion;
#if BYNAME_TEST_RELOAD == 3
  int64_t more[4] = {};
#endif
};

struct Boxed {
  int64_t value = kVersion;
#if BYNAME_TEST_RELOAD == 3
  int64_t more[4] = {};
#endif
};

int64_t num_calls = 0;

// Puts another file in the place of its own, as others may while the loader is at it.
[[gnu::constructor]] void replace_file() {
  const char* from = std::getenv("BYNAME_TEST_REPLACE");
  if (from != nullptr) std::rename(from, std::getenv("BYNAME_TEST_REPLACED"));
}

}  // namespace

BYNAME_LIBRARY("core.reload", lib) {
  lib.own();
  lib.type<ThingNode>("A thing.").init<>().method("version", [](const ThingNode& thing) { return thing.value; });
  lib.type<Boxed>("Boxed", "A boxed thing.").init<>();
  lib.def("version", [] { return kVersion; });
  lib.def("num_calls", [] { return ++num_calls; });
  lib.def("run", [](const byname::Function& inner) { return inner(kVersion); });
  lib.def("own", [] { return 10 * kVersion; }, byname::local);
  lib.def("both", [] { return kVersion; });
  lib.def("both", [] { return 10 * kVersion; }, byname::local);
  lib.def("pick.int", [](int64_t x) { return x + kVersion; }, byname::local);
  lib.def("pick.str", [](std::string_view x) { return std::string(x) + std::to_string(kVersion); }, byname::local);
#if BYNAME_TEST_RELOAD == 1
  lib.def("only_1", [] {});
  lib.def("shape", [](int64_t x) { return x; });
  lib.def("flat.int", [](int64_t x) { return x; });
  lib.def("flat.str", [](std::string_view x) { return x.size(); });
#else
  lib.def("only_2", [] {});
  lib.def("shape.int", [](int64_t x) { return 2 * x; });
  lib.def("shape.str", [](std::string_view x) { return x.size(); });
  lib.def("flat", [](int64_t x) { return 2 * x; });
#endif
#if BYNAME_TEST_RELOAD == 4
  throw std::runtime_error("not this time");
#endif
  lib.on_unload([] { byname::get("test.reload.hear")(kVersion); });
}
