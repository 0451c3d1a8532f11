// Factories of class templates: their instances share names, and each name has a variant for each scalar.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "module_support.h"

namespace byname {
namespace {

using namespace literals;

template <class T>
struct Layer {
  virtual ~Layer() = default;
  virtual size_t bytes() const = 0;
};

template <class T>
struct Dense : Layer<T> {
  explicit Dense(int64_t num_output) : num_output(num_output) {}
  size_t bytes() const override { return static_cast<size_t>(num_output) * sizeof(T); }
  int64_t num_output;
};

template <class T>
struct Stack : Layer<T> {
  explicit Stack(std::vector<std::shared_ptr<Layer<T>>> layers) : layers(std::move(layers)) {}
  size_t bytes() const override {
    size_t sum = 0;
    for (const auto& layer : layers) sum += layer->bytes();
    return sum;
  }
  std::vector<std::shared_ptr<Layer<T>>> layers;
};

template <class T>
struct Doubled : Dense<T> {
  explicit Doubled(int64_t half) : Dense<T>(2 * half) {}
};

struct OnlyFloat : Dense<float> {
  OnlyFloat() : Dense(1) {}
};

BYNAME_LIBRARY("test.variants", lib) {
  lib.type<Layer<float>>("Layer_float32", "A layer.").method("bytes", &Layer<float>::bytes);
  lib.type<Layer<double>>("Layer_float64", "A layer.").method("bytes", &Layer<double>::bytes);
  lib.factory<Layer, Types<float, double>>({"layer", "layers.cc", 1})
      .product<Dense, int64_t>("Dense", {"num_output"_a}, "Every input to every output.");
  lib.product<Layer, Doubled, Types<float, double>, int64_t>("Doubled", {"half"_a});
  lib.product<Layer<float>, Stack<float>, std::vector<std::shared_ptr<Layer<float>>>>("Stack", {"layers"_a});
  lib.product<Layer<double>, Stack<double>, std::vector<std::shared_ptr<Layer<double>>>>("Stack", {"layers"_a});
  lib.creator<Layer<float>>(
      "Made(int n=3) -> test.variants.Layer_float32",
      [](int64_t n) -> std::unique_ptr<Layer<float>> { return std::make_unique<Dense<float>>(n); });
  lib.product<Layer<float>, OnlyFloat>("OnlyFloat");
}

TEST(FactoryVariant, each_scalar_has_its_own_under_the_same_names) {
  Factory<Layer<float>> floats;
  Factory<Layer<double>> doubles;
  EXPECT_EQ(floats.prefix(), "test.variants.layer");
  EXPECT_EQ(floats.variant(), "float32");
  EXPECT_EQ(doubles.variant(), "float64");
  EXPECT_EQ(floats.create("Dense", 10)->bytes(), 40u);
  EXPECT_EQ(doubles.create("Dense", "num_output"_a = 10)->bytes(), 80u);
  EXPECT_EQ(doubles.create("Doubled", 10)->bytes(), 160u);
  EXPECT_EQ(floats.create("Made")->bytes(), 12u);
  EXPECT_EQ(floats.types(), (Texts{"Dense", "Doubled", "Made", "OnlyFloat", "Stack"}));
  EXPECT_EQ(doubles.types(), (Texts{"Dense", "Doubled", "Stack"}));
  EXPECT_EQ(get("test.variants.layer::Dense.float64").doc(), "Every input to every output.");
}

TEST(FactoryVariant, a_name_without_its_variant_calls_the_only_one_that_fits) {
  EXPECT_EQ(get("test.variants.layer.OnlyFloat")().to<std::shared_ptr<Layer<float>>>()->bytes(), 4u);
  EXPECT_EQ(
      error_of([] { get("test.variants.layer.Dense")(10); }),
      "TypeError: test.variants.layer.Dense(): (int) fits two overloads equally well (say which, by its full name)\n"
      "  test.variants.layer::Dense.float32(int num_output) -> test.variants.Layer_float32\n"
      "  test.variants.layer::Dense.float64(int num_output) -> test.variants.Layer_float64");
}

TEST(FactoryVariant, configurations_in_configurations_are_of_the_variant_that_is_taken) {
  Map<String, Any> dense;
  dense.set("type", "Dense");
  dense.set("num_output", 4);
  Map<String, Any> stack;
  stack.set("type", "Stack");
  stack.set("layers", Array<Any>{Any(dense), Any(dense)});
  EXPECT_EQ(Factory<Layer<float>>().create(stack)->bytes(), 32u);
  EXPECT_EQ(Factory<Layer<double>>().create(stack)->bytes(), 64u);
  dense.set("type", "OnlyFloat");
  EXPECT_EQ(
      error_of([&] { Factory<Layer<double>>().create(dense); }),
      "ValueError: cannot make an object of 'test.variants.layer::*.float64': $: unknown type 'OnlyFloat' (known: "
      "Dense, Doubled, Stack)");
}

TEST(FactoryVariant, an_unknown_type_is_told_with_those_of_the_variant) {
  EXPECT_EQ(error_of([] { Factory<Layer<double>>().create("Dens"); }),
            "NotFound: 'test.variants.layer::*.float64': unknown type 'Dens' (did you mean 'Dense'? known: Dense, "
            "Doubled, Stack)");
}

TEST(FactoryVariant, one_that_is_not_there_is_told_with_names_that_are) {
  byname_str none = detail::to_c("float16");
  EXPECT_EQ(byname_factory_get({detail::to_c("test.variants.layer"), none}, detail::to_c("Dense")), nullptr);
  Error error(byname_error_take());
  EXPECT_EQ(error.message(),
            "nothing is registered under the name 'test.variants.layer::Dense.float16' (did you mean "
            "'test.variants.layer::Dense.float32' or 'test.variants.layer::Dense.float64'?)");
}

TEST(FactoryVariant, what_is_registered_under_its_full_name_joins_it) {
  auto make = []() -> std::unique_ptr<Layer<double>> { return std::make_unique<Dense<double>>(2); };
  Registration more = register_function("test.variants.layer::OnlyFloat.float64", make);
  EXPECT_EQ(Factory<Layer<double>>().create("OnlyFloat")->bytes(), 16u);
  EXPECT_EQ(error_of([] {
              Registration none = register_function("test.variants.layer::OnlyFloat.float16", [] { return 1; });
            }).substr(0, 92),
            "ValueError: overloads take the same parameters: test.variants.layer::OnlyFloat.float32() -> ");
}

}  // namespace
}  // namespace byname
