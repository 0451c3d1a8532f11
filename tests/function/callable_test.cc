// Whatever can be called becomes a function.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "../error_of.h"
#include "byname/byname.h"
#include "byname/convert_std.h"

namespace byname {
namespace {

using namespace literals;

int64_t add(int64_t a, int64_t b) { return a + b; }
int64_t subtract(int64_t a, int64_t b) noexcept { return a - b; }
int num_calls = 0;
void count_call() { ++num_calls; }

struct Adder {
  int64_t operator()(int64_t a) const { return a + offset; }
  int64_t offset;
};
struct StatelessNegation {
  int64_t operator()(int64_t a) const noexcept { return -a; }
};

TEST(Callable, a_function_pointer_is_called_through) {
  EXPECT_EQ(Function(add)(1, 2).to<int64_t>(), 3);
  EXPECT_EQ(Function(&add)(1, 2).to<int64_t>(), 3);
  EXPECT_EQ(Function(subtract)(1, 2).to<int64_t>(), -1);
}

TEST(Callable, a_function_without_result_gives_none) {
  num_calls = 0;
  EXPECT_TRUE(Function(count_call)().is_none());
  EXPECT_EQ(num_calls, 1);
}

TEST(Callable, a_lambda_keeps_its_state_as_long_as_the_function_lives) {
  auto alive = std::make_shared<int64_t>(40);
  std::weak_ptr<int64_t> watch = alive;
  {
    Function plus([alive = std::move(alive)](int64_t a) { return *alive + a; });
    Function copy = plus;
    EXPECT_EQ(copy(2).to<int64_t>(), 42);
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Callable, a_lambda_may_change_its_state_and_may_not_be_copyable) {
  Function next([count = std::make_unique<int64_t>(0)]() mutable { return ++*count; });
  EXPECT_EQ(next().to<int64_t>(), 1);
  EXPECT_EQ(next().to<int64_t>(), 2);
}

TEST(Callable, state_of_any_size_is_kept) {
  std::array<int64_t, 100> numbers{};
  std::iota(numbers.begin(), numbers.end(), 0);
  Function sum([numbers] { return std::accumulate(numbers.begin(), numbers.end(), int64_t{0}); });
  EXPECT_EQ(sum().to<int64_t>(), 4950);
}

TEST(Callable, state_that_must_stand_at_more_than_16_bytes_is_refused) {
  struct alignas(64) Wide {
    double values[8] = {};
  };
  EXPECT_EQ(error_of([] { Function([wide = Wide()] { return wide.values[0]; }); }),
            "ValueError: a closure with an alignment above 16 (keep a pointer to it)");
}

TEST(Callable, an_object_with_a_call_operator_is_a_function) {
  EXPECT_EQ(Function(Adder{40})(2).to<int64_t>(), 42);
  EXPECT_EQ(Function(StatelessNegation())(2).to<int64_t>(), -2);
}

TEST(Callable, a_state_that_cannot_be_moved_leaves_nothing) {
  static int num_alive = 0;
  struct Stubborn {
    Stubborn() { ++num_alive; }
    Stubborn(const Stubborn&) { throw std::runtime_error("stubborn"); }
    ~Stubborn() { --num_alive; }
    int64_t operator()() const { return 1; }
  };
  EXPECT_THROW(Function{Stubborn()}, std::runtime_error);
  EXPECT_EQ(num_alive, 0);
}

TEST(Callable, a_std_function_is_one_and_becomes_one) {
  std::function<int64_t(int64_t)> twice = [](int64_t a) { return 2 * a; };
  Function function(twice);
  EXPECT_EQ(function(4).to<int64_t>(), 8);
  std::function<int64_t(int64_t)> again = TypedFunction<int64_t(int64_t)>(function);
  EXPECT_EQ(again(4), 8);
}

TEST(Callable, functions_are_arguments_and_results) {
  Function compose([](TypedFunction<int64_t(int64_t)> f, std::function<int64_t(int64_t)> g) {
    return [f, g](int64_t a) { return f(g(a)); };
  });
  Function both = compose([](int64_t a) { return a + 1; }, Function([](int64_t a) { return a * 10; })).to<Function>();
  EXPECT_EQ(both(4).to<int64_t>(), 41);
  EXPECT_EQ(error_of([&] { compose(1, "g"); }),
            "TypeError: function(): argument '_0' (position 1) expects Function, got int; argument '_1' (position 2) "
            "expects Function, got str");
}

TEST(Callable, an_empty_std_function_is_none_as_a_result_and_refused_as_an_argument) {
  Function maybe([](bool wanted) { return wanted ? std::function<void()>([] {}) : std::function<void()>(); });
  EXPECT_TRUE(maybe(false).is_none());
  EXPECT_EQ(maybe(true).type_name(), "Function");
  Function call([](const std::function<void()>& f) { f(); });
  EXPECT_EQ(error_of([&] { call(std::function<void()>()); }),
            "TypeError: function(): argument '_0' (position 1) expects Function, got None");
}

TEST(Callable, a_handle_and_a_typed_handle_are_functions_too) {
  Registration registration = register_function("test.callable.add", add);
  std::function<int64_t(int64_t, int64_t)> typed = get<int64_t(int64_t, int64_t)>("test.callable.add");
  EXPECT_EQ(typed(1, 2), 3);
  std::function<Any(int, int)> untyped = get("test.callable.add");
  EXPECT_EQ(untyped(1, 2).to<int64_t>(), 3);
  EXPECT_EQ(Function(get<int64_t(int64_t, int64_t)>("test.callable.add"))(1, 2).to<int64_t>(), 3);
}

TEST(Callable, any_number_of_arguments_comes_as_args) {
  Function count([](Args arguments) { return int64_t{arguments.size()}; });
  EXPECT_EQ(count().to<int64_t>(), 0);
  EXPECT_EQ(count(1, "two", 3.0).to<int64_t>(), 3);
  std::vector<Any> many(1000, Any(1));
  EXPECT_EQ(count.apply(many).to<int64_t>(), 1000);
  Function last([](Args arguments) { return arguments.at(arguments.size() - 1).copy(); });
  EXPECT_EQ(last("a", "b").to<std::string>(), "b");
  EXPECT_EQ(error_of([&] { last(); }), "IndexError: argument index out of range");
}

TEST(Callable, arguments_that_only_a_schema_names_are_converted_for_args_as_well) {
  std::string given;
  Registration registration =
      register_function("test.callable.sum(float first, int second, ...) -> ...", [&given](Args arguments) {
        for (int32_t i = 0; i < arguments.size(); ++i) {
          given += arguments[i].print() + " ";
        }
      });
  Handle sum = get("test.callable.sum");
  sum(1, 2);
  EXPECT_EQ(given, "1.0 2 ");
  given.clear();
  sum(1, true, "rest");
  EXPECT_EQ(given, "1.0 1 'rest' ");
  EXPECT_EQ(error_of([&] { sum("a", 2); }),
            "TypeError: test.callable.sum(): argument 'first' (position 1) expects float, got str");
  EXPECT_EQ(
      error_of([&] { sum(); }),
      "TypeError: test.callable.sum(): argument 'first' (position 1) is missing; argument 'second' (position 2) is "
      "missing");
}

TEST(Callable, what_goes_beyond_the_declared_arguments_comes_after_keyword_only_ones) {
  Registration registration =
      register_function("test.callable.beyond(int a, *, int b, ...) -> ...", [](Args arguments) {
        std::string given;
        for (int32_t i = 0; i < arguments.size(); ++i) given += arguments[i].print() + " ";
        return given;
      });
  Handle beyond = get("test.callable.beyond");
  EXPECT_EQ(beyond(1, "b"_a = 2).to<std::string>(), "1 2 ");
  EXPECT_EQ(beyond(1, "x", "y", "b"_a = 2).to<std::string>(), "1 2 'x' 'y' ");
  EXPECT_EQ(error_of([&] { beyond(1, 2); }), "TypeError: test.callable.beyond(): keyword argument 'b' is missing");
  EXPECT_EQ(error_of([&] { beyond(1, 2, "b"_a = "x"); }),
            "TypeError: test.callable.beyond(): keyword argument 'b' expects int, got str");
  std::vector<Any> many(64, Any(1));
  EXPECT_EQ(error_of([&] { beyond.apply(many); }),
            "TypeError: test.callable.beyond(): takes at most 64 arguments, got 65");
}

TEST(Callable, apply_takes_a_list_that_is_known_at_run_time) {
  Function subtraction(subtract);
  EXPECT_EQ(subtraction.apply(std::vector<Any>{5, 3}).to<int64_t>(), 2);
  const Any values[] = {5, 3};
  EXPECT_EQ(subtraction.apply(Args(&values[0].raw(), 2)).to<int64_t>(), 2);
  Registration registration = register_function("test.callable.subtract", subtract, {"a"_a, "b"_a = 1});
  Handle named = get("test.callable.subtract");
  EXPECT_EQ(named.apply(std::vector<Any>{5}).to<int64_t>(), 4);
  const Arg keywords[] = {"b"_a = 2};
  EXPECT_EQ(named.apply(std::vector<Any>{5}, keywords).to<int64_t>(), 3);
}

TEST(Callable, a_call_of_more_than_64_arguments_is_refused_where_they_are_bound) {
  Registration registration = register_function("test.callable.bound(int a, ...) -> int",
                                                [](Args arguments) { return int64_t{arguments.size()}; });
  std::vector<Any> many(64, Any(1));
  EXPECT_EQ(get("test.callable.bound").apply(many).to<int64_t>(), 64);
  many.emplace_back(1);
  EXPECT_EQ(error_of([&] { get("test.callable.bound").apply(many); }),
            "TypeError: test.callable.bound(): takes at most 64 arguments, got 65");
}

TEST(Callable, a_function_of_more_than_64_parameters_is_refused) {
  std::string schema = "test.callable.wide(";
  for (int i = 0; i < 65; ++i) schema += (i > 0 ? ", int a" : "int a") + std::to_string(i) + "=0";
  schema += ") -> ()";
  EXPECT_EQ(error_of([&] { register_function(std::string_view(schema), [](Args) {}).keep(); }).substr(0, 44),
            "ValueError: cannot register 'test.callable.w");
  EXPECT_FALSE(find("test.callable.wide").has_value());
}

TEST(Callable, null_pointers_and_empty_functions_are_refused) {
  const std::string text = "ValueError: expected a function, got a null pointer or an empty function";
  int64_t (*pointer)(int64_t) = nullptr;
  EXPECT_EQ(error_of([&] { Function function(pointer); }), text);
  EXPECT_EQ(error_of([&] { register_function("test.callable.null", pointer).keep(); }), text);
  EXPECT_EQ(error_of([] { Function function((std::function<void()>())); }), text);
  EXPECT_FALSE(find("test.callable.null").has_value());
}

TEST(Callable, a_negative_number_of_arguments_is_refused) {
  Registration positional = register_function("test.callable.two", [](int64_t a, int64_t b) { return a + b; });
  Registration variadic = register_function("test.callable.any", [](Args args) { return args.size(); });
  Registration named = register_function("test.callable.named", [](std::string_view a, std::string_view) { return a; },
                                         {"a"_a, keyword_only, "b"_a = "x"});
  for (const char* name : {"test.callable.two", "test.callable.any", "test.callable.named"}) {
    for (int32_t count : {-1, -2, INT32_MIN}) {
      std::string text = "ValueError: expected a number of arguments, got " + std::to_string(count);
      Any result;
      EXPECT_EQ(error_of([&] { detail::check(byname_call(get(name).raw(), nullptr, count, result.out())); }), text);
      EXPECT_EQ(error_of([&] {
                  detail::check(byname_call_named(get(name).raw(), nullptr, count, nullptr, 0, result.out()));
                }),
                text);
      EXPECT_EQ(
          error_of([&] { detail::check(byname_function_coerce(get(name).pin().raw(), nullptr, count, result.out())); }),
          text);
    }
  }
}

TEST(Callable, more_arguments_than_can_be_converted_are_refused) {
  Function function([](Args args) { return args.size(); });
  std::vector<Any> arguments(100);
  Any result;
  EXPECT_EQ(
      error_of([&] { detail::check(byname_function_coerce(function.raw(), &arguments[0].raw(), 100, result.out())); }),
      "TypeError: function(): takes at most 64 arguments, got 100");
}

}  // namespace
}  // namespace byname
