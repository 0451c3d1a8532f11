// libzstd by name: bytes compressed and restored, at once or piece by piece.
#include <byname/byname.h>
#include <zstd.h>

#include <mutex>

namespace {
using namespace byname::literals;
using Input = std::span<const std::byte>;  // borrowed for the call

struct ZstdError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

size_t check(size_t result) { return ZSTD_isError(result) ? throw ZstdError(ZSTD_getErrorName(result)) : result; }

// A stream that is fed piece by piece. Threads that share one take turns.
template <class Context>
struct Stream {
  Stream(Context* made, size_t (*free)(Context*)) : context(made != nullptr ? made : throw std::bad_alloc(), free) {}
  byname::Bytes write(Input data) { return run(data, ZSTD_e_continue); }
  byname::Bytes finish(Input data) { return run(data, ZSTD_e_end); }
  byname::Bytes run(Input data, ZSTD_EndDirective mode) {
    std::lock_guard lock(mutex);
    auto size = ZSTD_getFrameContentSize(data.data(), data.size());  // may be a lie: believed up to 1:100
    std::string written(size < 100 * data.size() ? size + 1 : ZSTD_compressBound(data.size()), '\0');
    ZSTD_inBuffer in = {data.data(), data.size(), 0};
    ZSTD_outBuffer out = {written.data(), written.size(), 0};
    do {
      if (out.pos == out.size) written.resize(2 * out.size);
      out = {written.data(), written.size(), out.pos};
      if constexpr (std::is_same_v<Context, ZSTD_CCtx>) {
        left = check(ZSTD_compressStream2(context.get(), &out, &in, mode));
      } else if (in.size > 0) {
        left = check(ZSTD_decompressStream(context.get(), &out, &in));
      }
    } while (in.pos < in.size || (left > 0 && out.pos == out.size));
    if (mode == ZSTD_e_end && left > 0) throw ZstdError("expected the end of a frame, got the end of the data");
    return {out.dst, out.pos};
  }
  std::mutex mutex;  // guards what follows
  std::shared_ptr<Context> context;
  size_t left = 1;  // of the frame that is under way, or not begun
};

struct Compressor : Stream<ZSTD_CCtx> {
  explicit Compressor(int64_t level) : Stream(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    if (auto [error, low, high] = ZSTD_cParam_getBounds(ZSTD_c_compressionLevel); level < low || level > high) {
      throw std::invalid_argument("'level' expects " + std::to_string(low) + " to " + std::to_string(high) + ", got " +
                                  std::to_string(level));
    }
    check(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, static_cast<int>(level)));
    check(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1));
  }
};

struct Decompressor : Stream<ZSTD_DCtx> {
  Decompressor() : Stream(ZSTD_createDCtx(), ZSTD_freeDCtx) {}
};

size_t bound(size_t size) { return check(ZSTD_compressBound(size)); }
byname::Bytes compress(Input data, int64_t level) { return Compressor(level).finish(data); }
byname::Bytes decompress(Input data) { return Decompressor().finish(data); }
}  // namespace

BYNAME_LIBRARY("zstd", lib) {
  const byname::Arg data = "data"_a, level = "level"_a = ZSTD_CLEVEL_DEFAULT, last = "data"_a = byname::Bytes();
  byname::register_error<ZstdError>("zstd.Error", "ValueError");
  lib.def("version", ZSTD_versionString, "The version of libzstd.");
  lib.def("bound", bound, {"size"_a}, "The most bytes that `size` bytes are compressed to.");
  lib.def("compress", compress, {data, level}, "Compress into one frame; higher levels are slower.", byname::blocking);
  lib.def("decompress", decompress, {data}, "Restore what one or more frames hold.", byname::blocking);
  auto packer = lib.type<Compressor>("Compressor", "Compresses piece by piece into one frame.").init<int64_t>({level});
  packer.method("write", &Compressor::write, {data}, "Take a piece; return what is ready.", byname::blocking);
  packer.method("finish", &Compressor::finish, {last}, "Take the last piece; return the rest.", byname::blocking);
  auto unpacker = lib.type<Decompressor>("Decompressor", "Restores frames piece by piece.").init<>();
  unpacker.method("write", &Decompressor::write, {data}, "Take a piece; return what it restores.", byname::blocking);
  unpacker.method("finish", &Decompressor::finish, {last}, "The same, if it ends a frame.", byname::blocking);
}
