#include "function/signature_id.h"

#include <mutex>
#include <string>
#include <unordered_set>

#include "base/fork.h"

namespace byname::core {
namespace {

struct Ids {
  std::mutex mutex;  // guards names
  std::unordered_set<std::string> names;
};

// Never destroyed: modules may register while static destructors run.
Ids& ids() {
  static Ids* instance = [] {
    auto* made = new Ids();
    unlock_in_children(made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool is_made = (ids(), true);

}  // namespace

const void* signature_id(byname_signature& signature) {
  if (signature.id_parts == nullptr) return nullptr;
  const void* known = __atomic_load_n(&signature.id, __ATOMIC_ACQUIRE);
  if (known != nullptr) return known;
  std::string name;
  for (const char* const* part = signature.id_parts; *part != nullptr; ++part) name.append(*part).push_back('|');
  Ids& all = ids();
  std::lock_guard lock(all.mutex);
  const void* id = &*all.names.insert(std::move(name)).first;
  __atomic_store_n(&signature.id, id, __ATOMIC_RELEASE);
  return id;
}

}  // namespace byname::core
