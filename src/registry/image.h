// Shared objects as the loader has them: finding and opening their files, and what keeps them from being unmapped.
#ifndef BYNAME_REGISTRY_IMAGE_H_
#define BYNAME_REGISTRY_IMAGE_H_

#include <link.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace byname::core {

// A file in one state: what was written or replaced since is another one.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  bool operator==(const FileId&) const = default;
  bool is_same_place(const FileId& other) const { return device == other.device && inode == other.inode; }
};
// All zero if there is none.
FileId file_id(const std::string& path);

struct Extent {
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  bool operator==(const Extent&) const = default;
  bool contains(const void* address) const {
    auto at = reinterpret_cast<uintptr_t>(address);
    return begin <= at && at < end;
  }
};
// An object in memory, as the loader has it.
struct Image {
  std::string name;    // what it was opened by; empty for the executable
  uintptr_t base = 0;  // what is added to the addresses in the file
  Extent extent;
  const ElfW(Dyn) * dynamic = nullptr;
  bool operator==(const Image&) const = default;
};
// The one that an address lies in, or an empty one. Another thread may close it the next moment.
Image image_at(const void* address);
// That of a handle that the caller has, or an empty one of NULL.
Image image_of(const link_map* map);

// What has no slash is no path: the loader searches for it.
inline bool is_path(std::string_view text) { return text.find('/') != std::string_view::npos; }
// Absolute, so that it stands for the same file when the working directory is another one.
std::string absolute_path(const std::string& path);
// The absolute path of the file that was mapped.
std::string file_of(const Image& image);

// What to hand to open_image for a path; or for a name: where the directories of `search` ("a:b"), of BYNAME_PATH or of
// this library have it, or the name itself, which the loader searches for. Throws ValueError for what can be neither.
std::vector<std::string> candidates_of(std::string_view path, std::string_view search);

// The directories of "a:b", those of BYNAME_PATH, and the one that this library lies in.
std::vector<std::string> directories_of(std::string_view search);

// A reference of dlopen's. Giving it back may run destructors; forks wait for it, as for opening.
struct CloseImage {
  void operator()(void* handle) const;
};
using ImageHandle = std::unique_ptr<void, CloseImage>;

const link_map* map_of(const ImageHandle& handle);

// dlopen(file, RTLD_NOW | RTLD_LOCAL); or NULL, and *reason says why (open_failure.h). Runs constructors.
ImageHandle open_image(const std::string& file, std::string* reason);
// Of what the loader has under a path already, or NULL.
ImageHandle open_loaded(const std::string& path);
// An image that is loaded, kept from being unmapped, and the path that gives it. What its name gives may be another
// one, if the file was replaced since: then it is another spelling of the path, or nothing, and the handle is NULL.
struct OpenedImage {
  ImageHandle handle;
  std::string path;
};
OpenedImage open_loaded(const Image& image);

// A copy of a file under a path that was never used before, for what the loader would take for the image that it has.
// The copy goes with this object; an image that was opened from it stays.
class PrivateCopy {
 public:
  // Throws OSError.
  explicit PrivateCopy(const std::string& file);
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;
  ~PrivateCopy();
  const std::string& path() const { return path_; }

 private:
  PrivateCopy() = default;
  std::string directory_;  // empty: it is not made yet
  std::string path_;
};

// Throws ImportError if a second copy of this library is in the process, and names both files: what registers with the
// one is unknown to the other.
void check_single_runtime();

// Why the loader never unmaps an object, in words; empty if it does.
std::string why_permanent(const Image& image);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_IMAGE_H_
