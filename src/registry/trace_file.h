// A file to which the processes that trace their calls write together.
#ifndef BYNAME_REGISTRY_TRACE_FILE_H_
#define BYNAME_REGISTRY_TRACE_FILE_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace byname::core {

// A JSON array with an event a line, whole after every write. Writers of several processes take turns by record locks;
// where there are no locks, each goes on as if alone. Threads take turns by a lock of the caller's. What fails says
// why, in a text that is empty otherwise; the file is then as before.
class TraceFile {
 public:
  TraceFile() = default;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile();

  // Begins the array anew unless another living process writes to it. Of `events`, here and below, each begins with
  // ",\n"; there is at least one; all are added or none; afterwards the text is another one.
  std::string open(const char* path, std::string& events);
  std::string append(std::string& events);

  // To be called in the child of a fork: tells processes that open the file that this one writes to it.
  void join() const;

 private:
  class Turn;
  std::string why_lost() const;
  bool has_other_writers() const;
  std::string write(std::string& events) const;
  bool has_at(off_t place, std::string_view text) const;  // of at most 16 bytes
  bool write_at(off_t place, std::string_view text) const;

  int file_ = -1;
  struct stat opened_ = {};
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_TRACE_FILE_H_
