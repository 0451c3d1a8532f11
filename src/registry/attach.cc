#include "registry/attach.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "function/resolve.h"
#include "registry/library.h"
#include "registry/module.h"
#include "registry/not_found.h"

namespace byname::core {
namespace {

enum NodeState : int32_t { kWaiting = 0, kRunning, kAttached, kFailed, kDetached };

// Constant-initialised and trivially destroyed: nodes come before and go after everything else.
constinit std::mutex nodes_mutex;  // guards first_node, states
constinit byname_library_node* first_node = nullptr;
constinit std::atomic<bool> some_wait{false};

template <class Wanted>
std::vector<byname_library_node*> take(Wanted wanted) {
  std::vector<byname_library_node*> taken;
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node* node = first_node; node != nullptr; node = node->next) {
    if (!wanted(node)) continue;
    node->state = kRunning;
    taken.push_back(node);
  }
  std::reverse(taken.begin(), taken.end());  // first linked, first run
  return taken;
}

void set_states(const std::vector<byname_library_node*>& nodes, NodeState state) {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node* node : nodes) node->state = state;
}

void check_version(const byname_library_node& node, std::string_view path) {
  if (node.abi_version == BYNAME_ABI_VERSION && node.struct_size >= sizeof(byname_library_node)) return;
  throw Error("ImportError", "'" + std::string(path) + "' was built for version " + std::to_string(node.abi_version) +
                                 " of Byname's interface, this is version " + std::to_string(BYNAME_ABI_VERSION) +
                                 " (rebuild it)");
}

// Whatever a block throws, as an Error.
void run_node(byname_library_node& node, byname_library& library) {
  library.prefix = detail::from_c(node.prefix);
  try {
    node.run(&library);
  } catch (...) {
    byname_error_raise_current();
    detail::throw_raised();
  }
}

// One batch for all blocks of one shared object. `module` may be NULL.
void run_nodes(const std::vector<byname_library_node*>& nodes, byname_module* module) {
  byname_library library{};
  library.module = module;
  try {
    for (byname_library_node* node : nodes) {
      check_version(*node, module == nullptr ? "the executable" : std::string_view(module->path));
      run_node(*node, library);
    }
    for (const Pending& pending : library.pending) resolve_classes(pending.function.get(), pending.name);
    if (module != nullptr) module->is_loaded = true;
    Registry::instance().commit(library.pending, module);
  } catch (...) {
    set_states(nodes, kFailed);
    Registry::instance().disown(module);
    if (module != nullptr) module->is_loaded = false;
    throw;
  }
  if (module != nullptr) {
    module->on_unload.insert(module->on_unload.end(), library.on_unload.begin(), library.on_unload.end());
  }
  set_states(nodes, kAttached);
}

}  // namespace

void link_node(byname_library_node* node) noexcept {
  std::lock_guard lock(nodes_mutex);
  node->next = first_node;
  first_node = node;
  some_wait.store(true, std::memory_order_release);
}

void unlink_node(byname_library_node* node) noexcept {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node** place = &first_node; *place != nullptr; place = &(*place)->next) {
    if (*place != node) continue;
    *place = node->next;
    return;
  }
}

void attach_module(byname_module& module) {
  // Those that failed or were unloaded before get another turn; those that run are further up this thread's stack.
  run_nodes(take([&module](const byname_library_node* node) {
              return node->state != kAttached && node->state != kRunning && module_at(node) == &module;
            }),
            &module);
  module.is_loaded = true;
}

void detach_module(const byname_module& module) {
  std::lock_guard lock(nodes_mutex);
  for (byname_library_node* node = first_node; node != nullptr; node = node->next) {
    if (module_at(node) == &module) node->state = kDetached;
  }
}

void attach_waiting() {
  if (!some_wait.load(std::memory_order_relaxed)) return;
  LoaderLock lock;
  if (!some_wait.exchange(false, std::memory_order_acquire)) return;
  auto nodes = take([](const byname_library_node* node) { return node->state == kWaiting; });
  while (!nodes.empty()) {
    byname_module* module = module_at(nodes.front());
    auto others = std::stable_partition(nodes.begin(), nodes.end(),
                                        [module](const byname_library_node* n) { return module_at(n) == module; });
    std::vector<byname_library_node*> own(nodes.begin(), others);
    nodes.erase(nodes.begin(), others);
    try {
      run_nodes(own, module);
    } catch (const Error& error) {
      for (const byname_library_node* node : own) note_failed_block(detail::from_c(node->prefix), error.what());
      byname_warn({"ImportWarning", 13}, detail::to_c("registering '" + std::string(detail::from_c(own[0]->prefix)) +
                                                      "' failed: " + error.what()));
    }
  }
}

}  // namespace byname::core
