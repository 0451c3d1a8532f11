#include "function/binding.h"

#include "base/near.h"
#include "value/convert.h"

namespace byname::core {
namespace {

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

// How many arguments a function takes by position, in words: "2 arguments", "1 to 2 arguments".
std::string positional_words(std::span<const Argument> arguments) {
  size_t least = 0;
  size_t most = 0;
  for (const Argument& argument : arguments) {
    if (argument.keyword_only) continue;
    ++most;
    if (!argument.has_default) ++least;
  }
  std::string text = least == most ? "" : std::to_string(least) + " to ";
  text += std::to_string(most);
  return text + (most == 1 ? " argument" : " arguments");
}

class Binder {
 public:
  Binder(const Schema& schema, const CallShape& shape, Bound& bound, Problems& problems)
      : schema_(schema), shape_(shape), bound_(bound), problems_(problems) {}

  bool run() {
    if (shape_.positional.size() + shape_.named.size() > kMaxArguments) {
      problems_.other("takes at most " + std::to_string(kMaxArguments) + " arguments");
      return false;
    }
    place_positional();
    for (size_t i = 0; i < shape_.names.size(); ++i) place_named(detail::from_c(shape_.names[i]), shape_.named[i]);
    fill_defaults();
    return problems_.empty();
  }

 private:
  std::span<const Argument> arguments() const { return schema_.arguments(); }

  void place_positional() {
    size_t positional = 0;
    while (positional < arguments().size() && !arguments()[positional].keyword_only) ++positional;
    size_t given = shape_.positional.size();
    if (given > positional && !schema_.is_vararg()) {
      problems_.other("takes " + positional_words(arguments()) + ", got " + std::to_string(given));
      given = positional;
    }
    for (size_t i = 0; i < given; ++i) place(i, shape_.positional[i]);
    bound_.size = std::max(given, arguments().size());
  }

  void place_named(std::string_view name, const byname_any& value) {
    for (size_t i = 0; i < arguments().size(); ++i) {
      if (arguments()[i].name != name) continue;
      if (given_[i]) {
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
      if (given_[i]) continue;
      const Argument& argument = arguments()[i];
      if (argument.has_default) {
        place(i, argument.default_value);
      } else {
        problems_.missing(argument.name, i + 1, argument.keyword_only);
      }
    }
  }

  void place(size_t i, const byname_any& value) {
    bound_.values[i] = value;
    given_[i] = true;
  }

  const Schema& schema_;
  const CallShape& shape_;
  Bound& bound_;
  Problems& problems_;
  bool given_[kMaxArguments] = {};
};

}  // namespace

bool bind(const byname_function* function, const CallShape& shape, Bound& bound, Problems& problems) {
  SchemaOf schema(function);
  return Binder(*schema, shape, bound, problems).run();
}

const byname_type* parameter_type(const byname_function* function, const Schema* schema, size_t i) {
  if (function->signature != nullptr && function->signature->arity >= 0) {
    return i < static_cast<size_t>(function->signature->arity) ? function->signature->parameters[i] : nullptr;
  }
  if (schema == nullptr || i >= schema->arguments().size()) return nullptr;
  return schema->arguments()[i].type;
}

bool check_types(const byname_function* function, std::span<const byname_any> arguments, int* ranks,
                 Problems* problems) {
  SchemaOf schema(function);
  bool fits = true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const byname_type* type = parameter_type(function, &*schema, i);
    int rank = type == nullptr ? static_cast<int>(kAnything) : convert(arguments[i], *type, nullptr);
    if (ranks != nullptr) ranks[i] = rank;
    if (rank >= 0) continue;
    fits = false;
    if (problems != nullptr) {
      problems->mismatch(schema->arguments()[i].name, i + 1, arguments[i], *type, rank == kOutOfRange);
    }
  }
  return fits;
}

}  // namespace byname::core
