// The classes that the factory rows make. Nothing here includes a Byname header: the floors make them, too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Layer {
  virtual ~Layer() = default;
  virtual int64_t size() const = 0;
};

struct Convolution : Layer {
  Convolution(int64_t num_output, int64_t kernel_size) : num_output(num_output), kernel_size(kernel_size) {}
  int64_t size() const override { return num_output * kernel_size * kernel_size; }
  int64_t num_output, kernel_size;
};

struct Net : Layer {
  explicit Net(std::vector<std::shared_ptr<Layer>> layers) : layers(std::move(layers)) {}
  int64_t size() const override { return static_cast<int64_t>(layers.size()); }
  std::vector<std::shared_ptr<Layer>> layers;
};

constexpr int kTypes = 30;  // of layers
inline std::string layer_type(int i) { return i == 0 ? "Convolution" : "Convolution" + std::to_string(i); }

// A net of so many layers, as a configuration.
inline std::string net_json(int num_layers) {
  std::string text = R"({"type": "Net", "layers": [)";
  for (int i = 0; i < num_layers; ++i) {
    text += (i > 0 ? ", " : "") + (R"({"type": ")" + layer_type(i % kTypes)) + R"(", "num_output": )" +
            std::to_string(20 + i % 7) + R"(, "kernel_size": 5})";
  }
  return text + "]}";
}

}  // namespace bench
