// What the tests of the zstd plugin share.
#ifndef BYNAME_TESTS_ZSTD_PLUGIN_H_
#define BYNAME_TESTS_ZSTD_PLUGIN_H_

#include <byname/byname.h>
#include <gtest/gtest.h>

#include <random>

#include "../error_of.h"

inline constexpr const char* kZstdPlugin = BYNAME_TEST_PLUGIN_DIR "/../../plugins/zstd/libbyname_zstd.so";

// Loads the plugin, which a test may have unloaded.
class Zstd : public testing::Test {
 protected:
  byname::Bytes compress(const byname::Bytes& data, int64_t level = 3) const {
    return byname::get("zstd.compress")(data, level).to<byname::Bytes>();
  }
  byname::Bytes decompress(const byname::Bytes& data) const {
    return byname::get("zstd.decompress")(data).to<byname::Bytes>();
  }

  byname::Module module_ = byname::load(kZstdPlugin);
};

inline byname::Bytes bytes(std::string_view text) { return byname::Bytes(text); }

// Words, the same ones at every run: they compress to about a third.
inline byname::Bytes words(size_t size) {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < size) text.append("word").append(std::to_string(random() % 10'000)).append(" ");
  text.resize(size);
  return byname::Bytes(std::string_view(text));
}

using byname::error_of;

#endif  // BYNAME_TESTS_ZSTD_PLUGIN_H_
