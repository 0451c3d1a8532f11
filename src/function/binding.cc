#include "function/binding.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/near.h"
#include "byname/convert.h"
#include "value/convert.h"

namespace byname::core {
namespace {

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

// How many arguments a function takes by position, in words: "2 arguments", "1 to 2 positional arguments".
std::string positional_words(std::span<const Argument> arguments) {
  size_t least = 0;
  size_t most = 0;
  for (const Argument& argument : arguments) {
    if (argument.keyword_only) break;
    ++most;
    if (!argument.has_default) ++least;
  }
  std::string text = least == most ? "" : std::to_string(least) + " to ";
  text += std::to_string(most);
  if (most < arguments.size()) text += " positional";
  return text + (most == 1 ? " argument" : " arguments");
}

class Binder {
 public:
  Binder(const Schema& schema, const CallShape& shape, Bound& bound, Problems& problems)
      : schema_(schema), shape_(shape), bound_(bound), problems_(problems) {}

  bool run() {
    size_t given = shape_.positional.size() + shape_.named.size();
    if (given > kMaxParameters) {
      problems_.too_many(given);
      return false;
    }
    if (!place_positional()) return false;
    for (size_t i = 0; i < shape_.names.size(); ++i) place_named(detail::from_c(shape_.names[i]), shape_.named[i]);
    fill_defaults();
    return problems_.empty();
  }

 private:
  std::span<const Argument> arguments() const { return schema_.arguments(); }

  bool place_positional() {
    size_t positional = 0;
    while (positional < arguments().size() && !arguments()[positional].keyword_only) ++positional;
    size_t given = shape_.positional.size();
    if (given > positional && !schema_.is_vararg()) {
      problems_.other("takes " + positional_words(arguments()) + ", got " + std::to_string(given));
      given = positional;
    }
    // What a variadic function takes beyond its declared arguments comes after all of these.
    size_t keyword_only = arguments().size() - positional;
    size_t size = std::max(given, positional) + keyword_only;
    if (size > kMaxParameters) {
      problems_.too_many(size);
      return false;
    }
    bound_.size = size;
    for (size_t i = 0; i < given; ++i) place(i < positional ? i : i + keyword_only, shape_.positional[i]);
    return true;
  }

  void place_named(std::string_view name, const byname_any& value) {
    for (size_t i = 0; i < arguments().size(); ++i) {
      if (arguments()[i].name != name) continue;
      if (is_given(i)) {
        problems_.other("argument " + quoted(name) + " is given twice");
      } else {
        place(i, value);
      }
      return;
    }
    NearNames near(name);
    for (const Argument& argument : arguments()) near.consider(argument.name);
    problems_.other("unexpected keyword " + quoted(name) + near.hint());
  }

  void fill_defaults() {
    for (size_t i = 0; i < arguments().size(); ++i) {
      if (is_given(i)) continue;
      const Argument& argument = arguments()[i];
      if (argument.has_default) {
        bound_.values[i] = argument.default_value;
      } else {
        problems_.missing(argument, i);
      }
    }
  }

  void place(size_t i, const byname_any& value) {
    bound_.values[i] = value;
    bound_.given |= uint64_t{1} << i;
  }
  bool is_given(size_t i) const { return (bound_.given >> i & 1) != 0; }

  const Schema& schema_;
  const CallShape& shape_;
  Bound& bound_;
  Problems& problems_;
};

// How well one item stands for all of a sized list: worse than any list does.
int convert_repeated(const byname_any& value, const byname_type& declared, const byname_type& type, byname_any* out) {
  const byname_type& list = strip_optional(type);
  if (list.kind != BYNAME_KIND_LIST) return kNoMatch;
  const byname_type& sized = strip_optional(declared);
  int32_t size = sized.kind == BYNAME_KIND_LIST && sized.fixed_size >= 0 ? sized.fixed_size : list.fixed_size;
  if (size < 0) return kNoMatch;
  detail::OwnedSide item;
  int rank = convert(value, *list.elements[0], out != nullptr ? &item.value : nullptr);
  if (rank < 0) return rank;
  if (out != nullptr) {
    std::vector<byname_any> items(static_cast<size_t>(size), item.value);
    detail::check(byname_array_new(items.data(), items.size(), out));
  }
  return kConvertible + 128;
}

}  // namespace

bool bind(const Schema& schema, const CallShape& shape, Bound& bound, Problems& problems) {
  return Binder(schema, shape, bound, problems).run();
}

const byname_type* parameter_type(const byname_function* function, const Schema* schema, size_t i) {
  if (function->signature != nullptr && function->signature->arity >= 0) {
    return i < static_cast<size_t>(function->signature->arity) ? function->signature->parameters[i] : nullptr;
  }
  if (schema == nullptr || i >= schema->arguments().size()) return nullptr;
  return schema->arguments()[i].type;
}

int convert_argument(const byname_function* function, const Schema* schema, size_t i, const byname_any& value,
                     byname_any* out) {
  const byname_type* type = parameter_type(function, schema, i);
  if (type == nullptr) {
    if (out != nullptr) detail::check(byname_any_copy(&value, out));
    return kAnything;
  }
  int rank = convert(value, *type, out);
  if (rank >= 0) return rank;
  const byname_type* declared = schema != nullptr ? schema->arguments()[i].type : type;
  int repeated = convert_repeated(value, *declared, *type, out);
  return repeated >= 0 ? repeated : std::min(rank, repeated);
}

bool check_types(const byname_function* function, const Schema& schema, const Bound& bound, int* ranks,
                 Problems& problems) {
  bool fits = true;
  for (size_t i = 0; i < bound.size; ++i) {
    if ((bound.given >> i & 1) == 0) continue;
    int rank = convert_argument(function, &schema, i, bound.values[i], nullptr);
    if (ranks != nullptr) ranks[i] = rank;
    if (rank >= 0) continue;
    fits = false;
    const byname_type* type = parameter_type(function, &schema, i);
    problems.mismatch(schema.arguments()[i], i, bound.values[i], *type, rank == kOutOfRange);
  }
  return fits;
}

}  // namespace byname::core
