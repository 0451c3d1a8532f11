// What the zstd plugin compresses and restores.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "plugin.h"

namespace {

using byname::Bytes;
using byname::get;
using namespace byname::literals;

class Stream {
 public:
  explicit Stream(const std::string& type) : type_(type), object_(get("zstd." + type)()) {}
  Bytes write(std::string_view data) const { return get("zstd." + type_ + ".write")(object_, Bytes(data)).to<Bytes>(); }
  Bytes finish() const { return get("zstd." + type_ + ".finish")(object_).to<Bytes>(); }
  // All of it, in pieces of a size.
  std::string run(std::string_view data, size_t piece) const {
    std::string out;
    for (size_t i = 0; i < data.size(); i += piece) out += write(data.substr(i, piece));
    return out += finish();
  }

 private:
  std::string type_;
  byname::Any object_;
};

void write_file(const std::filesystem::path& path, const Bytes& data) {
  std::ofstream(path, std::ios::binary).write(data.data(), static_cast<std::streamsize>(data.size()));
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::string_view(std::string(std::istreambuf_iterator<char>(file), {})));
}

// Runs the zstd command on a file.
Bytes command(const Bytes& input, const std::string& options) {
  auto directory = std::filesystem::path(testing::TempDir());
  auto from = directory / "byname_zstd_test_in";
  auto to = directory / "byname_zstd_test_out";
  write_file(from, input);
  std::string line = "zstd --quiet --force " + options + " " + from.string() + " -o " + to.string();
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  Bytes output = read_file(to);
  std::filesystem::remove(from);
  std::filesystem::remove(to);
  return output;
}

TEST_F(Zstd, restores_what_it_compressed_at_every_level) {
  const Bytes data = words(200'000);
  for (int64_t level = -5; level <= 22; ++level) {
    Bytes packed = compress(data, level);
    EXPECT_LT(packed.size(), data.size()) << level;
    EXPECT_TRUE(decompress(packed) == data) << level;
  }
}

TEST_F(Zstd, a_higher_level_is_smaller_and_3_is_the_default) {
  const Bytes data = words(200'000);
  EXPECT_LT(compress(data, 19).size(), compress(data, 1).size());
  EXPECT_TRUE(get("zstd.compress")(data).to<Bytes>() == compress(data, 3));
  EXPECT_TRUE(get("zstd.compress")(data, "level"_a = 7).to<Bytes>() == compress(data, 7));
}

TEST_F(Zstd, restores_no_bytes_and_one) {
  EXPECT_GT(compress(Bytes()).size(), 0);
  EXPECT_TRUE(decompress(compress(Bytes())).empty());
  EXPECT_EQ(decompress(compress(bytes("x"))).view(), "x");
}

TEST_F(Zstd, restores_ten_megabytes) {
  const Bytes data = words(10'000'000);
  EXPECT_TRUE(decompress(compress(data, 1)) == data);
}

TEST_F(Zstd, restores_what_compresses_by_more_than_its_first_guess) {
  const Bytes data(std::string_view(std::string(5'000'000, 'x')));
  Bytes packed = compress(data);
  EXPECT_LT(packed.size() * 1000, data.size());
  EXPECT_TRUE(decompress(packed) == data);
}

TEST_F(Zstd, bound_is_enough_for_noise) {
  std::mt19937 random(1);
  std::string noise(100'000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  auto bound = get("zstd.bound")(noise.size()).to<size_t>();
  EXPECT_GE(bound, noise.size());
  EXPECT_LE(compress(bytes(noise)).size(), bound);
}

TEST_F(Zstd, a_stream_restores_what_it_compressed_in_pieces_of_any_size) {
  const Bytes data = words(300'000);
  for (size_t piece : {1'000, 77'777, 300'000}) {
    std::string packed = Stream("Compressor").run(data, piece);
    EXPECT_TRUE(decompress(bytes(packed)) == data) << piece;
    EXPECT_TRUE(Stream("Decompressor").run(packed, piece) == data) << piece;
    EXPECT_TRUE(Stream("Decompressor").run(compress(data), piece) == data) << piece;
  }
}

TEST_F(Zstd, a_stream_of_single_bytes) {
  const Bytes data = words(2'000);
  std::string packed = Stream("Compressor").run(data, 1);
  EXPECT_TRUE(Stream("Decompressor").run(packed, 1) == data);
}

TEST_F(Zstd, frames_side_by_side_are_restored_one_after_the_other) {
  std::string frames(compress(bytes("first ")));
  frames += compress(bytes(""));
  frames += compress(bytes("second"));
  EXPECT_EQ(decompress(bytes(frames)).view(), "first second");
  EXPECT_EQ(Stream("Decompressor").run(frames, 3), "first second");
}

TEST_F(Zstd, a_finished_stream_begins_another_frame) {
  Stream stream("Compressor");
  std::string frames = stream.run("first ", 2);
  frames += stream.run("second", 2);
  EXPECT_EQ(decompress(bytes(frames)).view(), "first second");
}

TEST_F(Zstd, threads_that_share_a_stream_take_turns) {
  Stream stream("Compressor");
  const Bytes line = words(100'000);
  auto write = [&] {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(error_of([&] { stream.write(line); }), "no error");
  };
  std::thread first(write), second(write);
  first.join();
  second.join();
  EXPECT_GT(stream.finish().size(), 0);
}

TEST_F(Zstd, the_zstd_command_restores_what_the_plugin_compressed) {
  const Bytes data = words(200'000);
  EXPECT_TRUE(command(compress(data, 9), "--decompress") == data);
  EXPECT_TRUE(command(bytes(Stream("Compressor").run(data, 10'000)), "--decompress") == data);
}

TEST_F(Zstd, the_plugin_restores_what_the_zstd_command_compressed) {
  const Bytes data = words(200'000);
  for (const char* options : {"-1", "-19", "--no-check -5", "--long=27 -12"}) {
    Bytes packed = command(data, options);
    EXPECT_TRUE(decompress(packed) == data) << options;
    EXPECT_TRUE(Stream("Decompressor").run(packed, 4'096) == data) << options;
  }
}

}  // namespace
