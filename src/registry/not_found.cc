#include "registry/not_found.h"

#include <mutex>

#include "base/fork.h"
#include "base/near.h"
#include "byname/error.h"

namespace byname::core {
namespace {

constexpr size_t kMaxFailures = 16;

struct Failure {
  std::string prefix;
  std::string why;
};
struct Failures {
  std::mutex mutex;  // guards list
  std::vector<Failure> list;
};
Failures& failures() {
  static Failures* instance = [] {
    auto* made = new Failures();
    unlock_in_children(made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool is_made = (failures(), true);

std::string_view space_of(std::string_view name) {
  size_t end = name.find("::");
  if (end == std::string_view::npos) end = name.rfind('.');
  return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

bool is_in(std::string_view name, std::string_view space) {
  return name.size() > space.size() && name.substr(0, space.size()) == space &&
         (name[space.size()] == '.' || name[space.size()] == ':');
}

std::string failure_words(std::string_view space) {
  std::lock_guard lock(failures().mutex);
  for (const Failure& failure : failures().list) {
    if (failure.prefix == space || is_in(space, failure.prefix))
      return "; registering '" + failure.prefix + "' failed: " + failure.why;
  }
  return {};
}

}  // namespace

void note_failed_block(std::string_view prefix, std::string_view why) {
  std::lock_guard lock(failures().mutex);
  auto& list = failures().list;
  if (list.size() == kMaxFailures) list.erase(list.begin());
  list.push_back({std::string(prefix), std::string(why)});
}

void forget_failed_block(std::string_view prefix) {
  std::lock_guard lock(failures().mutex);
  std::erase_if(failures().list, [prefix](const Failure& failure) { return failure.prefix == prefix; });
}

void throw_not_found(const NameTable& table, std::string_view name) {
  std::string_view space = space_of(name);
  NearNames near(name);
  bool space_is_empty = !space.empty();
  table.for_each([&](const Entry* entry) {
    if (entry->cell() == nullptr) return;
    near.consider(entry->name());
    if (is_in(entry->name(), space)) space_is_empty = false;
  });
  std::string text = "nothing is registered under the name '" + std::string(name) + "'" + failure_words(space);
  std::string hint = near.hint();
  if (hint.empty() && space_is_empty) {
    hint = " (nothing is registered under '" + std::string(space) + ".'; is its library loaded, and linked whole?)";
  }
  throw Error("NotFound", text + hint);
}

}  // namespace byname::core
