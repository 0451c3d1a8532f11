// Objects by the names of their types, and from a configuration in JSON.
#include <optional>

#include "plugin/layers.h"
#include "runner/companion.h"
#include "runner/side.h"
#include "values.h"

using namespace byname::literals;

namespace {

// Names live as long as what registers them.
const std::vector<std::string>& layer_types() {
  static const std::vector<std::string> types = [] {
    std::vector<std::string> all;
    for (int i = 0; i < bench::kTypes; ++i) all.push_back(bench::layer_type(i));
    return all;
  }();
  return types;
}

}  // namespace

BYNAME_LIBRARY("bench.nets", lib) {
  lib.type<bench::Layer>("Layer", "A layer.");
  auto layers = lib.factory<bench::Layer>("layer");
  layers.product<bench::Net, std::vector<std::shared_ptr<bench::Layer>>>("Net", {"layers"_a});
  for (const std::string& type : layer_types()) {
    layers.product<bench::Convolution, int64_t, int64_t>(std::string_view(type), {"num_output"_a, "kernel_size"_a = 3});
  }
}

namespace values {
namespace {

std::optional<byname::Factory<bench::Layer>> layers;
std::string net;

}  // namespace

void prepare_create() {
  layers.emplace();
  bench::require(layers->types().size() == bench::kTypes + 1, "the factory is wrong");
  bench::require(layers->create("Convolution", 20, 5)->size() == 500, "the layer is wrong");
}

void run_create(int64_t n) {
  const std::string type = "Convolution";
  for (int64_t i = 0; i < n; ++i) {
    auto layer = layers->create(type, i, 5);
    keep(layer.get());
  }
}

void prepare_json() {
  prepare_create();
  load_plugin("libbench_json.so");
  net = bench::net_json(1000);
}

void run_json(int64_t n) {
  byname::Handle parse = byname::get("json.parse");
  for (int64_t i = 0; i < n; ++i) {
    auto made = layers->create(parse(net));
    bench::require(made->size() == 1000, "the net is wrong");
  }
}

}  // namespace values
