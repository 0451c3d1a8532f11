// Named arguments: `"width"_a` names a parameter, `"width"_a = 80` gives its default or, in a call, its value.
#ifndef BYNAME_ARGUMENT_H_
#define BYNAME_ARGUMENT_H_

#include <initializer_list>

#include "byname/any.h"

namespace byname {

class Arg;

// A name alone, as `"width"_a` makes it. A constant.
class ArgName {
 public:
  constexpr explicit ArgName(std::string_view name) noexcept : name_(name) {}
  constexpr std::string_view name() const noexcept { return name_; }
  template <class T>
  Arg operator=(T&& value) const;  // NOLINT(misc-unconventional-assign-operator): reads as Python's keyword syntax

 private:
  std::string_view name_;
};

// A name, with a value that it owns or without one. The name must live as long as what it is given to: a literal, for a
// registration.
class Arg {
 public:
  Arg(ArgName name) noexcept : name_(name) {}  // NOLINT(google-explicit-constructor)
  Arg(std::string_view name, Any value) noexcept : name_(name), value_(std::move(value)) {}
  std::string_view name() const noexcept { return name_.name(); }
  // nullptr: none.
  const Any* value() const noexcept { return value_ ? &*value_ : nullptr; }

 private:
  ArgName name_;
  std::optional<Any> value_;
};

template <class T>
Arg ArgName::operator=(T&& value) const {
  return Arg(name_, Any(std::forward<T>(value)));
}

// Either, borrowed for a call of a registering function. Without a destructor, so that a list of names costs no code.
class ArgRef {
 public:
  constexpr ArgRef(ArgName name) noexcept : name_(name.name()) {}                             // NOLINT
  ArgRef(const Arg& argument) noexcept : name_(argument.name()), value_(argument.value()) {}  // NOLINT
  byname_parameter raw() const noexcept {
    byname_parameter parameter = {detail::to_c(name_), {}, value_ != nullptr, 0};
    if (value_ != nullptr) parameter.default_value = value_->raw();
    return parameter;
  }

 private:
  std::string_view name_;
  const Any* value_ = nullptr;
};

template <class T>
concept NamedArgument = std::is_same_v<T, Arg> || std::is_same_v<T, ArgName>;

// In a list of parameters: those behind it are keyword-only.
inline constexpr ArgName keyword_only{std::string_view("*", 1)};

namespace literals {

constexpr ArgName operator""_a(const char* name, size_t size) { return ArgName(std::string_view(name, size)); }

}  // namespace literals

}  // namespace byname

#endif  // BYNAME_ARGUMENT_H_
