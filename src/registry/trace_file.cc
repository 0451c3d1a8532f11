#include "registry/trace_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/cancel.h"

namespace byname::core {
namespace {

constexpr std::string_view kHead = "[\n{\"ph\":";
// What is added begins where this did, and ends with it.
constexpr std::string_view kTail = "\n]\n";

// The bytes that are locked: by who has its turn, and by every writer, as a reader, as long as its process lives. The
// locks are the process's own, while children of a fork would share those of flock. Whether there are writers is asked
// during a turn: of processes that begin at once, one begins the file.
constexpr off_t kTurn = 0;
constexpr off_t kWriters = 1;

struct flock record(short type, off_t byte) { return {type, SEEK_SET, byte, 1, 0}; }

void lock(int file, short type, off_t byte) {
  struct flock wanted = record(type, byte);
  // The kernel suspects a deadlock where two processes wait for each other, even if other threads of theirs go on.
  while (fcntl(file, F_SETLKW, &wanted) != 0 && (errno == EINTR || errno == EDEADLK)) {
  }
}

std::string reason(int error = errno) { return std::generic_category().message(error); }

}  // namespace

// A thread that is cancelled keeps it to the end: events are added by a destructor.
class TraceFile::Turn {
 public:
  explicit Turn(int file) : file_(file) { lock(file_, F_WRLCK, kTurn); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { lock(file_, F_UNLCK, kTurn); }

 private:
  NoCancel no_cancel_;
  const int file_;
};

TraceFile::~TraceFile() {
  if (file_ >= 0) close(file_);
}

std::string TraceFile::open(const char* path, std::string& events) {
  // Before it is opened, which may have effects.
  if (stat(path, &opened_) == 0 && !S_ISREG(opened_.st_mode)) return "not a regular file";
  file_ = ::open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file_ >= 0 && file_ <= STDERR_FILENO) {  // a standard stream that is closed: others write to it
    int low = std::exchange(file_, fcntl(file_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    close(low);
  }
  if (file_ < 0 || fstat(file_, &opened_) != 0) return reason();
  Turn turn(file_);
  if (lseek(file_, 0, SEEK_END) > 0 && !has_at(0, kHead)) return "it is no trace";
  if (!has_other_writers() && ftruncate(file_, 0) != 0) return reason();
  return write(events);
}

std::string TraceFile::append(std::string& events) {
  if (std::string why = why_lost(); !why.empty()) return why;
  Turn turn(file_);
  if (!has_at(0, kHead)) return "it is no trace any more";
  return write(events);
}

void TraceFile::join() const {
  if (why_lost().empty()) lock(file_, F_RDLCK, kWriters);
}

// A program may close all descriptors and open others.
std::string TraceFile::why_lost() const {
  struct stat now = {};
  const bool is_mine = fstat(file_, &now) == 0 && now.st_dev == opened_.st_dev && now.st_ino == opened_.st_ino;
  if (!is_mine) return "its descriptor was closed";
  return now.st_nlink == 0 ? "it was removed" : "";
}

bool TraceFile::has_other_writers() const {
  struct flock other = record(F_WRLCK, kWriters);
  return fcntl(file_, F_GETLK, &other) == 0 && other.l_type != F_UNLCK;
}

// During a turn.
std::string TraceFile::write(std::string& events) const {
  join();  // once more: whoever closes another descriptor of the file drops the process's locks
  off_t size = lseek(file_, 0, SEEK_END);
  off_t begin = size == 0 ? 0 : size - static_cast<off_t>(kTail.size());
  if (size == 0) {
    events.front() = '[';
  } else if (!has_at(begin, kTail)) {
    return "it is no trace any more";
  }
  events += kTail;
  // Who passes the limit gets a signal that ends the process.
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && static_cast<rlim_t>(begin) + events.size() > limit.rlim_cur) {
    return reason(EFBIG);
  }
  if (write_at(begin, events)) return {};
  std::string why = reason();
  if (ftruncate(file_, size) == 0 && size > 0) write_at(begin, kTail);
  return why;
}

bool TraceFile::has_at(off_t place, std::string_view text) const {
  char found[16];
  return place >= 0 && pread(file_, found, text.size(), place) == static_cast<ssize_t>(text.size()) &&
         std::string_view(found, text.size()) == text;
}

bool TraceFile::write_at(off_t place, std::string_view text) const {
  while (!text.empty()) {
    ssize_t written = pwrite(file_, text.data(), text.size(), place);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
    place += written;
  }
  return true;
}

}  // namespace byname::core
