#include "registry/open_failure.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "base/near.h"
#include "registry/image.h"

namespace byname::core {
namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#else
#error "tell the ELF machine of this architecture"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr unsigned char kByteOrder = ELFDATA2LSB;
#else
constexpr unsigned char kByteOrder = ELFDATA2MSB;
#endif

// What an ELF file is for, by the part of its header that is alike in all.
struct Platform {
  unsigned char width = ELFCLASS64;
  unsigned char byte_order = kByteOrder;
  uint16_t machine = kMachine;
  bool operator==(const Platform&) const = default;
};

std::string name_of(const Platform& platform) {
  constexpr std::pair<uint16_t, std::string_view> kNames[] = {
      {EM_386, "x86"},     {EM_X86_64, "x86-64"}, {EM_ARM, "arm"},   {EM_AARCH64, "aarch64"},
      {EM_RISCV, "riscv"}, {EM_PPC64, "ppc64"},   {EM_S390, "s390"}, {EM_LOONGARCH, "loongarch"},
  };
  const auto* known = std::ranges::find(kNames, platform.machine, &std::pair<uint16_t, std::string_view>::first);
  std::string name =
      known != std::end(kNames) ? std::string(known->second) : "machine " + std::to_string(platform.machine);
  if (platform.width != ELFCLASS64) name += " of 32 bits";
  if (platform.byte_order != kByteOrder)
    name += platform.byte_order == ELFDATA2MSB ? ", big-endian" : ", little-endian";
  return name;
}

bool is_about_missing(std::string_view reason) {
  return reason == ": cannot open shared object file: No such file or directory";
}

// What a library is called where it is searched by name: "x" of libx.so.
std::string name_of_library(const std::filesystem::path& file) {
  std::string name = file.filename().native();
  name.resize(name.find(".so"));
  return name.starts_with("lib") ? name.substr(3) : name;
}

template <class Visit>
void for_each_library(const std::filesystem::path& directory, Visit visit) {
  std::error_code none;
  std::filesystem::directory_iterator entry(directory, none);
  for (; !none && entry != std::filesystem::directory_iterator(); entry.increment(none)) {
    if (entry->path().filename().native().find(".so") != std::string::npos) visit(entry->path());
  }
}

std::string hint_for_missing(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::filesystem::path directory = file.parent_path();
  if (std::filesystem::is_symlink(file, unknown)) {
    return " (it is a link to '" + std::filesystem::read_symlink(file, unknown).native() + "', which is not there)";
  }
  if (!std::filesystem::is_directory(directory, unknown)) return " ('" + directory.native() + "' is no directory)";
  NearNames near(file.native());
  std::vector<std::string> others;
  for_each_library(directory, [&](const std::filesystem::path& other) {
    near.consider(other.native());
    others.push_back(other.filename().native());
  });
  if (std::string hint = near.hint(); !hint.empty()) return hint;
  if (others.empty()) return " (there is no library in '" + directory.native() + "')";
  std::ranges::sort(others);
  constexpr size_t kMaxOthers = 5;  // that are told
  std::string list;
  for (size_t i = 0; i < std::min(others.size(), kMaxOthers); ++i) list += (i == 0 ? "" : ", ") + others[i];
  if (others.size() > kMaxOthers) list += " and " + std::to_string(others.size() - kMaxOthers) + " more";
  return " (what is there: " + list + ")";
}

}  // namespace

std::string what_is_wrong(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  const auto length = static_cast<size_t>(file.gcount());
  if (length < offsetof(ElfW(Ehdr), e_version) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  Platform platform{header.e_ident[EI_CLASS], header.e_ident[EI_DATA], header.e_machine};
  if (platform.byte_order != kByteOrder) platform.machine = __builtin_bswap16(platform.machine);
  if (platform != Platform()) {
    const std::string here = name_of(Platform());
    return "built for " + name_of(platform) + ", this process is " + here + " (build it for " + here + ")";
  }
  if (length < sizeof header || header.e_phentsize != sizeof(ElfW(Phdr))) return {};
  std::error_code unknown;
  uint64_t size = std::filesystem::file_size(path, unknown);
  for (uint64_t i = 0; !unknown && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    file.clear();
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof segment));
    bool is_there = static_cast<bool>(file.read(reinterpret_cast<char*>(&segment), sizeof segment));
    if (is_there && (segment.p_type != PT_LOAD || segment.p_filesz <= size - std::min(size, segment.p_offset)))
      continue;
    return "cut off: a part of it would lie beyond its " + std::to_string(size) + " bytes (copy or build it again)";
  }
  return {};
}

bool is_missing(std::string_view file, std::string_view reason) {
  return reason.starts_with(file) && is_about_missing(reason.substr(file.size()));
}

std::string hint_for(const std::string& file, std::string_view reason) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  if (size_t at = reason.find(kUndefined); at != std::string_view::npos) {
    std::string_view rest = reason.substr(at + kUndefined.size());
    std::string symbol(rest.substr(0, rest.find(',')));
    if (symbol.starts_with("byname_")) return " (link the module with libbyname)";
    std::string name = demangled(symbol.c_str());
    return " (" + (name == symbol ? "" : name + "; ") + "link the module with the library that defines it)";
  }
  if (is_missing(file, reason)) return is_path(file) ? hint_for_missing(file) : std::string();
  if (size_t colon = reason.find(": "); colon != std::string_view::npos && is_about_missing(reason.substr(colon))) {
    return " ('" + std::string(reason.substr(0, colon)) +
           "' is a library that it needs: its RUNPATH, LD_LIBRARY_PATH " + "and the system's directories are searched)";
  }
  constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"' not found (required by ", " (it was built with a newer version of that library)"},
      {"invalid ELF header", " (it is no shared library)"},
      {"file too short", " (it is no whole shared library)"},
      {"only ET_DYN and ET_EXEC can be loaded", " (it is an object file: link it with -shared)"},
      {"cannot dynamically load", " (it is a program: link it with -shared)"},
  };
  for (const auto& [words, hint] : kHints) {
    if (reason.find(words) != std::string_view::npos) return std::string(hint);
  }
  return {};
}

std::string hint_for_name(std::string_view name, std::string_view search) {
  NearNames near(name);
  for (const std::string& directory : directories_of(search)) {
    for_each_library(directory, [&](const std::filesystem::path& file) {
      if (std::string other = name_of_library(file); other != name) near.consider(other);
    });
  }
  std::string hint = near.hint();
  return hint.empty()
             ? " (a name is searched on BYNAME_PATH, beside Byname's library and on the loader's path; give a path)"
             : hint;
}

}  // namespace byname::core
