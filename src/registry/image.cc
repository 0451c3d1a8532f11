#include "registry/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/demangle.h"
#include "base/fork.h"
#include "byname/error.h"
#include "registry/open_failure.h"

// How one runtime knows another. An ordinary note: every linker keeps it, in every way of linking.
__asm__(
    ".pushsection .note.byname, \"a\", %note\n"
    ".balign 4\n"
    ".long 7, 0, 1\n"
    ".asciz \"Byname\"\n"
    ".balign 4\n"
    ".popsection\n");

namespace byname::core {
namespace {

constexpr std::string_view kNote("Byname\0", 7);

// Zero if there is none.
mode_t type_of_file(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & mode_t{S_IFMT} : mode_t{0};
}

// The dynamic section's entries, until one that `visit` wants to stop at.
template <class Visit>
void for_each_dynamic(const ElfW(Dyn) * dynamic, Visit visit) {
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry) visit(*entry);
}

// What a dynamic section says of symbols. Nothing of it is believed: the loader did not need to read it all.
class Symbols {
 public:
  explicit Symbols(const Image& image) : image_(image) {
    for_each_dynamic(image.dynamic, [&](const ElfW(Dyn) & entry) {
      if (entry.d_tag == DT_SYMTAB) symbols_ = place_of(entry);
      if (entry.d_tag == DT_STRTAB) names_ = place_of(entry);
      if (entry.d_tag == DT_GNU_HASH) hash_ = place_of(entry);
    });
  }
  // The first that is unique in the process, or an empty text.
  std::string unique() const {
    const size_t first = word(1);
    for (size_t i = first, count = this->count(); i < count; ++i) {
      ElfW(Sym) symbol{};
      if (!read(symbols_ + i * sizeof symbol, symbol)) break;
      if (symbol.st_info >> 4 == STB_GNU_UNIQUE && symbol.st_shndx != SHN_UNDEF) return name_at(symbol.st_name);
    }
    return {};
  }

 private:
  // glibc has added the object's address, unless the section is read-only.
  uintptr_t place_of(const ElfW(Dyn) & entry) const {
    const uintptr_t place = entry.d_un.d_ptr;
    return image_.extent.contains(reinterpret_cast<const void*>(place)) ? place : image_.base + place;
  }
  template <class T>
  bool read(uintptr_t place, T& out) const {
    const auto& [begin, end] = image_.extent;
    if (place == 0 || place < begin || place > end || end - place < sizeof out) return false;
    std::memcpy(&out, reinterpret_cast<const void*>(place), sizeof out);
    return true;
  }
  uint32_t word(size_t index) const {
    uint32_t value = 0;
    read(hash_ + index * sizeof value, value);
    return value;
  }
  // A table of hashes knows no count: the last of the longest chain tells.
  size_t count() const {
    const size_t num_buckets = word(0);
    const size_t first = word(1);
    const size_t buckets = 4 + size_t{word(2)} * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    size_t last = 0;
    for (size_t i = 0; i < num_buckets; ++i) last = std::max(last, size_t{word(buckets + i)});
    if (last < first) return first;
    const size_t chains = buckets + num_buckets - first;
    const size_t end = (image_.extent.end - hash_) / sizeof(uint32_t);
    while (chains + last < end && (word(chains + last) & 1) == 0) ++last;
    return last + 1;
  }
  std::string name_at(size_t offset) const {
    std::string name;
    for (char c = 0; read(names_ + offset + name.size(), c) && c != '\0';) name += c;
    return demangled(name.c_str());
  }

  const Image& image_;
  uintptr_t symbols_ = 0;
  uintptr_t names_ = 0;
  uintptr_t hash_ = 0;
};

bool has_note(const char* notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    auto padded = [](size_t length) { return (length + 3) & ~size_t{3}; };
    size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (sizeof note + note.n_namesz > size) return false;
    if (std::string_view(notes + sizeof note, note.n_namesz) == kNote) return true;
    if (whole >= size) return false;
    notes += whole;
    size -= whole;
  }
  return false;
}

// The loader's records change under a lock of its own, of which ThreadSanitizer knows nothing: what is read of them is
// read unseen by it, volatile so that no library function that it watches does. Whoever reads holds that lock or a
// handle of the object.
__attribute__((no_sanitize("thread"))) std::string name_in(const dl_phdr_info& info) {
  const volatile char* end = info.dlpi_name;
  while (*end != '\0') ++end;
  return {info.dlpi_name, const_cast<const char*>(end)};
}

__attribute__((no_sanitize("thread"))) const void* place_in(const link_map* map) { return map->l_ld; }

// Whether all of a segment is mapped from its file, which a damaged one's headers may only say.
bool is_loaded(const dl_phdr_info& info, const ElfW(Phdr) & segment) {
  return std::any_of(info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum, [&](const ElfW(Phdr) & load) {
    return load.p_type == PT_LOAD && segment.p_vaddr >= load.p_vaddr && segment.p_memsz <= load.p_filesz &&
           segment.p_vaddr - load.p_vaddr <= load.p_filesz - segment.p_memsz;
  });
}

// Ends the walk, by 1, if there is no memory: an exception would go through the loader, which knows none.
int add_runtime(dl_phdr_info* info, size_t, void* context) noexcept try {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || !is_loaded(*info, segment)) continue;
    if (!has_note(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz)) continue;
    static_cast<std::vector<std::string>*>(context)->push_back(name_in(*info));
    return 0;
  }
  return 0;
} catch (const std::bad_alloc&) {
  return 1;
}

struct Search {
  uintptr_t address;
  Image found;
  bool has_memory;
};

// Copies what is wanted while the loader's lock is held. As above it throws nothing.
int find_image(dl_phdr_info* info, size_t, void* context) noexcept {
  auto& search = *static_cast<Search*>(context);
  Image image;
  image.base = info->dlpi_addr;
  bool is_inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) image.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (segment.p_type != PT_LOAD) continue;
    is_inside = is_inside || search.address - begin < segment.p_memsz;
    image.extent.begin = std::min(image.extent.begin, begin);
    image.extent.end = std::max(image.extent.end, begin + segment.p_memsz);
  }
  if (!is_inside) return 0;
  try {
    image.name = name_in(*info);
    search.found = std::move(image);
  } catch (const std::bad_alloc&) {
    search.has_memory = false;
  }
  return 1;
}

}  // namespace

void check_single_runtime() {
  std::vector<std::string> files;
  {
    NoForks no_forks;
    if (dl_iterate_phdr(&add_runtime, &files) != 0) throw std::bad_alloc();
  }
  if (files.size() < 2) return;
  std::string text;
  for (std::string& file : files) {
    std::error_code unknown;
    if (file.empty()) file = std::filesystem::read_symlink("/proc/self/exe", unknown).native();
    text += (text.empty() ? "'" : " and '") + file + "'";
  }
  throw Error("ImportError", "several copies of Byname's runtime are in this process: " + text +
                                 " (link everything with one shared libbyname)");
}

FileId file_id(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

const link_map* map_of(const ImageHandle& handle) {
  link_map* map = nullptr;
  dlinfo(handle.get(), RTLD_DI_LINKMAP, &map);
  return map;
}

Image image_at(const void* address) {
  Search search{reinterpret_cast<uintptr_t>(address), {}, true};
  NoForks no_forks;  // nothing else would unlock in the child what this locks
  dl_iterate_phdr(&find_image, &search);
  if (!search.has_memory) throw std::bad_alloc();
  return std::move(search.found);
}

Image image_of(const link_map* map) { return map == nullptr ? Image() : image_at(place_in(map)); }

std::string absolute_path(const std::string& path) {
  std::error_code unknown;
  std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
  if (unknown) return path;
  // Behind a link, `..` is another directory than the text says.
  const bool goes_up = std::ranges::find(absolute, "..") != absolute.end();
  std::filesystem::path parent = goes_up ? std::filesystem::canonical(absolute.parent_path(), unknown) : "";
  if (goes_up && !unknown) absolute = parent / absolute.filename();
  return absolute.lexically_normal().native();
}

std::string file_of(const Image& image) {
  if (!image.name.starts_with('/')) {  // the working directory may have been another one
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0;
      unsigned long end = 0;
      auto at = reinterpret_cast<unsigned long>(image.dynamic);
      if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || at < begin || at >= end) continue;
      if (size_t path = line.find('/'); path != std::string::npos) return line.substr(path);
    }
  }
  return absolute_path(image.name);
}

std::vector<std::string> directories_of(std::string_view search) {
  std::vector<std::string> found;
  const char* variable = secure_getenv("BYNAME_PATH");
  for (std::string_view rest : {search, std::string_view(variable == nullptr ? "" : variable)}) {
    while (!rest.empty()) {
      std::string_view directory = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), directory.size() + 1));
      if (!directory.empty()) found.emplace_back(directory);
    }
  }
  const Image here = image_at(reinterpret_cast<const void*>(&byname_version));
  if (!here.name.empty()) found.push_back(std::filesystem::path(file_of(here)).parent_path().native());
  return found;
}

std::vector<std::string> candidates_of(std::string_view path, std::string_view search) {
  std::string name(path);
  if (name.find('\0') != std::string::npos) {
    throw Error("ValueError", "expected a path without NUL, got '" + name + "'");
  }
  if (name.empty()) throw Error("ValueError", "expected a path or name of a module, got an empty text");
  // The loader takes a relative path for what it had under that in another working directory.
  auto absolute = [](std::string_view file) {
    while (file.starts_with("./") && file.size() > 2) file.remove_prefix(2);
    std::error_code unknown;
    std::filesystem::path whole = std::filesystem::absolute(file, unknown);
    return unknown ? std::string(file) : whole.native();
  };
  if (is_path(name)) return {absolute(name)};
  const std::array<std::string, 3> names = {name, "lib" + name + ".so", name + ".so"};
  for (const std::string& directory : directories_of(search)) {
    for (const std::string& one : names) {
      std::string file = absolute(directory + "/" + one);
      if (mode_t type = type_of_file(file); type != 0 && type != S_IFDIR) return {file};
    }
  }
  return {names.begin(), names.end()};
}

void CloseImage::operator()(void* handle) const {
  NoForks no_forks;
  dlclose(handle);
}

ImageHandle open_image(const std::string& file, std::string* reason) {
  if (is_path(file)) {
    if (mode_t type = type_of_file(file); type != 0 && type != S_IFREG) {  // to read a pipe would wait for its writer
      *reason = file + ": not a regular file";
      return nullptr;
    }
    if (std::string wrong = what_is_wrong(file); !wrong.empty()) {
      *reason = file + ": " + wrong;
      return nullptr;
    }
  }
  NoForks no_forks;
  dlerror();
  ImageHandle handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (handle != nullptr) return handle;
  const char* words = dlerror();
  *reason = words == nullptr ? "an unknown reason" : words;
  return nullptr;
}

ImageHandle open_loaded(const std::string& path) {
  NoForks no_forks;
  return ImageHandle(dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD));
}

OpenedImage open_loaded(const Image& image) {
  std::string path = image.name;
  const size_t slash = path.rfind('/');
  for (int i = 0; i < 4; ++i) {
    ImageHandle handle = open_loaded(path);
    if (handle != nullptr && place_in(map_of(handle)) == image.dynamic) return {std::move(handle), std::move(path)};
    if (slash == std::string::npos) break;
    path.insert(slash, "/.");
  }
  return {nullptr, image.name};
}

// What it has made so far goes with it if the rest fails.
PrivateCopy::PrivateCopy(const std::string& file) : PrivateCopy() {
  std::error_code error;
  std::string directory = (std::filesystem::temp_directory_path(error) / "byname-XXXXXX").native();
  path_ = directory + "/" + std::filesystem::path(file).filename().native();
  if (!error && mkdtemp(directory.data()) == nullptr) error = {errno, std::generic_category()};
  if (!error) {
    path_.replace(0, directory.size(), directory);
    directory_ = std::move(directory);
    if (std::filesystem::copy_file(file, path_, error)) return;
  }
  throw Error("OSError", "cannot copy '" + file + "' to the directory for temporary files: " + error.message());
}

PrivateCopy::~PrivateCopy() {
  if (directory_.empty()) return;
  std::remove(path_.c_str());
  rmdir(directory_.c_str());
}

std::string why_permanent(const Image& image) {
  bool is_kept = false;
  for_each_dynamic(image.dynamic, [&](const ElfW(Dyn) & entry) {
    is_kept = is_kept || (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_NODELETE) != 0);
  });
  if (is_kept) return "the loader, because it was linked with -z nodelete";
  std::string symbol = Symbols(image).unique();
  if (symbol.empty()) return {};
  return "the loader, because of the unique symbol '" + symbol + "' (build it with -fno-gnu-unique)";
}

}  // namespace byname::core
