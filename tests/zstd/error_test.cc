// What the zstd plugin refuses, and in which words.
#include "plugin.h"

namespace {

using byname::Bytes;
using byname::get;
using namespace byname::literals;

constexpr const char* kTruncated = "zstd.Error: expected the end of a frame, got the end of the data";

TEST_F(Zstd, a_level_out_of_range_is_told_with_the_range) {
  EXPECT_EQ(error_of([&] { compress(bytes("x"), 23); }), "ValueError: 'level' expects -131072 to 22, got 23");
  EXPECT_EQ(error_of([&] { compress(bytes("x"), -131073); }), "ValueError: 'level' expects -131072 to 22, got -131073");
  EXPECT_EQ(error_of([&] { compress(bytes("x"), INT64_MAX); }),
            "ValueError: 'level' expects -131072 to 22, got 9223372036854775807");
  EXPECT_EQ(error_of([&] { get("zstd.Compressor")("level"_a = 100); }),
            "ValueError: 'level' expects -131072 to 22, got 100");
}

TEST_F(Zstd, arguments_that_do_not_fit_are_refused) {
  byname::Handle compress = get("zstd.compress");
  EXPECT_EQ(error_of([&] { compress("text"); }),
            "TypeError: zstd.compress(): argument 'data' (position 1) expects bytes, got str");
  EXPECT_EQ(
      error_of([&] { compress("text", "3"); }),
      "TypeError: zstd.compress(): argument 'data' (position 1) expects bytes, got str; argument 'level' (position "
      "2) expects int, got str");
  EXPECT_EQ(error_of([&] { compress(); }), "TypeError: zstd.compress(): argument 'data' (position 1) is missing");
  EXPECT_EQ(error_of([&] { compress(bytes("x"), "levl"_a = 3); }),
            "TypeError: zstd.compress(): unexpected keyword 'levl' (did you mean 'level'?)");
  EXPECT_EQ(error_of([&] { get("zstd.bound")(-1); }),
            "OverflowError: zstd.bound(): argument 'size' (position 1) expects uint64, got -1 (out of range)");
  EXPECT_EQ(error_of([&] { get("zstd.Decompressor.write")(get("zstd.Compressor")(), bytes("x")); }),
            "TypeError: zstd.Decompressor.write(): argument 'self' (position 1) expects zstd.Decompressor, got "
            "zstd.Compressor");
}

TEST_F(Zstd, a_near_name_is_told) {
  EXPECT_EQ(error_of([] { get("zstd.compres"); }),
            "NotFound: nothing is registered under the name 'zstd.compres' (did you mean 'zstd.compress'?)");
}

TEST_F(Zstd, data_that_are_no_frame_are_refused) {
  EXPECT_EQ(error_of([&] { decompress(bytes("this is no frame")); }), "zstd.Error: Unknown frame descriptor");
  std::string with_tail(compress(bytes("data")));
  EXPECT_EQ(error_of([&] { decompress(bytes(with_tail + "tail")); }), "zstd.Error: Unknown frame descriptor");
}

TEST_F(Zstd, an_error_of_libzstd_is_a_ValueError) {
  try {
    decompress(bytes("this is no frame"));
    FAIL() << "no error";
  } catch (const byname::Error& error) {
    EXPECT_EQ(error.kind(), "zstd.Error");
    EXPECT_TRUE(error.is("ValueError"));
    EXPECT_FALSE(error.is("TypeError"));
  }
}

TEST_F(Zstd, a_wrong_checksum_is_found) {
  std::string packed(compress(words(1'000)));
  packed.back() ^= 1;
  EXPECT_EQ(error_of([&] { decompress(bytes(packed)); }), "zstd.Error: Restored data doesn't match checksum");
}

TEST_F(Zstd, data_that_end_too_early_are_refused_wherever_they_end) {
  const Bytes packed = compress(words(500));
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_EQ(error_of([&] { decompress(bytes(packed.view().substr(0, size))); }), kTruncated) << size;
  }
}

TEST_F(Zstd, a_stream_that_ends_too_early_is_refused_at_its_end) {
  const Bytes packed = compress(words(500));
  byname::Any stream = get("zstd.Decompressor")();
  get("zstd.Decompressor.write")(stream, bytes(packed.view().substr(0, 100)));
  EXPECT_EQ(error_of([&] { get("zstd.Decompressor.finish")(stream); }), kTruncated);
  get("zstd.Decompressor.finish")(stream, bytes(packed.view().substr(100)));
  EXPECT_EQ(error_of([&] { get("zstd.Decompressor.finish")(get("zstd.Decompressor")()); }), kTruncated);
}

TEST_F(Zstd, no_flipped_bit_restores_other_data) {
  const Bytes data = words(300);
  const std::string packed(compress(data, 19));
  size_t refused = 0;
  for (size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    std::string flipped = packed;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    try {
      EXPECT_TRUE(decompress(bytes(flipped)) == data) << bit;
    } catch (const byname::Error& error) {
      EXPECT_EQ(error.kind(), "zstd.Error") << bit;
      ++refused;
    }
  }
  EXPECT_GT(refused, 7 * packed.size());
}

TEST_F(Zstd, a_header_that_announces_too_much_is_not_believed) {
  // Magic number, a descriptor with 8 bytes of content size and one segment, a size of 2^40, one last raw block of "x".
  std::string frame("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\1\0\0\x09\0\0x", 17);
  EXPECT_EQ(error_of([&] { decompress(bytes(frame)); }), "zstd.Error: Frame requires too much memory for decoding");
}

TEST_F(Zstd, a_bound_beyond_every_size_is_refused) {
  EXPECT_EQ(error_of([] { get("zstd.bound")(UINT64_MAX); }), "zstd.Error: Src size is incorrect");
}

}  // namespace
