// Floors of the factory rows: the creator in an unordered_map of std::function, and the JSON library alone.
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "floors.h"
#include "plugin/layers.h"
#include "runner/companion.h"
#include "runner/side.h"

namespace floors {
namespace {

std::unordered_map<std::string, std::function<std::shared_ptr<bench::Layer>(int64_t, int64_t)>> creators;
std::string net;

}  // namespace

void prepare_create() {
  for (int i = 0; i < bench::kTypes; ++i) {
    creators[bench::layer_type(i)] = [](int64_t num_output, int64_t kernel_size) {
      return std::make_shared<bench::Convolution>(num_output, kernel_size);
    };
  }
  bench::require(creators.at("Convolution")(20, 5)->size() == 500, "the layer is wrong");
}

void run_create(int64_t n) {
  const std::string type = "Convolution";
  for (int64_t i = 0; i < n; ++i) {
    std::shared_ptr<bench::Layer> layer = creators.find(type)->second(i, 5);
    keep(layer.get());
  }
}

void prepare_json() { net = bench::net_json(1000); }

void run_json(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    nlohmann::json parsed = nlohmann::json::parse(net);
    bench::require(parsed["layers"].size() == 1000, "the text is wrong");
  }
}

}  // namespace floors
