// Resident memory of this process.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

namespace bench {

// In bytes. Not from /proc/self/statm, whose counters lag behind by up to 64 pages per CPU.
inline int64_t resident_bytes() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string word; rollup >> word;) {
    int64_t kilobytes = 0;
    if (word == "Rss:" && rollup >> kilobytes) return kilobytes * 1024;
  }
  throw std::runtime_error("/proc/self/smaps_rollup has no line 'Rss:'");
}

}  // namespace bench
