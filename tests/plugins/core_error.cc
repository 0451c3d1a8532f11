// An exception class of its own, which stands for a kind.
#include <byname/byname.h>
#include <byname/error_kind.h>

#include <string>

namespace {

class CoreError : public std::exception {
 public:
  explicit CoreError(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace

BYNAME_LIBRARY("core.error", lib) {
  byname::register_error<CoreError>("core.Error", "ValueError");
  lib.def("fail", [](std::string_view text) { throw CoreError(std::string(text)); });
}
