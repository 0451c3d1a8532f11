// Prints the resident bytes that tvm-ffi needs for one registered function beyond its texts.
#include <cstdio>
#include <string>
#include <vector>

#include "register.h"
#include "runner/names.h"
#include "runner/resident.h"

int main() {
  std::vector<std::string> names = bench::names();
  int64_t texts = 0;
  for (const std::string& name : names) texts += static_cast<int64_t>(name.size() + peer::kDoc.size());
  peer::register_many({"first"});  // what is made once is no cost of a function
  int64_t before = bench::resident_bytes();
  peer::register_many(names);
  int64_t grown = bench::resident_bytes() - before;
  std::printf("%.1f\n", static_cast<double>(grown - texts) / bench::kNames);
}
