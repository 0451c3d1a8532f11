// Commands, and a class that Python implements.
#include <byname/byname.h>

#include <iostream>

using namespace byname::literals;

namespace {

// Changes numbers.
struct Step {
  virtual ~Step() = default;
  virtual int64_t run(int64_t x) const = 0;
  virtual std::string title() const { return "a step"; }
};

struct Add : Step {
  explicit Add(int64_t n) : n(n) {}
  int64_t run(int64_t x) const override { return x + n; }
  int64_t n;
};

struct Chain : Step {
  explicit Chain(std::vector<std::shared_ptr<Step>> steps) : steps(std::move(steps)) {}
  int64_t run(int64_t x) const override {
    for (const auto& step : steps) x = step->run(x);
    return x;
  }
  std::string title() const override {
    std::string text;
    for (const auto& step : steps) text += "[" + step->title() + "]";
    return text;
  }
  std::vector<std::shared_ptr<Step>> steps;
};

// Of functions of whatever language.
struct StepOfFunctions : Step {
  using Run = byname::TypedFunction<int64_t(int64_t)>;
  using Title = byname::TypedFunction<std::string()>;
  StepOfFunctions(Run run, std::optional<Title> title) : run_(std::move(run)), title_(std::move(title)) {}
  int64_t run(int64_t x) const override { return run_(x); }
  std::string title() const override { return title_ ? (*title_)() : Step::title(); }
  Run run_;
  std::optional<Title> title_;
};

struct Fixed {
  int64_t word = 0;
};

std::shared_ptr<Step> kept;

int train(const std::string& model, int64_t iterations, bool verbose) {
  std::cout << model << " " << iterations << (verbose ? " verbosely" : "") << std::endl;
  return iterations < 0 ? 3 : 0;
}

int odd(int64_t upper, const std::vector<int64_t>& xs, const std::vector<int64_t>& ys, bool no_x, bool x) {
  std::cout << upper << " " << xs.size() << " " << ys.size() << " " << no_x << x << std::endl;
  return 0;
}

int sum(const std::vector<int64_t>& numbers) {
  int64_t all = 0;
  for (int64_t number : numbers) all += number;
  std::cout << all << std::endl;
  return 0;
}

}  // namespace

BYNAME_LIBRARY("commands", lib) {
  lib.command("train", train, {"model"_a, "max_iterations"_a = 100, "verbose"_a = false},
              "Train a model.\n\nUntil it is good.");
  lib.command("sum", sum, {"numbers"_a}, "Add numbers up.");
  lib.command(
      "status", [](std::optional<int64_t> n) { return static_cast<int>(n.value_or(-1)); }, {"n"_a = 3},
      "End with a status.");
  lib.command("odd", odd, {"Upper"_a, "xs"_a, "ys"_a, "no_x"_a = false, "x"_a = false}, "Take odd names.");
  lib.command("fail", []() -> int { throw std::runtime_error("no such device"); }, {}, "Fail.");

  lib.type<Step>("Step", "Changes a number.")
      .init(
          [](StepOfFunctions::Run run, std::optional<StepOfFunctions::Title> title) -> std::unique_ptr<Step> {
            return std::make_unique<StepOfFunctions>(std::move(run), std::move(title));
          },
          {"run"_a, "title"_a = nullptr})
      .method("run", &Step::run, {"x"_a}, "The number that x becomes.")
      .method("title", &Step::title);
  lib.factory<Step>("step")
      .product<Add, int64_t>("Add", {"n"_a = 1})
      .product<Chain, std::vector<std::shared_ptr<Step>>>("Chain", {"steps"_a});
  lib.type<Fixed>("Fixed", "Cannot be made.");
  lib.factory<Fixed>("fixed");
  lib.def(
      "make_and_run", [](std::string_view type, int64_t x) { return byname::Factory<Step>().create(type)->run(x); },
      {"type"_a, "x"_a}, "Make one here, in C++, and run it.");
  lib.def("keep", [](std::shared_ptr<Step> step) { kept = std::move(step); }, {"step"_a});
  lib.def("run_kept", [](int64_t x) { return kept->run(x); }, {"x"_a});
  lib.def("drop_kept", [] { kept = nullptr; });
  lib.on_unload([] { kept = nullptr; });
}

BYNAME_LIBRARY("other", lib) {
  lib.command("sum", [] { return 0; });
}
