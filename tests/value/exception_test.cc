// From C++ exceptions to errors.
#include <gtest/gtest.h>
#include <pthread.h>

#include <any>
#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

// What byname_error_raise_current makes of what `throw_it` throws.
template <class Throw>
Error translated(Throw throw_it) {
  try {
    throw_it();
  } catch (...) {
    EXPECT_EQ(byname_error_raise_current(), -1);
  }
  return Error(byname_error_take());
}

template <class E, class... A>
std::string text_of_thrown(A... arguments) {
  return text_of(translated([&] { throw E(arguments...); }));
}

TEST(Exception, standard_exceptions_have_pythons_kinds) {
  EXPECT_EQ(text_of_thrown<std::out_of_range>("no such item"), "IndexError: no such item");
  EXPECT_EQ(text_of_thrown<std::invalid_argument>("odd"), "ValueError: odd");
  EXPECT_EQ(text_of_thrown<std::domain_error>("odd"), "ValueError: odd");
  EXPECT_EQ(text_of_thrown<std::length_error>("odd"), "ValueError: odd");
  EXPECT_EQ(text_of_thrown<std::overflow_error>("much"), "OverflowError: much");
  EXPECT_EQ(text_of_thrown<std::bad_alloc>(), "MemoryError: out of memory");
  EXPECT_EQ(text_of_thrown<std::bad_array_new_length>(), "MemoryError: out of memory");
  EXPECT_EQ(text_of_thrown<std::bad_cast>(), "TypeError: std::bad_cast");
  EXPECT_EQ(text_of_thrown<std::bad_any_cast>(), "TypeError: bad any_cast");
  EXPECT_EQ(text_of_thrown<std::bad_variant_access>(), "TypeError: bad variant access");
  EXPECT_EQ(text_of_thrown<std::bad_optional_access>(), "RuntimeError: bad optional access");
  EXPECT_EQ(text_of_thrown<std::runtime_error>("bad luck"), "RuntimeError: bad luck");
  EXPECT_EQ(text_of_thrown<std::underflow_error>("little"), "RuntimeError: little");
  EXPECT_EQ(text_of_thrown<std::logic_error>("wrong"), "RuntimeError: wrong");
  EXPECT_EQ(text_of_thrown<std::bad_weak_ptr>(), "RuntimeError: bad_weak_ptr");
}

TEST(Exception, a_system_error_is_an_os_error_with_its_errno) {
  std::error_code missing(2, std::generic_category());
  EXPECT_EQ(text_of(translated([&] { throw std::system_error(missing, "config.txt"); })),
            "OSError: [Errno 2] No such file or directory: config.txt");
  EXPECT_EQ(text_of(translated([&] { throw std::system_error(missing); })),
            "OSError: [Errno 2] No such file or directory");
  EXPECT_EQ(text_of(translated([] { throw std::system_error(13, std::system_category(), "a: b"); })),
            "OSError: [Errno 13] Permission denied: a: b");
}

TEST(Exception, a_filesystem_error_names_its_files) {
  EXPECT_EQ(text_of(translated([] { std::filesystem::create_directory("/nowhere/at all"); })),
            "OSError: [Errno 2] No such file or directory: '/nowhere/at all'");
  EXPECT_EQ(text_of(translated([] { std::filesystem::rename("/nowhere/a", "/nowhere/b"); })),
            "OSError: [Errno 2] No such file or directory: '/nowhere/a' -> '/nowhere/b'");
}

TEST(Exception, codes_that_are_not_the_systems_are_no_errno) {
  EXPECT_EQ(text_of(translated([] { throw std::ios_base::failure("cut off"); })), "OSError: cut off: iostream error");
}

struct Odd : std::out_of_range {
  using std::out_of_range::out_of_range;
};
struct Other : std::exception {
  const char* what() const noexcept override { return "other"; }
};
struct Mute : std::exception {
  const char* what() const noexcept override { return nullptr; }
};

TEST(Exception, derived_exceptions_are_what_their_nearest_base_is) {
  EXPECT_EQ(text_of_thrown<Odd>("odd"), "IndexError: odd");
  EXPECT_EQ(text_of_thrown<Other>(), "RuntimeError: other");
  EXPECT_EQ(text_of_thrown<Mute>(), "RuntimeError: ");
}

struct Point {
  int x;
};

// Fault: throw 42
TEST(Exception, anything_else_that_is_thrown_is_an_error_that_names_its_type) {
  EXPECT_EQ(text_of(translated([] { throw 42; })), "RuntimeError: unknown C++ exception of type 'int'");
  EXPECT_EQ(text_of(translated([] { throw "text"; })), "RuntimeError: unknown C++ exception of type 'char const*'");
  EXPECT_EQ(text_of(translated([] { throw Point{1}; })),
            "RuntimeError: unknown C++ exception of type 'byname::(anonymous namespace)::Point'");
  EXPECT_EQ(text_of(translated([] { throw nullptr; })),
            "RuntimeError: unknown C++ exception of type 'decltype(nullptr)'");
}

TEST(Exception, an_error_comes_back_as_the_same_object) {
  Error error("KeyError", "'x'");
  Error back = translated([&] { throw error; });
  EXPECT_EQ(back.object(), error.object());
}

struct DerivedError : Error {
  DerivedError() : Error("KeyError", "derived") {}
  int64_t more = 0;
};

TEST(Exception, a_class_that_derives_from_error_is_one) {
  EXPECT_EQ(text_of_thrown<DerivedError>(), "KeyError: derived");
}

TEST(Exception, a_nested_exception_is_the_cause) {
  Error error = translated([] {
    try {
      try {
        throw std::out_of_range("innermost");
      } catch (...) {
        std::throw_with_nested(std::invalid_argument("inner"));
      }
    } catch (...) {
      std::throw_with_nested(Point{3});
    }
  });
  EXPECT_EQ(error.message(),
            "unknown C++ exception of type 'std::_Nested_exception<byname::(anonymous "
            "namespace)::Point>'");
  byname_object* cause = byname_error_cause(error.object());
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(std::string(byname_error_kind(cause).data), "ValueError");
  EXPECT_EQ(std::string(byname_error_message(cause).data), "inner");
  cause = byname_error_cause(cause);
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(std::string(byname_error_kind(cause).data), "IndexError");
  EXPECT_EQ(byname_error_cause(cause), nullptr);
}

TEST(Exception, outside_of_a_catch_block_there_is_none_to_translate) {
  EXPECT_EQ(byname_error_raise_current(), -1);
  EXPECT_EQ(raised(), "RuntimeError: no exception is being handled");
}

TEST(Exception, the_exception_can_be_handled_on_afterwards) {
  try {
    throw std::out_of_range("kept");
  } catch (const std::exception& exception) {
    byname_error_raise_current();
    EXPECT_EQ(raised(), "IndexError: kept");
    EXPECT_STREQ(exception.what(), "kept");
  }
}

struct ZstdError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct WindowError : ZstdError {
  using ZstdError::ZstdError;
};
struct Plain {
  std::string text;
  std::string what() const { return "plain " + text; }
};
struct Thrower {
  std::string what() const { throw 1; }
};

TEST(Exception, registered_classes_arrive_as_their_kind) {
  register_error<ZstdError>("test.zstd.Error", "ValueError");
  EXPECT_EQ(text_of_thrown<ZstdError>("corrupt"), "test.zstd.Error: corrupt");
  EXPECT_EQ(text_of_thrown<WindowError>("too large"), "test.zstd.Error: too large");
  EXPECT_TRUE(translated([] { throw ZstdError("corrupt"); }).is("ValueError"));
  register_error<WindowError>("test.zstd.WindowError", "test.zstd.Error");
  EXPECT_EQ(text_of_thrown<WindowError>("too large"), "test.zstd.WindowError: too large");
  EXPECT_EQ(text_of_thrown<std::runtime_error>("other"), "RuntimeError: other");
}

TEST(Exception, registered_classes_need_no_standard_base) {
  register_error<Plain>("test.Plain");
  EXPECT_EQ(text_of(translated([] { throw Plain{"text"}; })), "test.Plain: plain text");
  register_error<Thrower>("test.Thrower");
  EXPECT_EQ(text_of(translated([] { throw Thrower(); })),
            "test.Thrower: exception of type 'byname::(anonymous namespace)::Thrower' whose description failed");
}

struct Tag {
  const char* what() const { return "tag"; }
};
struct Tagged : std::runtime_error, Tag {
  Tagged() : std::runtime_error("tagged") {}
};

TEST(Exception, a_registered_base_beside_a_standard_one_counts) {
  EXPECT_EQ(text_of_thrown<Tagged>(), "RuntimeError: tagged");
  register_error<Tag>("test.Tag");
  EXPECT_EQ(text_of_thrown<Tagged>(), "test.Tag: tag");
}

TEST(Exception, a_standard_class_may_be_registered) {
  EXPECT_EQ(text_of_thrown<std::range_error>("odd"), "ValueError: odd");
  register_error<std::range_error>("test.RangeError", "ArithmeticError");
  EXPECT_EQ(text_of_thrown<std::range_error>("odd"), "test.RangeError: odd");
  EXPECT_EQ(text_of_thrown<std::out_of_range>("odd"), "IndexError: odd");
}

struct Twice : std::exception {};

TEST(Exception, a_class_stands_for_one_kind) {
  register_error<Twice>("test.Twice");
  register_error<Twice>("test.Twice");
  EXPECT_EQ(thrown([] { register_error<Twice>("test.Once"); }),
            "ValueError: an exception class stands for error kind 'test.Twice' already, it cannot stand for "
            "'test.Once'");
  EXPECT_EQ(thrown([] { register_error<Twice>("test.Twice", "OSError"); }),
            "ValueError: error kind 'test.Twice' is below 'RuntimeError' already, it cannot be below 'OSError'");
}

TEST(Exception, the_end_of_a_thread_passes) {
  static std::atomic<bool> went_on;
  static std::atomic<bool> unwound;
  went_on = unwound = false;
  pthread_t thread{};
  auto run = [](void*) -> void* {
    struct Guard {
      ~Guard() { unwound = true; }
    } guard;
    try {
      pthread_exit(nullptr);
    } catch (...) {
      byname_error_raise_current();
      went_on = true;
    }
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, run, nullptr), 0);
  pthread_join(thread, nullptr);
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(unwound);
}

}  // namespace
}  // namespace byname
