// Functions that are called in every way Python knows.
#include <byname/byname.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

using namespace byname::literals;

namespace {

struct CallsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RuntimeKind : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct NoException {
  int number;
};

[[noreturn]] void throw_kind(std::string_view kind) {
  if (kind == "invalid_argument") throw std::invalid_argument("not an argument");
  if (kind == "out_of_range") throw std::out_of_range("too far");
  if (kind == "bad_alloc") throw std::bad_alloc();
  if (kind == "overflow_error") throw std::overflow_error("too much");
  if (kind == "system_error") {
    throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory), "opening 'x'");
  }
  if (kind == "runtime_error") throw std::runtime_error("went wrong");
  if (kind == "own") throw CallsError("our own");
  if (kind == "int") throw 42;
  if (kind == "struct") throw NoException{1};
  if (kind == "no text") throw byname::Error("calls.no\xfftext", "raised by kind");
  throw byname::Error(kind, "raised by kind");
}

void throw_nested() {
  try {
    throw std::out_of_range("the inner one");
  } catch (...) {
    std::throw_with_nested(std::runtime_error("the outer one"));
  }
}

std::atomic<int64_t> sleeping{0};

}  // namespace

BYNAME_LIBRARY("calls", lib) {
  byname::register_error<CallsError>("calls.Error", "ValueError");
  byname::register_error<RuntimeKind>("calls.RuntimeKind", "RuntimeError");
  lib.def("nothing", [] {}, "Do nothing.");
  lib.def("add", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a = 1}, "Add two integers.");
  lib.def("sub", [](int64_t a, int64_t b) { return a - b; }, {"a"_a, "b"_a});
  lib.def("half", [](double x) { return x / 2; }, {"x"_a});
  lib.def("is_even", [](int64_t x) { return x % 2 == 0; }, {"x"_a});
  lib.def("sum4", [](double a, double b, double c, double d) { return a + b + c + d; });
  lib.def("join", [](std::string_view a, std::string_view b) { return std::string(a).append(b); }, {"a"_a, "b"_a});
  lib.def("repeat", [](std::string_view text, int64_t n) { return static_cast<int64_t>(text.size()) * n; },
          {"text"_a, "n"_a});
  lib.def("many",
          [](int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h, int64_t i,
             int64_t j) { return byname::Array<int64_t>{a, b, c, d, e, f, g, h, i, j}; },
          {"a"_a, "b"_a, "c"_a, "d"_a, "e"_a, "f"_a, "g"_a, "h"_a, "i"_a, "j"_a});
  lib.def("count", [](byname::Args arguments) { return static_cast<int64_t>(arguments.size()); });
  lib.def("keyword_only(int a, *, int b=2, str c=\"x\") -> str",
          [](int64_t a, int64_t b, std::string c) { return std::to_string(a) + std::to_string(b) + c; });
  lib.def(
      "sleep",
      [](double seconds) {
        ++sleeping;
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        --sleeping;
      },
      {"seconds"_a}, byname::blocking);
  lib.def("sleeping", [] { return sleeping.load(); });
  lib.def("throw", throw_kind, {"kind"_a});
  lib.def("throw_nested", throw_nested);
  lib.def("outer", [](std::string_view kind) { byname::get("calls.throw")(kind); });
  lib.def("error", [](std::string_view kind) {
    byname_any error{};
    byname::detail::check(byname_error_new({kind.data(), kind.size()}, {"as a value", 10}, nullptr, &error));
    return byname::Any(error, byname::Adopt());
  });
  lib.def("warn", [](std::string_view kind, std::string_view text) {
    byname_warn({kind.data(), kind.size()}, {text.data(), text.size()});
    return int64_t{1};
  });
  lib.def("space", [] { return "function"; });
  lib.alias("plus", "add", "1.0");
}

BYNAME_LIBRARY("calls.space", lib) {
  lib.def("inner", [](int64_t x) { return x; }, {"x"_a});
}
