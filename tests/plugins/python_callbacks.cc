// C++ that calls Python: at once, later, from other threads, while the interpreter ends.
#include <byname/byname.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace byname::literals;
using byname::Any;
using byname::Function;

namespace {

struct CallbacksError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::optional<Function> kept;

// Errors of a thread are told to who waits for it.
template <class Body>
void in_thread(Body body) {
  std::optional<byname::Error> failed;
  std::thread thread([&] {
    try {
      body();
    } catch (const byname::Error& error) {
      failed = error;
    }
  });
  thread.join();
  if (failed) throw *failed;
}

Any call_in_thread(Function function, Any argument) {
  Any result;
  in_thread([&] { result = function(argument); });
  return result;
}

// Calls from several threads, each many times; returns the sum.
int64_t call_in_threads(Function function, int64_t threads, int64_t times) {
  std::atomic<int64_t> sum{0};
  std::deque<std::thread> running;
  for (int64_t t = 0; t < threads; ++t) {
    running.emplace_back([&] {
      for (int64_t i = 0; i < times; ++i) sum += function(i).to<int64_t>();
    });
  }
  for (std::thread& thread : running) thread.join();
  return sum;
}

// A thread that goes on calling, whatever happens to the interpreter.
void call_for_ever(Function function) {
  std::thread([function] {
    for (;;) {
      try {
        function();
      } catch (const byname::Error&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }).detach();
}

// Drops its own reference to the function in another thread, and takes all references with it that come later.
void drop_in_thread(Function function) {
  in_thread([function = std::move(function)]() mutable { Function last = std::move(function); });
}

struct Holder : byname::Derive<Holder, byname::Object, "callbacks.Holder"> {
  Any value;
  explicit Holder(Any value) : value(std::move(value)) {}
};

// Calls a function when it goes, from a destructor, which is no place to let errors out.
struct Guard : byname::Derive<Guard, byname::Object, "callbacks.Guard"> {
  Function function;
  explicit Guard(Function function) : function(std::move(function)) {}
  ~Guard() {
    try {
      function();
    } catch (const byname::Error&) {
    }
  }
};

// Shows a callback memory that holds one number, as a borrowed tensor of any number of dimensions.
Any call_with_view(Function function, int32_t ndim, bool has_data) {
  double number = 42;
  std::vector<int64_t> shape(static_cast<size_t>(std::max(ndim, 0)), 1);
  const byname_dl_tensor tensor = {has_data ? &number : nullptr, {1, 0}, ndim, {2, 64, 1}, shape.data(), nullptr, 0};
  byname_any argument{BYNAME_DL_TENSOR, 0, {0}};
  argument.as_dl_tensor = &tensor;
  byname_any result{};
  byname::detail::check(byname_function_call(function.raw(), &argument, 1, &result));
  return Any(result, byname::Adopt());
}

}  // namespace

BYNAME_LIBRARY("callbacks", lib) {
  byname::register_error<CallbacksError>("callbacks.Error", "RuntimeError");
  lib.def("call", [](Function function) { return function(); });
  lib.def("call_without_gil", [](Function function) { return function(); }, byname::blocking);
  lib.def("apply", [](Function function, std::vector<Any> arguments) { return function.apply(arguments); });
  lib.def("call_many", [](const Function& function, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += function(i).to<int64_t>();
    return sum;
  });
  lib.def("call_keyword", [](Function function, int64_t value) { return function("b"_a = value); });
  lib.def("call_typed", [](std::function<int64_t(int64_t)> function, int64_t value) { return function(value); });
  lib.def("caught", [](Function function) -> std::string {
    try {
      function();
    } catch (const byname::Error& error) {
      return std::string(error.kind()) + ": " + std::string(error.message()) +
             (error.is("ValueError") ? " (a ValueError)" : "");
    }
    return "nothing";
  });
  lib.def("rethrown", [](Function function) {
    try {
      return function();
    } catch (const byname::Error& error) {
      throw byname::Error(error);
    }
  });
  lib.def("keep", [](Function function) { kept = std::move(function); });
  lib.def("kept", [] { return kept; });
  lib.def("drop", [] { kept.reset(); });
  lib.def("drop_kept_in_thread", [] { in_thread([] { kept.reset(); }); }, byname::blocking);
  lib.def("drop_in_thread", drop_in_thread, byname::blocking);
  lib.def("bind", [](Function function, Any argument) {
    return Function([function, argument]() { return function(argument); });
  });
  lib.def("adder", [](int64_t a) { return Function([a](int64_t b) { return a + b; }); });
  lib.def("call_in_thread", call_in_thread, byname::blocking);
  lib.def("call_in_thread_with_gil_held", [](int64_t value) {
    int64_t result = 0;
    in_thread([&] { result = value; });
    return result;
  });
  lib.def("call_with_view", call_with_view);
  lib.def("call_in_threads", call_in_threads, byname::blocking);
  lib.def("call_for_ever", call_for_ever);
  lib.def("hold", [](Any value) { return byname::make<Holder>(std::move(value)); });
  lib.def("held", [](const Holder& holder) { return holder.value; });
  lib.def("guard", [](Function function) { return byname::make<Guard>(std::move(function)); });
  lib.def("register", [](std::string name, Function function) {
    byname::register_function(byname::Name(std::string_view(*new std::string(name))), [function](int64_t x) {
      return function(x);
    }).keep();
  });
  lib.def("look_up_and_call", [](std::string name, int64_t x) { return byname::get(name)(x); });
}
