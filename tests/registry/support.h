// What tests of the registry share.
#ifndef BYNAME_TESTS_REGISTRY_SUPPORT_H_
#define BYNAME_TESTS_REGISTRY_SUPPORT_H_

#include <mutex>
#include <string>
#include <vector>

#include "../error_of.h"
#include "byname/byname.h"

namespace byname {

// Collects warnings, as "Kind: message", while it lives.
class Warnings {
 public:
  Warnings() {
    byname_warning_handler handler = {
        [](void* context, byname_str kind, byname_str message) {
          auto* self = static_cast<Warnings*>(context);
          std::lock_guard lock(self->mutex_);
          self->texts_.push_back(std::string(kind.data, kind.size) + ": " + std::string(message.data, message.size));
        },
        this};
    byname_warning_handler_set(handler, &old_);
  }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  ~Warnings() { byname_warning_handler_set(old_, nullptr); }
  std::vector<std::string> texts() const {
    std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  byname_warning_handler old_{};
  mutable std::mutex mutex_;  // guards texts_
  std::vector<std::string> texts_;
};

// So that the executable's own blocks do not share the fate of one that comes at run time.
inline void attach_executable() { [[maybe_unused]] static const int status = byname_attach(); }

// A registration block that comes at run time, and goes. `Run` has no state.
template <class Run>
class Block {
 public:
  Block(const char* prefix, Run)
      : node_{sizeof(byname_library_node),
              BYNAME_ABI_VERSION,
              detail::to_c(prefix),
              "block.cc",
              1,
              0,
              &run,
              &detail::this_dso,
              nullptr} {
    attach_executable();
    byname_library_link(&node_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { byname_library_unlink(&node_); }

 private:
  static void run(byname_library* raw) {
    Library library(raw);
    Run()(library);
  }
  byname_library_node node_;
};

}  // namespace byname

#endif  // BYNAME_TESTS_REGISTRY_SUPPORT_H_
