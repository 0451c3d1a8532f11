// Alias annotations of types: `Tensor(a!)`, `Tensor(a -> *)`, `Tensor(b|c)`, `Tensor!`.
#ifndef BYNAME_SCHEMA_ALIAS_H_
#define BYNAME_SCHEMA_ALIAS_H_

#include <span>
#include <string_view>

#include "byname/c_types.h"

namespace byname::core {

// The alias sets that a value may belong to. `*` stands for all of them.
struct AliasSets {
  std::span<const std::string_view> names;
  bool is_wildcard = false;

  bool empty() const { return names.empty() && !is_wildcard; }
  // As sets: the order of the names does not count.
  friend bool operator==(const AliasSets& a, const AliasSets& b);
};

}  // namespace byname::core

// Lives in the arena of the schema whose type it belongs to.
struct byname_alias {
  byname::core::AliasSets before;  // empty only for `T!`, which writes to a set of its own
  byname::core::AliasSets after;   // what the value may alias once the call is over; `before`, unless written
  bool is_write = false;

  friend bool operator==(const byname_alias& a, const byname_alias& b) = default;
};

#endif  // BYNAME_SCHEMA_ALIAS_H_
