// A block that fails in the way that BYNAME_TEST_THROW says.
#include <byname/byname.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

struct NoException {
  std::string text = "a struct with a destructor in this module";
};

int num_on_unload = 0;

struct ThingNode : byname::Derive<ThingNode, byname::Object, "core.throw.Thing"> {};

}  // namespace

BYNAME_LIBRARY("core.throw", lib) {
  const char* value = std::getenv("BYNAME_TEST_THROW");
  std::string how = value == nullptr ? "" : value;
  lib.on_unload([] { ++num_on_unload; });
  if (how == "first") throw std::runtime_error("at the beginning");
  lib.def("a", [text = std::string("a closure with a destructor in this module")] { return text; });
  lib.type<ThingNode>("Declared before what fails.").init<>();
  if (how == "middle") throw byname::Error("KeyError", "in the middle");
  if (how == "int") throw 42;
  if (how == "struct") throw NoException();
  if (how == "schema") lib.def({"bad(int a, -> int", "core_throw.cc", 28}, [](int64_t a) { return a; });
  if (how == "default") lib.def({"bad(int a=\"x\") -> int", "core_throw.cc", 29}, [](int64_t a) { return a; });
  if (how == "duplicate") lib.def({"a", "core_throw.cc", 30}, [] {});
  if (how == "function") byname::get("core.throw.missing")();
  lib.def("b", [] { return int64_t{2}; });
  if (how == "last") throw std::out_of_range("at the end");
}
