#include "registry/attach.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "base/fork.h"
#include "byname/protect.h"
#include "function/overload.h"
#include "function/resolve.h"
#include "registry/library.h"
#include "registry/module.h"
#include "registry/module_value.h"
#include "registry/not_found.h"
#include "value/warning.h"

namespace byname::core {
namespace {

enum NodeState : int32_t {
  kWaiting = 0,  // for attach_waiting
  kAttaching,    // by attach_waiting
  kClaimed,      // by the load that brought it
  kLoading,      // by attach_module
  kAttached,
  kFailed,
  kDetached
};

// Constant-initialised and trivially destroyed: nodes come before and go after everything else.
constinit std::mutex nodes_mutex;  // guards first_node, num_links, states
constinit byname_library_node* first_node = nullptr;
constinit uint64_t num_links = 0;  // so far
__thread int loads_here __attribute__((tls_model("initial-exec"))) = 0;
__thread Unmapped* watching_here __attribute__((tls_model("initial-exec"))) = nullptr;

[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(nodes_mutex), true);

bool is_counted(int32_t state) { return state == kWaiting || state == kAttaching; }

// Under the mutex.
void set_state(byname_library_node* node, NodeState state) {
  num_waiting.fetch_add(static_cast<int>(is_counted(state)) - static_cast<int>(is_counted(node->state)));
  node->state = state;
}

void set_states(const std::vector<byname_library_node*>& nodes, NodeState state) {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node* node : nodes) set_state(node, state);
}

struct Located {
  byname_library_node* node;
  std::optional<byname_module*> module;  // see module_at
};
struct Location {
  std::vector<Located> nodes;
  uint64_t links;  // num_links then
};

// Nodes whose state is `wanted`, in the order in which they came, with their modules, which are pinned by that. The
// loader's own lock is below the mutex in threads that run constructors, so it is not taken under it.
template <class Wanted>
Location locate(Wanted wanted) {
  Location found;
  {
    std::lock_guard lock(nodes_mutex);
    found.links = num_links;
    for (byname_library_node* node = first_node; node != nullptr; node = node->next) {
      if (wanted(node->state)) found.nodes.push_back({node, nullptr});
    }
  }
  std::reverse(found.nodes.begin(), found.nodes.end());
  for (Located& located : found.nodes) located.module = module_at(located.node);
  std::erase_if(found.nodes, [](const Located& located) { return !located.module; });
  return found;
}

// Marks those of the module that are still there and wanted. What nothing pins may meanwhile have gone and come again,
// with another module: without one, none that came since could be told from those that were there.
template <class Wanted>
std::vector<byname_library_node*> take(const Location& location, const byname_module* module, Wanted wanted,
                                       NodeState state) {
  std::vector<byname_library_node*> taken;
  std::lock_guard lock(nodes_mutex);
  if (module == nullptr && location.links != num_links) return taken;
  for (const Located& one : location.nodes) {
    if (one.module != module) continue;
    byname_library_node* node = first_node;
    while (node != nullptr && node != one.node) node = node->next;
    if (node == nullptr || !wanted(node->state)) continue;
    set_state(node, state);
    taken.push_back(node);
  }
  return taken;
}

void check_version(const byname_library_node& node, std::string_view path) {
  if (node.abi_version == BYNAME_ABI_VERSION && node.struct_size >= sizeof(byname_library_node)) return;
  throw Error("ImportError", "'" + std::string(path) + "' was built for version " + std::to_string(node.abi_version) +
                                 " of Byname's interface, this is version " + std::to_string(BYNAME_ABI_VERSION) +
                                 " (rebuild it)");
}

// `a.b` or nothing: the names of a block are taken apart again at the last dot and at `::`.
void check_prefix(const byname_library_node& node) {
  std::string_view prefix = detail::from_c(node.prefix);
  bool is_good = prefix.find("::") == std::string_view::npos && prefix.find("..") == std::string_view::npos &&
                 (prefix.empty() || (prefix.front() != '.' && prefix.back() != '.'));
  if (is_good) return;
  throw Error("ValueError", "expected a namespace like 'a.b' for the block at " + std::string(node.file) + ":" +
                                std::to_string(node.line) + ", got '" + std::string(prefix) + "'");
}

// Whatever a block throws, as an Error.
void run_node(byname_library_node& node, byname_library& library) {
  check_prefix(node);
  library.prefix = detail::from_c(node.prefix);
  try {
    node.run(&library);
  } catch (const Error& error) {
    throw Error(error);  // it knows its place; the exception that was caught is the module's, which will be closed
  } catch (...) {
    byname_error_raise_current();
    Error error(byname_error_take());
    throw Error(error.kind(), "block '" + library.prefix + "' (" + node.file + ":" + std::to_string(node.line) +
                                  "): " + std::string(error.message()));
  }
}

// One batch for all blocks of one shared object. `module` may be NULL. `at` is the block whose turn it was.
void run_nodes(const std::vector<byname_library_node*>& nodes, byname_module* module, byname_library_node** at,
               Replacement* replacement = nullptr) {
  byname_library library{};
  library.module = module;
  library.replaced = replacement != nullptr ? replacement->old : nullptr;
  ModuleUse use(module);
  try {
    for (byname_library_node* node : nodes) {
      *at = node;
      check_version(*node, module == nullptr ? "the executable" : std::string_view(module->path));
      run_node(*node, library);
    }
    if (!nodes.empty()) *at = nodes.front();
    for (const Pending& pending : library.pending) resolve_classes(pending.function.get(), pending.name());
    if (module != nullptr) module->on_unload.reserve(module->on_unload.size() + library.on_unload.size());
    FactoryMap all_factories = factories_with(library.factories, module, library.replaced);
    std::optional<NoForks> no_forks;
    (replacement != nullptr ? replacement->no_forks : no_forks).emplace();
    if (module != nullptr) module->is_loaded = true;
    Registry::instance().commit(library.pending, module, library.claims, library.replaced,
                                replacement != nullptr ? &replacement->removed : nullptr);
    // Nothing fails from here on.
    set_factories(std::move(all_factories));
    set_states(nodes, kAttached);
    if (replacement != nullptr) hand_over_value(*replacement->old, *module);
    if (module != nullptr) {
      module->on_unload.insert(module->on_unload.end(), library.on_unload.begin(), library.on_unload.end());
      module->was_loaded = true;
    }
  } catch (...) {
    set_states(nodes, kFailed);
    if (module != nullptr) {
      module->is_loaded = false;
      module->on_unload = std::move(library.on_unload);  // for who attaches: what the blocks began is to end
    }
    throw;
  }
  for (const byname_library_node* node : nodes) forget_failed_block(detail::from_c(node->prefix));
}

std::string attach_or_say_why_not(const std::vector<byname_library_node*>& nodes, byname_module* module) {
  byname_library_node* at = nullptr;
  try {
    run_nodes(nodes, module, &at);
    return {};
  } catch (...) {
    byname_error_raise_current();
  }
  Error error(byname_error_take());
  for (const byname_library_node* node : nodes) note_failed_block(detail::from_c(node->prefix), error.message());
  std::string prefix(detail::from_c(at->prefix));
  if (module != nullptr) end_failed(*module);
  return "registering '" + prefix + "' failed: " + std::string(error.message());
}

// Runs all that wait; what failed, in words. Under the loader's lock.
std::vector<std::string> attach_all_waiting() {
  std::vector<std::string> failures;
  auto wanted = [](int32_t state) { return state == kWaiting; };
  for (auto location = locate(wanted); !location.nodes.empty(); location = locate(wanted)) {
    byname_module* module = *location.nodes.front().module;
    auto nodes = take(location, module, wanted, kAttaching);
    if (nodes.empty()) continue;
    std::string failure = attach_or_say_why_not(nodes, module);
    if (!failure.empty()) failures.push_back(std::move(failure));
  }
  return failures;
}

// What waiting blocks make of the overloads that are registered under a name.
FunctionRef renewed(const byname_function* overloads) {
  if (!are_waiting()) return FunctionRef();
  Entry* entry = Registry::instance().table().find(name_of(overloads));
  if (entry == nullptr || entry->cell() != overloads) return FunctionRef();
  attach_waiting(IfBusy::kLeave);  // a call waits for nobody: it may have a lock of a binding's
  detail::Protected protector(&entry->shared);
  byname_function* cell = protector.cell();
  if (cell == nullptr || cell == overloads || (cell->flags & BYNAME_OVERLOADS) == 0) return FunctionRef();
  byname_object_retain(&cell->header);
  return FunctionRef(cell);
}

[[maybe_unused]] const bool hook_is_set = (set_miss_hook(&renewed), true);

}  // namespace

constinit std::atomic<int> num_waiting{0};

LinksOfLoad::LinksOfLoad() { ++loads_here; }
LinksOfLoad::~LinksOfLoad() { --loads_here; }

void link_node(byname_library_node* node) noexcept {
  std::lock_guard lock(nodes_mutex);
  node->next = first_node;
  first_node = node;
  ++num_links;
  node->state = kClaimed;
  if (loads_here == 0) set_state(node, kWaiting);
}

void unlink_node(byname_library_node* node) noexcept {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node** place = &first_node; *place != nullptr; place = &(*place)->next) {
    if (*place != node) continue;
    *place = node->next;
    if (watching_here != nullptr) watching_here->note(node);
    set_state(node, kDetached);
    return;
  }
}

void warn_of(const std::vector<std::string>& failures) {
  for (const std::string& failure : failures) warn("RuntimeWarning", failure);
}

Unmapped::Unmapped() : outer_(watching_here) { watching_here = this; }
Unmapped::~Unmapped() { watching_here = outer_; }

bool Unmapped::has(const Extent& extent) const {
  return std::ranges::any_of(watched_, [&](const Watched& one) { return one.extent == extent && one.is_gone; });
}

void Unmapped::note(const byname_library_node* node) noexcept {
  for (Watched& one : watched_) one.is_gone = one.is_gone || one.extent.contains(node);
  if (outer_ != nullptr) outer_->note(node);
}

void attach_module(byname_module& module, Replacement* replacement) {
  // Those that failed or were unloaded before get another turn; those that run are further up this thread's stack.
  auto wanted = [](int32_t state) { return state != kAttached && state != kAttaching && state != kLoading; };
  byname_library_node* at = nullptr;
  auto nodes = take(locate(wanted), &module, wanted, kLoading);
  if (!module.is_loaded || !nodes.empty()) run_nodes(nodes, &module, &at, replacement);
}

std::vector<std::string> attach_brought(const byname_module& module) {
  if (loads_here > 0) return {};  // in a constructor of what is being opened, whose load sees to all
  auto wanted = [](int32_t state) { return state == kClaimed; };
  const Location brought = locate(wanted);
  for (const Located& located : brought.nodes) {
    if (*located.module != &module) take(brought, *located.module, wanted, kWaiting);
  }
  return attach_all_waiting();
}

std::vector<byname_library_node*> blocks_of(const byname_module& module) {
  std::vector<byname_library_node*> blocks;
  for (const Located& located : locate([](int32_t) { return true; }).nodes) {
    if (located.module == &module) blocks.push_back(located.node);
  }
  return blocks;
}

void detach_blocks(const std::vector<byname_library_node*>& blocks) { set_states(blocks, kDetached); }

void restart_blocks() {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node* node = first_node; node != nullptr; node = node->next) {
    if (node->state == kAttaching) set_state(node, kWaiting);
    if (node->state == kLoading) set_state(node, kClaimed);
  }
}

void attach_waiting_blocks(IfBusy if_busy) {
  std::vector<std::string> failures;
  {
    LoaderLock lock = if_busy == IfBusy::kWait ? LoaderLock() : LoaderLock(std::try_to_lock);
    if (!lock.has_turn()) return;
    failures = attach_all_waiting();
  }
  Registry::instance().settle();
  warn_of(failures);
}

}  // namespace byname::core
