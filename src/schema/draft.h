// A schema while it is made: by the parser, or from a C++ signature.
#ifndef BYNAME_SCHEMA_DRAFT_H_
#define BYNAME_SCHEMA_DRAFT_H_

#include <cstddef>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace byname::core {

// The most arguments, and the most returns, of a schema.
inline constexpr size_t kMaxArguments = 256;
// The longest text of a schema, and the longest name, in bytes.
inline constexpr size_t kMaxText = size_t{1} << 20;

// Collects views and types that live elsewhere (the parser's types in `memory`), and owns the defaults. Then `finish`
// copies all of it into one block.
class SchemaDraft {
 public:
  SchemaDraft();
  ~SchemaDraft();
  SchemaDraft(const SchemaDraft&) = delete;
  SchemaDraft& operator=(const SchemaDraft&) = delete;

  // Takes the argument with its default, unless it can't follow the ones before: then the reason, and nothing changed.
  std::string append(const Argument& argument);
  std::string append(const Return& ret);

  template <class T>
  T* make(size_t count = 1) {
    return static_cast<T*>(memory.allocate(count * sizeof(T), alignof(T)));
  }

  // Once. Afterwards the draft may only be destroyed.
  Schema finish(bool with_sizes = true);

 private:
  alignas(std::max_align_t) std::byte inline_memory_[2048];

 public:
  std::pmr::monotonic_buffer_resource memory;
  NameParts name;
  std::pmr::vector<Argument> arguments;
  std::pmr::vector<Return> returns;
  bool is_vararg = false;
  bool is_varret = false;
  bool is_bare = false;
};

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_DRAFT_H_
