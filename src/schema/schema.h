// Schemas: what a registered name takes and gives.
#ifndef BYNAME_SCHEMA_SCHEMA_H_
#define BYNAME_SCHEMA_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "byname/c_api.h"
#include "schema/name.h"

namespace byname::core {

class SchemaDraft;

struct Argument {
  std::string_view name;
  const byname_type* type;
  byname_any default_value;  // None without a default; belongs to the schema
  bool has_default;
  bool keyword_only;
};

struct Return {
  std::string_view name;  // or empty
  const byname_type* type;
};

// Immutable. Owns everything that its accessors show, in one block of memory; what they show stays where it is when the
// schema moves. A schema that was moved from may only be destroyed or assigned to.
class Schema {
 public:
  Schema(Schema&& other) noexcept;
  Schema& operator=(Schema&& other) noexcept;
  ~Schema();

  // "a.b::name.overload", without the parts that are not there.
  std::string_view name() const { return {block_->name, block_->name_size}; }
  NameParts name_parts() const;
  std::span<const Argument> arguments() const { return {block_->arguments, block_->num_arguments}; }
  std::span<const Return> returns() const { return {block_->returns, block_->num_returns}; }
  // Takes more positional arguments than it names, of any type.
  bool is_vararg() const { return block_->is_vararg; }
  // Gives more values than it names.
  bool is_varret() const { return block_->is_varret; }
  // A name alone: nothing is known of arguments and returns.
  bool is_bare() const { return block_->is_bare; }

 private:
  friend class SchemaDraft;
  struct Block {
    const Argument* arguments;
    const Return* returns;
    const char* name;
    uint32_t num_arguments;
    uint32_t num_returns;
    uint32_t name_size;
    uint32_t space_size;
    uint32_t base_size;
    bool is_vararg;
    bool is_varret;
    bool is_bare;
  };
  explicit Schema(Block* block) : block_(block) {}
  Block* block_;
};

// Equal names, arguments (names, types with their sizes and aliases, defaults, keyword-only) and returns.
bool operator==(const Schema& a, const Schema& b);
// Whether two defaults are one: of one kind and one value, and a NaN is itself.
bool is_same_default(const byname_any& a, const byname_any& b);

// Parses a schema (the grammar is in docs/reference/schema.md). Throws ValueError: "line:column: what", then the line,
// then a caret. Text of any bytes is safe to parse.
Schema parse_schema(std::string_view text, NameForm form = NameForm::kBlock);

// Canonical text. parse_schema gives an equal schema, in both forms of names, if all names are identifiers.
std::string print_schema(const Schema& schema);
// The part behind the name: "(int a, int b=1) -> int"; empty for a bare name.
std::string print_signature(const Schema& schema);
// A default as a schema says it.
std::string print_default(const byname_type& type, const byname_any& value);

// The schema of a C++ signature: arguments `_0`, `_1`, ... unless `parameters` names them (all or none); a tuple result
// becomes several returns, void and an empty tuple none; without list sizes and aliases. Copies what it needs.
// `name` is split as by split_name. Throws ValueError if the parameters do not fit.
Schema infer_schema(const byname_signature& signature, std::span<const byname_parameter> parameters,
                    std::string_view name, NameForm form = NameForm::kBlock);

// Throws what infer_schema would, and makes nothing.
void check_inferred_schema(const byname_signature& signature, std::span<const byname_parameter> parameters,
                           std::string_view name, NameForm form = NameForm::kBlock);

// Why a function of this C++ signature can't stand behind a declared schema: counts, or the first real type that
// differs. Names, keyword-only, list sizes and aliases do not count. A declared `int` (`float`, `SymInt`) takes every
// width of integers (floats), and what C++ has as Any takes everything: the call converts and checks.
std::optional<std::string> compare_schema(const Schema& declared, const byname_signature& signature);

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_SCHEMA_H_
