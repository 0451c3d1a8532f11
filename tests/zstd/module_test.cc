// The zstd plugin as a module: what it registers, and unloading it.
#include <algorithm>
#include <fstream>

#include "plugin.h"

namespace {

using byname::Bytes;
using byname::get;

TEST_F(Zstd, is_registered_in_under_80_lines) {
  std::ifstream source(BYNAME_SOURCE_DIR "/plugins/zstd/zstd.cc");
  auto lines = std::count(std::istreambuf_iterator<char>(source), {}, '\n');
  EXPECT_GT(lines, 0);
  EXPECT_LT(lines, 80);
}

TEST_F(Zstd, every_name_has_a_schema_and_documentation) {
  const std::pair<const char*, const char*> expected[] = {
      {"zstd.Compressor(int level=3) -> zstd.Compressor", "Compresses piece by piece into one frame."},
      {"zstd.Compressor.finish(zstd.Compressor self, bytes data=\"\") -> bytes",
       "Take the last piece; return the rest."},
      {"zstd.Compressor.write(zstd.Compressor self, bytes data) -> bytes", "Take a piece; return what is ready."},
      {"zstd.Decompressor() -> zstd.Decompressor", "Restores frames piece by piece."},
      {"zstd.Decompressor.finish(zstd.Decompressor self, bytes data=\"\") -> bytes", "The same, if it ends a frame."},
      {"zstd.Decompressor.write(zstd.Decompressor self, bytes data) -> bytes",
       "Take a piece; return what it restores."},
      {"zstd.bound(uint64 size) -> uint64", "The most bytes that `size` bytes are compressed to."},
      {"zstd.compress(bytes data, int level=3) -> bytes", "Compress into one frame; higher levels are slower."},
      {"zstd.decompress(bytes data) -> bytes", "Restore what one or more frames hold."},
      {"zstd.version() -> str", "The version of libzstd."},
  };
  std::vector<std::string> names = module_.names();
  ASSERT_EQ(names.size(), std::size(expected));
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(get(names[i]).schema(), expected[i].first);
    EXPECT_EQ(get(names[i]).doc(), expected[i].second);
  }
}

TEST_F(Zstd, what_takes_long_is_blocking) {
  for (const char* name : {"zstd.compress", "zstd.decompress", "zstd.Compressor.write", "zstd.Decompressor.finish"}) {
    const auto* function = reinterpret_cast<const byname_function*>(get(name).pin().raw());
    EXPECT_TRUE(function->flags & BYNAME_BLOCKING) << name;
  }
}

TEST_F(Zstd, unloading_removes_its_names_and_its_handles_work_again_when_it_is_loaded) {
  byname::Handle handle = get("zstd.compress");
  Bytes packed = compress(bytes("data"));
  EXPECT_TRUE(module_.unload().empty());
  EXPECT_TRUE(byname::names("zstd.").empty());
  EXPECT_FALSE(handle);
  EXPECT_EQ(error_of([&] { handle(bytes("data")); }),
            "NotFound: 'zstd.compress' is not registered any more (it was removed, or its module unloaded)");
  module_ = byname::load(kZstdPlugin);
  EXPECT_TRUE(handle(bytes("data")).to<Bytes>() == packed);
}

TEST_F(Zstd, a_stream_that_is_held_keeps_the_code_and_is_told_by_unload) {
  byname::Any stream = get("zstd.Compressor")();
  get("zstd.Compressor.write")(stream, bytes("data"));
  EXPECT_EQ(module_.unload(), std::vector<std::string>{"1 object of type 'zstd.Compressor'"});
  EXPECT_FALSE(module_.is_loaded());
  stream = byname::Any();  // destroyed by the plugin's code, which is there
  EXPECT_EQ(byname::collect(), 1);
}

}  // namespace
