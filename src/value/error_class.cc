#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>
#include <vector>

#include "base/fork.h"
#include "byname/error.h"
#include "value/error_kind.h"

namespace byname::core {
namespace {

struct Classes {
  std::shared_mutex mutex;  // guards all
  std::vector<ErrorClass> all;
};

Classes& classes() {
  alignas(Classes) static char memory[sizeof(Classes)];
  static Classes* instance = ::new (memory) Classes();
  return *instance;
}
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(classes().mutex), true);

constinit std::atomic<bool> has_standard{false};

// One of these or a base of one.
bool is_of_standard_library(const std::type_info& type) {
  const std::type_info* const kLeaves[] = {&typeid(std::out_of_range),   &typeid(std::invalid_argument),
                                           &typeid(std::domain_error),   &typeid(std::length_error),
                                           &typeid(std::overflow_error), &typeid(std::range_error),
                                           &typeid(std::system_error),   &typeid(std::bad_alloc),
                                           &typeid(std::bad_cast),       &typeid(std::bad_variant_access)};
  return std::ranges::any_of(kLeaves, [&type](const std::type_info* leaf) { return is_base(type, *leaf); });
}

std::string describe_conflict(const byname_error_class& declared, std::string_view known) {
  std::string message = "an exception class stands for error kind '";
  message.append(known).append("' already, it cannot stand for '");
  return message.append(detail::from_c(declared.kind)).append("'");
}

}  // namespace

void register_error_class(const byname_error_class& declared) {
  register_error_kind(detail::from_c(declared.kind), detail::from_c(declared.parent));
  const auto* type = static_cast<const std::type_info*>(declared.type_info);
  std::string_view kind = stable_error_kind(detail::from_c(declared.kind));
  std::string conflict;
  {
    Classes& known = classes();
    std::unique_lock lock(known.mutex);
    for (const ErrorClass& other : known.all) {
      if (*other.type != *type) continue;
      // Another module's record of the class would go with that module.
      if (other.kind == kind && other.dso != declared.dso) continue;
      if (other.kind == kind) return;
      conflict = describe_conflict(declared, other.kind);
      break;
    }
    if (conflict.empty()) {
      known.all.push_back({type, kind, declared.describe, declared.dso});
    }
  }
  if (!conflict.empty()) throw Error("ValueError", conflict);
  if (is_of_standard_library(*type)) has_standard.store(true, std::memory_order_release);
}

bool standard_classes_are_registered() { return has_standard.load(std::memory_order_acquire); }

void remove_error_classes(uintptr_t begin, uintptr_t end) {
  Classes& known = classes();
  std::unique_lock lock(known.mutex);
  std::erase_if(known.all, [&](const ErrorClass& one) {
    auto place = reinterpret_cast<uintptr_t>(one.dso);
    return place >= begin && place < end;
  });
}

bool find_error_class(const std::type_info& thrown, void* object, ErrorClass& found, void*& as_class) {
  Classes& known = classes();
  std::shared_lock lock(known.mutex);
  bool any = false;
  for (const ErrorClass& one : known.all) {
    void* adjusted = object;
    if (!one.type->__do_catch(&thrown, &adjusted, 1)) continue;
    // Of two that fit, the one that derives from the other.
    if (any && !is_base(*found.type, *one.type)) continue;
    any = true;
    found = one;
    as_class = adjusted;
  }
  return any;
}

}  // namespace byname::core
