// Aliases: old names that warn once.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support.h"

namespace byname {
namespace {

using namespace literals;
using Texts = std::vector<std::string>;

BYNAME_LIBRARY("test.alias", lib) {
  lib.def("new_name", [](int64_t a, int64_t b) { return 10 * a + b; }, {"a"_a, "b"_a = 2});
  lib.alias("old_name", "new_name", "0.2");
  lib.def("choose.int", [](int64_t) { return std::string("int"); });
  lib.def("choose.str", [](std::string_view) { return std::string("str"); });
  lib.alias("pick", "choose");
  lib.alias("broken", "test.alias.not_there");
}

TEST(Alias, calls_its_target_and_warns_once) {
  Warnings warnings;
  Block block("test.alias.once", [](Library& lib) {
    lib.alias("old", "test.alias.new_name", "0.2");
    lib.alias("older", "old");
  });
  Handle old = get("test.alias.once.old");
  EXPECT_EQ(old(1).to<int64_t>(), 12);
  EXPECT_EQ(old(1, 3).to<int64_t>(), 13);
  EXPECT_EQ(warnings.texts(),
            Texts{"DeprecationWarning: 'test.alias.once.old' is deprecated since 0.2 (use 'test.alias.new_name')"});
  EXPECT_EQ(get("test.alias.once.older")(4).to<int64_t>(), 42) << "of an alias";
  EXPECT_EQ(warnings.texts().back(),
            "DeprecationWarning: 'test.alias.once.older' is deprecated (use 'test.alias.once.old')");
  EXPECT_EQ(warnings.texts().size(), 2u);
  remove("test.alias.once.old");
  remove("test.alias.once.older");
}

TEST(Alias, passes_keywords_on) {
  Warnings warnings;
  EXPECT_EQ(get("test.alias.old_name")("b"_a = 7, "a"_a = 1).to<int64_t>(), 17);
  EXPECT_EQ(error_of([] { get("test.alias.old_name")(1, "c"_a = 7); }),
            "TypeError: test.alias.new_name(): unexpected keyword 'c'");
}

TEST(Alias, of_overloads_chooses_among_them) {
  Warnings warnings;
  EXPECT_EQ(get("test.alias.pick")("x").to<std::string>(), "str");
  EXPECT_EQ(get("test.alias.pick")(1).to<std::string>(), "int");
}

TEST(Alias, follows_its_target) {
  Warnings warnings;
  EXPECT_EQ(error_of([] { get("test.alias.broken")(); }),
            "NotFound: 'test.alias.broken' is an alias of 'test.alias.not_there', which is not registered");
  Registration registration = register_function("test.alias.not_there", [] { return int64_t{1}; });
  EXPECT_EQ(get("test.alias.broken")().to<int64_t>(), 1);
}

TEST(Alias, of_itself_is_an_error_of_the_call) {
  Warnings warnings;
  Block block("test.alias.ring", [](Library& lib) {
    lib.alias("self", "self");
    lib.alias("a", "b");
    lib.alias("b", "c");
    lib.alias("c", "b");
  });
  byname_attach();
  EXPECT_EQ(error_of([] { get("test.alias.ring.self")(); }),
            "RuntimeError: 'test.alias.ring.self' is an alias of 'test.alias.ring.self', and so on without end");
  EXPECT_EQ(error_of([] { get("test.alias.ring.a")("x"_a = 1); }),
            "RuntimeError: 'test.alias.ring.a' is an alias of 'test.alias.ring.b', and so on without end");
  for (const char* name : {"self", "a", "b", "c"}) remove(std::string("test.alias.ring.") + name);
}

TEST(Alias, is_no_overload) {
  Warnings warnings;
  Block block("test.alias.overload", [](Library& lib) { lib.alias({"f.old", "block.cc", 1}, "f"); });
  byname_attach();
  EXPECT_EQ(warnings.texts(), Texts{"RuntimeWarning: registering 'test.alias.overload' failed: cannot register "
                                    "'test.alias.overload.f.old' (block.cc:1): an alias is none of several overloads"});
}

TEST(Alias, is_listed_and_described_as_one) {
  EXPECT_TRUE(find("test.alias.old_name").has_value());
  Any described;
  detail::check(byname_function_describe(get("test.alias.old_name").pin().raw(), described.out()));
  EXPECT_NE(described.print().find("'kind': 'alias'"), std::string::npos);
}

TEST(Alias, whose_name_is_taken_is_a_duplicate) {
  Warnings warnings;
  Block block("test.alias.taken", [](Library& lib) {
    lib.def({"f", "block.cc", 1}, [] {});
    lib.alias({"f", "block.cc", 2}, "test.alias.new_name");
  });
  byname_attach();
  EXPECT_EQ(warnings.texts(), Texts{"RuntimeWarning: registering 'test.alias.taken' failed: 'test.alias.taken.f' is "
                                    "registered twice: at block.cc:1 and at block.cc:2"});
}

}  // namespace
}  // namespace byname
