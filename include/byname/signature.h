// From a C++ callable to what the core needs of it: its parameters' types, one thunk for each signature, one typed
// entry for each function.
#ifndef BYNAME_SIGNATURE_H_
#define BYNAME_SIGNATURE_H_

#include <span>

#include "byname/string.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

template <class T>
constexpr const char* arithmetic_name() {
  constexpr const char* kNames[3][4] = {{"i1", "i2", "i4", "i8"}, {"u1", "u2", "u4", "u8"}, {"", "", "f4", "f8"}};
  constexpr size_t kRow = std::is_floating_point_v<T> ? 2 : std::is_signed_v<T> ? 0 : 1;
  return kNames[kRow][sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
}

#ifdef _LIBCPP_VERSION
#define BYNAME_STANDARD_LIBRARY "llvm"
#else
#define BYNAME_STANDARD_LIBRARY "gnu"
#endif

}  // namespace detail

template <class T>
  requires(std::is_arithmetic_v<T> && sizeof(T) <= 8)
inline constexpr const char* kPortableName<T> = std::is_same_v<T, bool> ? "b" : detail::arithmetic_name<T>();
template <>
inline constexpr const char* kPortableName<void> = "v";
template <>
inline constexpr const char* kPortableName<std::string_view> = "sv-" BYNAME_STANDARD_LIBRARY;
template <class T>
  requires(std::is_arithmetic_v<T>)
inline constexpr const char* kPortableName<std::span<const T>> = "span-" BYNAME_STANDARD_LIBRARY;
template <>
inline constexpr const char* kPortableName<Any> = "any";
template <>
inline constexpr const char* kPortableName<AnyView> = "view";
template <>
inline constexpr const char* kPortableName<String> = "str";
template <>
inline constexpr const char* kPortableName<Bytes> = "bytes";
template <>
inline constexpr const char* kPortableName<ObjectRef> = "object";

namespace detail BYNAME_HIDDEN {

template <class T>
constexpr const char* span_element() {
  if constexpr (requires {
                  typename T::element_type;
                  T::extent;
                }) {
    return kPortableName<std::remove_const_t<typename T::element_type>>;
  } else {
    return "";
  }
}

// A passing mode, then the type's name: two parts for each of result and parameters.
template <class P>
constexpr const char* passing() {
  if constexpr (!std::is_reference_v<P>) return ",";
  if constexpr (std::is_lvalue_reference_v<P>) return std::is_const_v<std::remove_reference_t<P>> ? ",&" : ",=";
  return ",&&";
}

template <class R, class... P>
struct SignatureName {
  static constexpr bool kExists =
      kPortableName<std::remove_cvref_t<R>> != nullptr && ((kPortableName<std::remove_cvref_t<P>> != nullptr) && ...);
  static constexpr const char* kParts[] = {passing<R>(),
                                           kPortableName<std::remove_cvref_t<R>>,
                                           span_element<std::remove_cvref_t<R>>(),
                                           passing<P>()...,
                                           "(",
                                           kPortableName<std::remove_cvref_t<P>>...,
                                           "(",
                                           span_element<std::remove_cvref_t<P>>()...,
                                           nullptr};
};

template <size_t I, class Held>
struct Slot {
  Held held{};
};

template <class Sequence, class... P>
struct Thunk;

template <size_t... I, class... P>
struct Thunk<std::index_sequence<I...>, P...> {
  struct Slots : Slot<I, typename Convert<std::remove_cvref_t<P>>::Held>... {};

  template <class R>
  static int call(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
    [[maybe_unused]] Slots slots;
    const auto* function = static_cast<const byname_function*>(self);
    auto direct = reinterpret_cast<R (*)(void*, P...)>(function->direct);
    if (__builtin_expect(!(Convert<std::remove_cvref_t<P>>::load(arguments[I], slot<I>(slots)) && ...), 0)) {
      return byname_function_coerce(self, arguments, num_arguments, result);
    }
    if constexpr (std::is_void_v<R>) {
      direct(self, pass<P>(Convert<std::remove_cvref_t<P>>::get(slot<I>(slots)))...);
      *result = any_none();
    } else {
      Convert<std::remove_cvref_t<R>>::store(
          result, direct(self, pass<P>(Convert<std::remove_cvref_t<P>>::get(slot<I>(slots)))...));
    }
    return 0;
  }

 private:
  template <size_t J, class Held>
  static Held& slot(Slot<J, Held>& slot) {
    return slot.held;
  }
  template <class Q, class V>
  static constexpr V&& pass(V&& value) {
    static_assert(
        std::is_convertible_v<V&&, Q>,
        "byname: a parameter is a value, const T&, or T& of an object or boxed class; T& of a converted value "
        "would be changed in vain");
    return static_cast<V&&>(value);
  }
};

// R(Args): any number of arguments, unconverted.
template <class R>
int call_variadic(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto direct = reinterpret_cast<R (*)(void*, Args)>(static_cast<const byname_function*>(self)->direct);
  if constexpr (std::is_void_v<R>) {
    direct(self, Args(arguments, num_arguments));
    *result = any_none();
  } else {
    Convert<std::remove_cvref_t<R>>::store(result, direct(self, Args(arguments, num_arguments)));
  }
  return 0;
}

template <class R>
constexpr const byname_type* result_type() {
  if constexpr (std::is_void_v<R>) {
    return nullptr;
  } else {
    static_assert(Convertible<R>, "byname: the result type has no Convert<>");
    static_assert(
        !Convertible<R> ||
            requires(byname_any* out, R (*make)()) { Convert<std::remove_cvref_t<R>>::store(out, make()); },
        "byname: a pointer as a result does not say who owns what it shows; return T, unique_ptr<T> or "
        "shared_ptr<T>");
    static_assert(!(std::is_lvalue_reference_v<R> && !std::is_const_v<std::remove_reference_t<R>> &&
                    requires { Convert<std::remove_cvref_t<R>>::kCopiesReferences; }),
                  "byname: a result T& of a registered class would arrive as a copy; return T, unique_ptr<T> or "
                  "shared_ptr<T>");
    return &Convert<std::remove_cvref_t<R>>::kType;
  }
}

template <class R, class... P>
struct Signature {
  static_assert((Convertible<P> && ...), "byname: a parameter type has no Convert<>");
  static_assert((... && (!Convertible<P> || requires { typename Convert<std::remove_cvref_t<P>>::Held; })),
                "byname: a unique_ptr can only be a result: nobody gives up what it holds for a call; take T&, or "
                "shared_ptr<T>");
  static constexpr const byname_type* kParameters[] = {&Convert<std::remove_cvref_t<P>>::kType..., nullptr};
  static inline constinit byname_signature record = {
      sizeof(byname_signature),
      sizeof...(P),
      kParameters,
      result_type<R>(),
      &Thunk<std::index_sequence_for<P...>, P...>::template call<R>,
      SignatureName<R, P...>::kExists ? SignatureName<R, P...>::kParts : nullptr,
      nullptr};
};

template <class R>
struct Signature<R, Args> {
  static inline constinit byname_signature record = {sizeof(byname_signature), -1,      nullptr, result_type<R>(),
                                                     &call_variadic<R>,        nullptr, nullptr};
};

// Calls a member function as a free one.
template <class M, class R, class C, class... P>
struct MemberCall {
  M member;
  R operator()(C object, P... arguments) const { return (object.*member)(std::forward<P>(arguments)...); }
};

// How a callable is called and what is kept of it.
template <class R, class... P>
struct CalledAs {
  using Signature = detail::Signature<R, P...>;
  template <class Closure>
  static R direct([[maybe_unused]] void* self, P... arguments) {
    if constexpr (std::is_empty_v<Closure> && std::is_default_constructible_v<Closure>) {
      return Closure{}(std::forward<P>(arguments)...);
    } else {
      auto* closure = static_cast<Closure*>(byname_function_closure(static_cast<byname_function*>(self)));
      return (*closure)(std::forward<P>(arguments)...);
    }
  }
};

template <class M>
struct Method;
template <class R, class C, class... P>
struct Method<R (C::*)(P...)> {
  using AsFunctor = CalledAs<R, P...>;
  using AsFree = CalledAs<R, C&, P...>;
  using Call = MemberCall<R (C::*)(P...), R, C&, P...>;
};
template <class R, class C, class... P>
struct Method<R (C::*)(P...) const> {
  using AsFunctor = CalledAs<R, P...>;
  using AsFree = CalledAs<R, const C&, P...>;
  using Call = MemberCall<R (C::*)(P...) const, R, const C&, P...>;
};
template <class R, class C, class... P>
struct Method<R (C::*)(P...) noexcept> : Method<R (C::*)(P...)> {};
template <class R, class C, class... P>
struct Method<R (C::*)(P...) const noexcept> : Method<R (C::*)(P...) const> {};

template <class F>
concept Functor = requires { typename Method<decltype(&F::operator())>::AsFunctor; };

template <class F>
struct Callable;
template <Functor F>
struct Callable<F> : Method<decltype(&F::operator())>::AsFunctor {
  using Closure = F;
};
template <class R, class... P>
struct Callable<R (*)(P...)> : CalledAs<R, P...> {
  using Closure = R (*)(P...);
};
template <class R, class... P>
struct Callable<R (*)(P...) noexcept> : Callable<R (*)(P...)> {};
template <class M>
  requires requires { typename Method<M>::AsFree; }
struct Callable<M> : Method<M>::AsFree {
  using Closure = typename Method<M>::Call;
};

template <class F>
concept Registrable = requires { typename Callable<std::decay_t<F>>::Closure; };

template <class F>
constexpr void check_registrable() {
  static_assert(Registrable<F>,
                "byname: what is registered is a function, a lambda whose parameters have types, a member function, or "
                "an object with one operator()");
}

}  // namespace detail

}  // namespace byname

#endif  // BYNAME_SIGNATURE_H_
