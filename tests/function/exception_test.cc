// Exceptions that leave functions, and errors on their way through calls.
#include <gtest/gtest.h>

#include <cerrno>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../error_of.h"
#include "byname/byname.h"
#include "byname/error_kind.h"

namespace byname {
namespace {

struct NoException {
  int code;
};

template <class E>
std::string thrown(E exception) {
  Registration registration = register_function("test.exception.throw", [exception]() -> int64_t { throw exception; });
  std::string by_name = error_of([] { get("test.exception.throw")(); });
  EXPECT_EQ(error_of([] { get<int64_t()>("test.exception.throw")(); }), by_name);
  EXPECT_EQ(error_of([] { get("test.exception.throw").pin()(); }), by_name);
  byname_any result{};
  EXPECT_EQ(byname_call(get("test.exception.throw").raw(), nullptr, 0, &result), -1);
  Error by_c(byname_error_take());
  EXPECT_EQ(std::string(by_c.kind()) + ": " + std::string(by_c.message()), by_name);
  return by_name;
}

TEST(Exception, standard_ones_are_mapped_by_kind) {
  EXPECT_EQ(thrown(std::out_of_range("far")), "IndexError: far");
  EXPECT_EQ(thrown(std::invalid_argument("bad")), "ValueError: bad");
  EXPECT_EQ(thrown(std::domain_error("bad")), "ValueError: bad");
  EXPECT_EQ(thrown(std::bad_alloc()), "MemoryError: out of memory");
  EXPECT_EQ(thrown(std::overflow_error("big")), "OverflowError: big");
  EXPECT_EQ(thrown(std::runtime_error("oh")), "RuntimeError: oh");
  EXPECT_EQ(thrown(std::system_error(ENOENT, std::generic_category(), "x")),
            "OSError: [Errno 2] No such file or directory: x");
  EXPECT_EQ(thrown(Error("KeyError", "'k'")), "KeyError: 'k'");
}

// Fault: throw 42
TEST(Exception, what_is_no_exception_is_an_error_all_the_same) {
  EXPECT_EQ(thrown(42), "RuntimeError: unknown C++ exception of type 'int'");
  EXPECT_EQ(thrown(NoException{1}),
            "RuntimeError: unknown C++ exception of type 'byname::(anonymous namespace)::NoException'");
  EXPECT_EQ(thrown(static_cast<const char*>("text")), "RuntimeError: unknown C++ exception of type 'char const*'");
}

TEST(Exception, nested_calls_are_told_by_the_trace_the_outermost_first) {
  Registration inner = register_function({"test.exception.inner", "inner.cc", 1},
                                         [](int64_t) -> int64_t { throw std::invalid_argument("deep"); });
  Registration middle = register_function({"test.exception.middle", "middle.cc", 2},
                                          [](int64_t a) { return get("test.exception.inner")(a); });
  Registration outer = register_function({"test.exception.outer", "outer.cc", 3},
                                         [](int64_t a) { return get<Any(int64_t)>("test.exception.middle")(a); });
  try {
    get("test.exception.outer")(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "deep");
    EXPECT_EQ(error.trace(),
              "test.exception.outer (outer.cc:3)\n"
              "test.exception.middle (middle.cc:2)\n"
              "test.exception.inner (inner.cc:1)");
  }
}

TEST(Exception, an_error_that_is_thrown_tells_where) {
  Registration registration =
      register_function({"test.exception.thrown", "site.cc", 1}, [] { throw Error("ValueError", "here"); });
  int line = __LINE__ - 1;
  try {
    get("test.exception.thrown")();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.trace(), "test.exception.thrown (site.cc:1)\n" __FILE__ ":" + std::to_string(line));
  }
}

TEST(Exception, an_error_of_a_c_callback_passes_its_function_too) {
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.text = {"test.exception.c() -> ()", 24};
  definition.file = "callback.c";
  definition.line = 5;
  definition.callback = [](void*, const byname_any*, int32_t, byname_any*) {
    return byname_error_raise({"ValueError", 10}, {"from C", 6});
  };
  byname_registration* raw = nullptr;
  detail::check(byname_register(&definition, &raw));
  Registration registration(raw);
  Registration outer = register_function({"test.exception.calls_c", "outer.cc", 3}, [] { get("test.exception.c")(); });
  try {
    get("test.exception.calls_c")();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "from C");
    EXPECT_EQ(error.trace(), "test.exception.calls_c (outer.cc:3)\ntest.exception.c (callback.c:5)");
  }
}

TEST(Exception, a_c_callback_that_fails_without_an_error_fails_with_one) {
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.callback = [](void*, const byname_any*, int32_t, byname_any*) { return -1; };
  Any function;
  detail::check(byname_function_new(&definition, function.out()));
  EXPECT_EQ(error_of([&] { function.to<Function>()(); }), "SystemError: function() failed without an error");
}

TEST(Exception, a_callback_that_throws_ends_its_callers_and_nothing_else) {
  int num_destroyed = 0;
  struct Guard {
    explicit Guard(int& count) : count(count) {}
    ~Guard() { ++count; }
    int& count;
  };
  Function apply([&num_destroyed](const Function& callback) {
    Guard guard(num_destroyed);
    return callback();
  });
  EXPECT_EQ(error_of([&] { apply([]() -> int64_t { throw 42; }); }),
            "RuntimeError: unknown C++ exception of type 'int'");
  EXPECT_EQ(num_destroyed, 1);
  EXPECT_EQ(apply([] { return int64_t{7}; }).to<int64_t>(), 7);
  EXPECT_EQ(byname_error_take(), nullptr);
}

// Fault: a destructor that fails while an exception is in flight
TEST(Exception, a_destructor_that_calls_and_fails_does_not_replace_the_one_in_flight) {
  static Registration inner = register_function("test.exception.in_destructor",
                                                []() -> int64_t { throw std::out_of_range("of the destructor"); });
  static std::string in_destructor;
  struct Guard {
    ~Guard() {
      in_destructor = error_of([] { get("test.exception.in_destructor")(); });
    }
  };
  struct Raising {
    ~Raising() { byname_error_raise({"KeyError", 8}, {"left in the slot", 16}); }
  };
  Function outer([](bool raises) -> int64_t {
    Guard guard;
    std::optional<Raising> raising;
    if (raises) raising.emplace();
    throw std::invalid_argument("the real one");
  });
  EXPECT_EQ(error_of([&] { outer(false); }), "ValueError: the real one");
  EXPECT_EQ(in_destructor, "IndexError: of the destructor");
  EXPECT_EQ(error_of([&] { outer(true); }), "ValueError: the real one");
  EXPECT_EQ(byname_error_take(), nullptr);
  inner.remove();
}

// Fault: a destructor that fails while an exception is in flight
TEST(Exception, what_a_destructor_of_the_functions_own_throws_is_an_error) {
  struct Throwing {
    ~Throwing() noexcept(false) { throw std::runtime_error("from a destructor"); }
  };
  EXPECT_EQ(error_of([] { Function([] { Throwing throwing; })(); }), "RuntimeError: from a destructor");
}

// Fault: an exception through C++ comes back as the same object
TEST(Exception, the_same_error_object_passes_through_any_number_of_calls) {
  byname_object* thrown = nullptr;
  Function inner([&thrown]() -> int64_t {
    Error error("ValueError", "one");
    thrown = error.object();
    throw error;
  });
  Function outer([inner] { return inner(); });
  try {
    outer();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.object(), thrown);
  }
}

TEST(Exception, a_failed_call_leaves_no_result) {
  Function fails([](int64_t) -> std::string { throw std::runtime_error("no"); });
  byname_any argument{BYNAME_INT, 0, {1}};
  byname_any result{};
  EXPECT_EQ(byname_function_call(fails.raw(), &argument, 1, &result), -1);
  EXPECT_EQ(result.type_index, BYNAME_NONE);
  byname_object_release(byname_error_take());
}

TEST(Exception, arguments_of_the_wrong_type_name_the_function_once) {
  Registration registration = register_function({"test.exception.typed", "x.cc", 1}, [](int64_t) {});
  try {
    get("test.exception.typed")("x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_EQ(error.trace(), "");
  }
}

// A class whose load refuses what its kType promises: an error of its author, and no endless loop.
struct Picky {};

}  // namespace

template <>
struct Convert<Picky> : ConvertVia<Picky, int64_t> {
  static bool load(const byname_any&, int64_t&) { return false; }
  static int64_t to(const Picky&) { return 0; }
  static Picky from(int64_t) { return {}; }
};

namespace {

TEST(Exception, a_conversion_that_refuses_what_it_promises_is_an_error) {
  Function picky([](Picky) {});
  EXPECT_EQ(error_of([&] { picky(1); }),
            "TypeError: function(): an argument's Convert<>::load refuses what its kType promises");
}

}  // namespace
}  // namespace byname
