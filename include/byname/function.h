// Function values: owned, typed or not, made of any callable.
#ifndef BYNAME_FUNCTION_H_
#define BYNAME_FUNCTION_H_

#include <functional>
#include <vector>

#include "byname/argument.h"
#include "byname/signature.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_no_value(std::string_view keyword) {
  throw Error("TypeError",
              "the keyword argument '" + std::string(keyword) + "' has no value (write \"name\"_a = value)", nullptr,
              0);
}

[[noreturn]] BYNAME_COLD inline void throw_wrong_result(std::string_view name, const byname_any& result,
                                                        const byname_type& type) {
  check(byname_function_refuse_result(to_c(name), &result, &type));
  throw_raised();
}

// A function's result as an R.
template <class R, class Named>
R convert_result(const byname_any& result, const Named& function) {
  return convert_to<R>(result, [&function](const byname_any& from, const byname_type& type) {
    throw_wrong_result(function.name(), from, type);
  });
}

}  // namespace detail

// What can be called by packing its arguments. Self has
//   int call(const byname_any* arguments, int32_t n, byname_any* result) const
//   int call_named(arguments, n, const byname_str* names, int32_t num_names, result) const
template <class Self>
class CallOperator {
 public:
  // Positional arguments, then named ones: f(1, "b"_a = 2). Throws what the function throws, as an Error; TypeError for
  // arguments that do not fit.
  template <class... A>
  Any operator()(A&&... arguments) const {
    static_assert(((Convertible<A> || NamedArgument<std::remove_cvref_t<A>>) && ...),
                  "byname: an argument's type has no Convert<>");
    if constexpr ((NamedArgument<std::remove_cvref_t<A>> || ...)) {
      return with_names(std::forward<A>(arguments)...);
    } else {
      return positional<std::remove_cvref_t<A>...>(typename Convert<std::remove_cvref_t<A>>::Side()..., arguments...);
    }
  }
  // With a list that is known at run time only.
  Any apply(Args arguments) const {
    Any result;
    detail::check(self().call(arguments.data(), arguments.size(), result.out()));
    return result;
  }
  Any apply(std::span<const Any> arguments) const {
    return apply(Args(reinterpret_cast<const byname_any*>(arguments.data()), static_cast<int32_t>(arguments.size())));
  }
  // Positional arguments, then named ones, known at run time only.
  Any apply(std::span<const Any> arguments, std::span<const Arg> named) const {
    CallList list;
    for (const Any& argument : arguments) list.values.push_back(argument.raw());
    for (const Arg& argument : named) list.push_named(argument);
    return call_list(list);
  }

 private:
  struct CallList {
    std::vector<byname_any> values;
    std::vector<byname_str> names;
    void push_named(const Arg& argument) {
      if (argument.value() == nullptr) detail::throw_no_value(argument.name());
      values.push_back(argument.value()->raw());
      names.push_back(detail::to_c(argument.name()));
    }
  };
  const Self& self() const noexcept { return static_cast<const Self&>(*this); }

  template <class... T, class... A>
  Any positional(typename Convert<T>::Side&&... sides, const A&... arguments) const {
    Any result;
    if constexpr (sizeof...(T) == 0) {
      detail::check(self().call(nullptr, 0, result.out()));
    } else {
      byname_any values[sizeof...(T)];
      byname_any* next = values;
      ((*next++ = Convert<T>::pack(arguments, sides)), ...);
      detail::check(self().call(values, sizeof...(T), result.out()));
    }
    return result;
  }
  template <class... A>
  Any with_names(A&&... arguments) const {
    CallList list;
    std::vector<Any> owned;
    owned.reserve(sizeof...(A));
    (push(list, owned, std::forward<A>(arguments)), ...);
    return call_list(list);
  }
  template <class A>
  static void push(CallList& list, std::vector<Any>& owned, A&& argument) {
    if constexpr (NamedArgument<std::remove_cvref_t<A>>) {
      list.push_named(argument);
    } else {
      if (!list.names.empty()) detail::throw_error("TypeError", "positional argument follows keyword argument");
      owned.emplace_back(std::forward<A>(argument));
      list.values.push_back(owned.back().raw());
    }
  }
  Any call_list(const CallList& list) const {
    Any result;
    detail::check(self().call_named(list.values.data(), static_cast<int32_t>(list.values.size()), list.names.data(),
                                    static_cast<int32_t>(list.names.size()), result.out()));
    return result;
  }
};

namespace detail BYNAME_HIDDEN {

// The part of a definition that depends on the callable's type.
template <class F>
byname_definition definition_of(typename Callable<F>::Closure& closure) {
  using Closure = typename Callable<F>::Closure;
  byname_definition definition{};
  definition.struct_size = sizeof(byname_definition);
  definition.signature = &Callable<F>::Signature::record;
  definition.direct = reinterpret_cast<void (*)()>(&Callable<F>::template direct<Closure>);
  definition.dso = &this_dso;
  if constexpr (!(std::is_empty_v<Closure> && std::is_default_constructible_v<Closure>)) {
    static_assert(std::is_nothrow_destructible_v<Closure>, "byname: the destructor of a closure must be noexcept");
    definition.closure_size = sizeof(Closure);
    definition.closure_alignment = alignof(Closure);
    definition.closure = &closure;
    definition.closure_move = [](void* to, void* from) { ::new (to) Closure(std::move(*static_cast<Closure*>(from))); };
    if constexpr (!std::is_trivially_destructible_v<Closure>) {
      definition.closure_destroy = [](void* state) { static_cast<Closure*>(state)->~Closure(); };
    }
  }
  return definition;
}

template <class F>
typename Callable<std::decay_t<F>>::Closure closure_of(F&& function) {
  // Pointers and std::function; a lambda without state compares, too, as what it converts to.
  if constexpr (!std::is_function_v<std::remove_reference_t<F>> && !std::is_empty_v<std::decay_t<F>> &&
                requires { static_cast<bool>(function == nullptr); }) {
    if (function == nullptr) throw_error("ValueError", "expected a function, got a null pointer or an empty function");
  }
  return typename Callable<std::decay_t<F>>::Closure{std::forward<F>(function)};
}

}  // namespace detail

template <class Signature>
class TypedFunction;

// A function that is owned like any object: it pins the code of its module. Never null, except after a move.
class Function : public CallOperator<Function> {
 public:
  // Of any callable: function pointer, member function (takes its object first), lambda with state, std::function,
  // callable object; R(Args) takes any number of arguments.
  template <class F>
    requires(detail::Registrable<F> && !std::is_same_v<std::decay_t<F>, Function>)
  Function(F&& function) {  // NOLINT(google-explicit-constructor): a callable is a function
    auto closure = detail::closure_of(std::forward<F>(function));
    byname_definition definition = detail::definition_of<std::decay_t<F>>(closure);
    detail::check(byname_function_new(&definition, any_.out()));
  }
  Function(byname_any owned, Adopt) noexcept : any_(owned, Adopt()) {}

  // The name it is registered under, or ""; "name(int a, int b=1) -> int"; its documentation.
  std::string name() const { return text(&byname_function_name); }
  std::string schema() const { return text(&byname_function_schema); }
  std::string doc() const { return text(&byname_function_doc); }

  int call(const byname_any* arguments, int32_t num_arguments, byname_any* result) const {
    return byname_function_call(raw(), arguments, num_arguments, result);
  }
  int call_named(const byname_any* arguments, int32_t num_arguments, const byname_str* names, int32_t num_names,
                 byname_any* result) const {
    return byname_function_call_named(raw(), arguments, num_arguments, names, num_names, result);
  }
  byname_object* raw() const noexcept { return any_.raw().as_object; }
  const Any& any() const noexcept { return any_; }
  friend bool operator==(const Function& a, const Function& b) noexcept { return a.raw() == b.raw(); }

 private:
  friend struct Convert<Function>;
  std::string text(int (*get)(const byname_object*, byname_any*)) const {
    Any value;
    detail::check(get(raw(), value.out()));
    return value.to<std::string>();
  }
  Any any_;
};

// A function value with a C++ signature. Where the callee has the very same one the call is direct, without packing.
template <class R, class... P>
class TypedFunction<R(P...)> {
 public:
  template <class F>
    requires(detail::Registrable<F> && !std::is_same_v<std::decay_t<F>, TypedFunction>)
  TypedFunction(F&& function) : TypedFunction(Function(std::forward<F>(function))) {}  // NOLINT
  TypedFunction(Function function)  // NOLINT(google-explicit-constructor)
      : function_(std::move(function)), id_(byname_signature_id(&detail::Signature<R, P...>::record)) {
    const auto* cell = reinterpret_cast<const byname_function*>(function_.raw());
    direct_ = id_ != nullptr && byname_is_own(function_.raw()) && cell->signature_id == id_;
  }
  R operator()(P... arguments) const {
    if (__builtin_expect(direct_, 1)) {
      auto* cell = reinterpret_cast<byname_function*>(function_.raw());
      try {
        return reinterpret_cast<R (*)(void*, P...)>(cell->direct)(cell, std::forward<P>(arguments)...);
      } catch (...) {
        detail::throw_current(cell);
      }
    }
    if constexpr (std::is_void_v<R>) {
      function_(std::forward<P>(arguments)...);
    } else {
      Any result = function_(std::forward<P>(arguments)...);
      return detail::convert_result<R>(result.raw(), function_);
    }
  }
  const Function& function() const noexcept { return function_; }

 private:
  Function function_;
  const void* id_;
  bool direct_;
};

template <>
struct Convert<Function> : detail::HeldByValue<std::optional<Function>> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_FUNCTION);
  using Side = detail::NoSide;
  static bool load(const byname_any& from, std::optional<Function>& to) {
    if (from.type_index != BYNAME_FUNCTION) return false;
    to.emplace(AnyView(from).copy().leak(), Adopt());
    return true;
  }
  static Function&& get(std::optional<Function>& held) noexcept { return std::move(*held); }
  static byname_any pack(const Function& value, Side) noexcept { return value.any().raw(); }
  static void store(byname_any* out, Function value) noexcept { *out = value.any_.leak(); }
};

template <class R, class... P>
struct Convert<TypedFunction<R(P...)>> : Convert<Function> {
  static TypedFunction<R(P...)> get(std::optional<Function>& held) { return std::move(*held); }
  static byname_any pack(const TypedFunction<R(P...)>& value, detail::NoSide side) noexcept {
    return Convert<Function>::pack(value.function(), side);
  }
  static void store(byname_any* out, const TypedFunction<R(P...)>& value) noexcept {
    Convert<Function>::store(out, value.function());
  }
};

// An empty std::function is None where it is a result, and refused as an argument.
template <class R, class... P>
struct Convert<std::function<R(P...)>> : Convert<TypedFunction<R(P...)>> {
  using Side = detail::OwnedSide;
  static byname_any pack(const std::function<R(P...)>& value, Side& side) {
    store(&side.value, value);
    return side.value;
  }
  static void store(byname_any* out, std::function<R(P...)> value) {
    if (value) {
      Convert<Function>::store(out, Function(std::move(value)));
    } else {
      *out = detail::any_none();
    }
  }
};

template <>
inline constexpr const char* kPortableName<Function> = "function";

// Lambdas and function pointers are values, too.
template <class F>
  requires(detail::Registrable<F> && !detail::ObjectType<F>)
struct Convert<F> : detail::PackedByStore<F> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_FUNCTION);
  static void store(byname_any* out, F value) { Convert<Function>::store(out, Function(std::move(value))); }
};

}  // namespace byname

#endif  // BYNAME_FUNCTION_H_
