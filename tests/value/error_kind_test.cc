// Kinds of errors and how they descend from each other.
#include "byname/error_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

bool is(std::string_view kind, std::string_view ancestor) {
  return byname_error_kind_is(str(kind), str(ancestor)) != 0;
}

std::string parent(std::string_view kind) {
  byname_str text = byname_error_kind_parent(str(kind));
  return {text.data, text.size};
}

TEST(ErrorKind, pythons_exceptions_descend_as_in_python) {
  EXPECT_TRUE(is("IndexError", "IndexError"));
  EXPECT_TRUE(is("IndexError", "LookupError"));
  EXPECT_TRUE(is("IndexError", "Exception"));
  EXPECT_TRUE(is("IndexError", "BaseException"));
  EXPECT_FALSE(is("IndexError", "KeyError"));
  EXPECT_FALSE(is("LookupError", "IndexError"));
  EXPECT_TRUE(is("ModuleNotFoundError", "ImportError"));
  EXPECT_TRUE(is("BrokenPipeError", "OSError"));
  EXPECT_TRUE(is("UnicodeEncodeError", "ValueError"));
  EXPECT_TRUE(is("TabError", "SyntaxError"));
  EXPECT_FALSE(is("KeyboardInterrupt", "Exception"));
  EXPECT_TRUE(is("ExceptionGroup", "Exception"));
  EXPECT_TRUE(is("ExceptionGroup", "BaseExceptionGroup"));
}

TEST(ErrorKind, an_io_error_is_an_os_error_and_the_other_way_round) {
  EXPECT_TRUE(is("IOError", "OSError"));
  EXPECT_TRUE(is("OSError", "IOError"));
  EXPECT_TRUE(is("FileNotFoundError", "EnvironmentError"));
}

TEST(ErrorKind, not_found_is_a_lookup_error_and_an_attribute_error) {
  EXPECT_TRUE(is("NotFound", "LookupError"));
  EXPECT_TRUE(is("NotFound", "AttributeError"));
  EXPECT_FALSE(is("NotFound", "KeyError"));
  EXPECT_TRUE(Error("NotFound", "nothing there").is("AttributeError"));
}

TEST(ErrorKind, a_kind_that_nobody_registered_is_a_runtime_error) {
  EXPECT_TRUE(is("nobody.knows", "RuntimeError"));
  EXPECT_FALSE(is("nobody.knows", "ValueError"));
  EXPECT_FALSE(is("ValueError", "nobody.knows"));
  EXPECT_EQ(parent("nobody.knows"), "RuntimeError");
}

TEST(ErrorKind, registered_kinds_descend_from_their_parents) {
  register_error_kind("test.kind.Base", "ValueError");
  register_error_kind("test.kind.Derived", "test.kind.Base");
  EXPECT_TRUE(is("test.kind.Derived", "test.kind.Base"));
  EXPECT_TRUE(is("test.kind.Derived", "ValueError"));
  EXPECT_FALSE(is("test.kind.Base", "test.kind.Derived"));
  EXPECT_EQ(parent("test.kind.Derived"), "test.kind.Base");
  EXPECT_EQ(parent("BaseException"), "");
}

TEST(ErrorKind, registering_again_is_harmless_and_with_another_parent_an_error) {
  register_error_kind("test.kind.Again", "ValueError");
  register_error_kind("test.kind.Again", "ValueError");
  EXPECT_EQ(thrown([] { register_error_kind("test.kind.Again", "TypeError"); }),
            "ValueError: error kind 'test.kind.Again' is below 'ValueError' already, it cannot be below 'TypeError'");
  register_error_kind("KeyError", "LookupError");
  EXPECT_EQ(thrown([] { register_error_kind("KeyError", "ValueError"); }),
            "ValueError: error kind 'KeyError' is below 'LookupError' already, it cannot be below 'ValueError'");
}

TEST(ErrorKind, a_kind_needs_a_name_and_a_parent_that_is_known) {
  EXPECT_EQ(thrown([] { register_error_kind("", "ValueError"); }), "ValueError: an error kind needs a name");
  EXPECT_EQ(thrown([] { register_error_kind("test.kind.Orphan", "test.kind.Nobody"); }),
            "ValueError: error kind 'test.kind.Orphan' needs a parent that is known, got 'test.kind.Nobody'");
}

TEST(ErrorKind, threads_may_register_one_kind_at_a_time) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 100; ++j) {
        std::string kind = "test.kind.Racing" + std::to_string(j);
        register_error_kind(kind, "OSError");
        EXPECT_TRUE(is(kind, "OSError"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace byname
