// Compresses or restores a file: `compress PLUGIN compress FILE FILE.zst 19`. Nothing here knows libzstd.
#include <byname/byname.h>

#include <cstdio>
#include <fstream>

using namespace byname::literals;

static std::vector<std::byte> read(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw byname::Error("OSError", std::string("cannot read '") + path + "'");
  std::vector<std::byte> bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0).read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

static void write(const char* path, const byname::Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw byname::Error("OSError", std::string("cannot write '") + path + "'");
  }
}

static void run(const char* plugin, const std::string& action, const char* from, const char* to, const char* level) {
  byname::load(plugin);
  byname::Handle function = byname::get("zstd." + action);
  std::vector<std::byte> input = read(from);
  byname::Any output = level == nullptr ? function(input) : function(input, "level"_a = std::atoi(level));
  auto bytes = output.to<byname::Bytes>();
  write(to, bytes);
  std::printf("  C++     %-11s %-3s %10zu -> %10zu bytes %7.1f %%\n", action.c_str(), level == nullptr ? "" : level,
              input.size(), bytes.size(), 100.0 * bytes.size() / std::max<size_t>(input.size(), 1));
}

int main(int argc, char** argv) {
  if (argc < 5 || argc > 6) {
    std::fprintf(stderr, "usage: %s PLUGIN compress|decompress INPUT OUTPUT [LEVEL]\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1], argv[2], argv[3], argv[4], argc > 5 ? argv[5] : nullptr);
  } catch (const byname::Error& error) {
    std::fprintf(stderr, "%s: %s\n", std::string(error.kind()).c_str(), error.what());
    return 1;
  }
}
