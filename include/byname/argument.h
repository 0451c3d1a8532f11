// Named arguments: `"width"_a` names a parameter, `"width"_a = 80` gives its default or, in a call, its value.
#ifndef BYNAME_ARGUMENT_H_
#define BYNAME_ARGUMENT_H_

#include <initializer_list>

#include "byname/any.h"

namespace byname {

// The name must be a literal (or live as long as the function that is registered with it).
class Arg {
 public:
  explicit Arg(std::string_view name) noexcept : parameter_{{name.data(), name.size()}, {}, 0, 0} {}
  Arg(std::string_view name, Any value) noexcept : Arg(name) {
    parameter_.default_value = value.leak();
    parameter_.has_default = 1;
  }
  Arg(const Arg& other) noexcept : parameter_(other.parameter_) {
    if (parameter_.default_value.type_index >= BYNAME_OBJECT) byname_object_retain(parameter_.default_value.as_object);
  }
  Arg& operator=(const Arg&) = delete;
  ~Arg() { byname_any_drop(&parameter_.default_value); }

  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Arg>)
  Arg operator=(T&& value) && {  // NOLINT(misc-unconventional-assign-operator): reads as Python's keyword syntax
    return Arg(name(), Any(std::forward<T>(value)));
  }

  std::string_view name() const noexcept { return detail::from_c(parameter_.name); }
  const byname_parameter& raw() const noexcept { return parameter_; }

 private:
  byname_parameter parameter_;
};
static_assert(sizeof(Arg) == sizeof(byname_parameter));

// In a list of parameters: those behind it are keyword-only.
inline const Arg keyword_only{std::string_view("*", 1)};

namespace literals {

inline Arg operator""_a(const char* name, size_t size) { return Arg(std::string_view(name, size)); }

}  // namespace literals

}  // namespace byname

#endif  // BYNAME_ARGUMENT_H_
