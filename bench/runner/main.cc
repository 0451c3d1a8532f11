// bench_runner [--only REGEX] [--repeats N] [--sample-ms N] label=object.so ...
//
// Opens the objects, gathers their sides by row, measures row by row and prints one JSON line for each:
//     {"row": "cpp.lookup", "scaling": false, "sides": {"floor": {"samples": [33.1, ...]}, "tvm-ffi": {"error":
//     "..."}}}
// The process pins itself to the last CPU it may use.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include "measure.h"

namespace {

struct Row {
  std::string name;
  std::vector<bench::LabelledSide> sides;
};

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "bench_runner: %s\n", text.c_str());
  std::exit(2);
}

void gather(std::vector<Row>& rows, const std::string& label, const std::string& path) {
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) fail(dlerror());
  auto sides_of = reinterpret_cast<decltype(&bench_sides)>(dlsym(object, "bench_sides"));
  if (!sides_of) fail("'" + path + "' exports no bench_sides");
  size_t count = 0;
  const bench_side* sides = sides_of(&count);
  for (size_t i = 0; i < count; ++i) {
    Row* row = nullptr;
    for (Row& each : rows) {
      if (each.name == sides[i].row) row = &each;
    }
    if (!row) row = &rows.emplace_back(Row{sides[i].row, {}});
    row->sides.push_back({label, &sides[i], "", 0, {}});
  }
}

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void print(const Row& row) {
  std::printf("{\"row\": %s, \"scaling\": %s, \"sides\": {", json_text(row.name).c_str(),
              row.sides[0].side->kind == BENCH_THREADS ? "true" : "false");
  for (size_t i = 0; i < row.sides.size(); ++i) {
    const bench::LabelledSide& side = row.sides[i];
    std::printf("%s%s: ", i ? ", " : "", json_text(side.label).c_str());
    if (!side.error.empty()) {
      std::printf("{\"error\": %s}", json_text(side.error).c_str());
      continue;
    }
    std::printf("{\"samples\": [");
    for (size_t s = 0; s < side.samples.size(); ++s) std::printf("%s%.4f", s ? ", " : "", side.samples[s]);
    std::printf("]}");
  }
  std::printf("}}\n");
  std::fflush(stdout);
}

void pin_to_last(const cpu_set_t& allowed) {
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) last = cpu;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) fail("could not pin the process");
}

}  // namespace

int main(int argc, char** argv) {
  bench::Options options;
  if (sched_getaffinity(0, sizeof options.allowed, &options.allowed) != 0) fail("could not read the CPU affinity");
  pin_to_last(options.allowed);
  std::regex only("");
  std::vector<Row> rows;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--", 0) == 0) {
      if (i + 1 == argc) fail("'" + argument + "' expects a value");
      const char* value = argv[++i];
      if (argument == "--only")
        only = value;
      else if (argument == "--repeats")
        options.repeats = std::atoi(value);
      else if (argument == "--sample-ms")
        options.sample_seconds = std::atof(value) / 1000;
      else
        fail("unknown option '" + argument + "'");
      continue;
    }
    size_t equals = argument.find('=');
    if (equals == std::string::npos) fail("expected label=object.so, got '" + argument + "'");
    gather(rows, argument.substr(0, equals), argument.substr(equals + 1));
  }
  for (Row& row : rows) {
    if (!std::regex_search(row.name, only)) continue;
    bench::measure(row.sides, options);
    print(row);
  }
}
