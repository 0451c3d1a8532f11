// Arbitrary bytes as a schema: an error that says where, or a schema that survives print and parse.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "byname/error.h"
#include "schema/schema.h"

namespace {

using byname::core::NameForm;

void require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

void check(std::string_view text, NameForm form) {
  try {
    byname::core::Schema schema = byname::core::parse_schema(text, form);
    std::string printed = byname::core::print_schema(schema);
    try {
      byname::core::Schema again = byname::core::parse_schema(printed, form);
      require(again == schema, "the print means something else", printed);
      require(byname::core::print_schema(again) == printed, "the print changes", printed);
    } catch (const byname::Error& error) {
      require(false, error.what(), printed);
    }
  } catch (const byname::Error& error) {
    require(error.kind() == "ValueError" && error.message().ends_with('^'), "no located error", error.message());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, NameForm::kBlock);
  check(text, NameForm::kFull);
  return 0;
}
