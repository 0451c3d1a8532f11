// Prints the resident bytes that Byname needs for one registered function beyond its texts.
#include <byname/byname.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "plugin/many.h"
#include "runner/companion.h"
#include "runner/resident.h"

namespace {

void measure(const char* program) {
  std::string directory(program, std::strrchr(program, '/') - program + 1);
  byname::load(directory + "libbench_plugin.so");  // what is made once is no cost of a function
  int64_t before = bench::resident_bytes();
  byname::Module many = byname::load(directory + "libbench_many.so");
  int64_t grown = bench::resident_bytes() - before;
  bench::require(many.names().size() == bench::kManyFunctions, "the plugin registered another number of functions");
  double texts = static_cast<double>(std::strlen("many.") + bench::kManyNameSize - 1 + std::strlen(bench::kManyDoc));
  std::printf("%.1f\n", static_cast<double>(grown) / bench::kManyFunctions - texts);
}

}  // namespace

int main(int, char** argv) {
  try {
    measure(argv[0]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
