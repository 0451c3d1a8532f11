// Registering types: constructors, methods, bases.
#ifndef BYNAME_TYPE_BUILDER_H_
#define BYNAME_TYPE_BUILDER_H_

#include "byname/box.h"
#include "byname/library.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

// A pointer to an inherited member as one of T: it names the base class, which need not be registered.
template <class T, class R, class C, class... P>
auto member_of(R (C::*member)(P...)) -> R (T::*)(P...) {
  return member;
}
template <class T, class R, class C, class... P>
auto member_of(R (C::*member)(P...) const) -> R (T::*)(P...) const {
  return member;
}

}  // namespace detail

// What Library::type returns; only valid in the block. The constructor is registered under the type's key, a method `m`
// as `key.m` with the object as its first argument.
template <class T>
class TypeBuilder {
 public:
  TypeBuilder(Library library, std::string_view name, const char* doc, const char* file, int line)
      : library_(library), name_(name), doc_(doc), file_(file), line_(line) {}

  // T(P...). `arguments` name the parameters.
  template <class... P>
  TypeBuilder& init(std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr) {
    auto construct = [](P... parameters) {
      if constexpr (detail::ObjectType<T>) {
        return make<T>(std::forward<P>(parameters)...);
      } else if constexpr (std::is_move_constructible_v<T>) {
        return T(std::forward<P>(parameters)...);
      } else {
        return std::make_unique<T>(std::forward<P>(parameters)...);
      }
    };
    return define_constructor(construct, arguments, doc);
  }
  // A callable that makes one, under the type's key as a constructor is.
  template <class F>
    requires detail::Registrable<F>
  TypeBuilder& init(F&& function, std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr) {
    return define_constructor(std::forward<F>(function), arguments, doc);
  }
  // A member function (inherited ones, too), or a callable that takes the object first. `arguments` name the parameters
  // behind the object.
  template <class F>
  TypeBuilder& method(const Name& name, F&& function, std::initializer_list<ArgRef> arguments = {},
                      const char* doc = nullptr, Flags flags = {}) {
    return define(name, std::forward<F>(function), arguments, doc, flags);
  }
  template <class F>
  TypeBuilder& method(const Name& name, F&& function, const char* doc, Flags flags = {}) {
    return define(name, std::forward<F>(function), {}, doc, flags);
  }

 private:
  // A key that is deeper than the block's namespace is no name of an overload.
  template <class F>
  TypeBuilder& define_constructor(F&& function, std::initializer_list<ArgRef> arguments, const char* doc) {
    size_t base = name_.rfind('.') + 1;  // npos + 1 is 0
    library_.define(Name(name_.substr(base), file_, line_), std::forward<F>(function),
                    {arguments.begin(), arguments.size()}, doc == nullptr ? doc_ : doc, {},
                    name_.substr(0, base == 0 ? 0 : base - 1));
    return *this;
  }
  template <class F>
  TypeBuilder& define(const Name& name, F&& function, std::initializer_list<ArgRef> arguments, const char* doc,
                      Flags flags) {
    if constexpr (std::is_member_function_pointer_v<std::decay_t<F>>) {
      library_.define_method(name_, name, detail::member_of<T>(function), arguments, doc, flags);
    } else {
      library_.define_method(name_, name, std::forward<F>(function), arguments, doc, flags);
    }
    return *this;
  }
  Library library_;
  std::string_view name_;
  const char* doc_;
  const char* file_;
  int line_;
};

namespace detail BYNAME_HIDDEN {

template <class T, class Base>
byname_box_base box_base() {
  static_assert(std::is_base_of_v<Base, T>, "byname: a declared base is a base class");
  return {need_box_index<Base>(), [](void* derived) -> void* { return static_cast<Base*>(static_cast<T*>(derived)); }};
}

template <class T>
void register_box(byname_library* library, std::string_view name, const byname_box_base* bases, size_t num_bases) {
  std::string key(from_c(byname_library_prefix(library)));
  key.append(key.empty() ? "" : ".").append(name);
  byname_box_decl decl = {
      sizeof(byname_box_decl), to_c(key), &typeid(T), bases, num_bases, &this_dso, sizeof(T), alignof(T)};
  int32_t index = 0;
  check(byname_box_register(&decl, &index));
  box_index<T>.store(index, std::memory_order_release);
}

}  // namespace detail

template <class T, class... Bases>
TypeBuilder<T> Library::type(const Name& name, const char* doc) {
  static_assert(!detail::ObjectType<T>,
                "byname: an Object's key is in its declaration: lib.type<T>(\"documentation\")");
  static_assert(detail::BoxedClass<T>, "byname: lib.type<T> registers a class that no other conversion takes");
  if constexpr (sizeof...(Bases) > 0) {
    const byname_box_base bases[] = {detail::box_base<T, Bases>()...};
    detail::register_box<T>(raw_, name.text, bases, sizeof...(Bases));
  } else {
    detail::register_box<T>(raw_, name.text, nullptr, 0);
  }
  return TypeBuilder<T>(*this, name.text, doc, name.file, name.line);
}

template <detail::OwnObjectType T>
TypeBuilder<T> Library::type(const Name& doc) {
  byname::type_index<T>();
  if constexpr (std::is_nothrow_destructible_v<T>) detail::class_of<T>();  // another layout is the load's error
  std::string_view name = T::kTypeKey;
  if (std::string_view space = prefix(); !space.empty()) {
    if (name.size() <= space.size() || name.substr(0, space.size()) != space || name[space.size()] != '.') {
      throw Error("ValueError",
                  "the type '" + std::string(name) + "' is not in its block's namespace '" + std::string(space) + "'",
                  doc.file, doc.line);
    }
    name.remove_prefix(space.size() + 1);
  }
  return TypeBuilder<T>(*this, name, doc.text.data(), doc.file, doc.line);
}

}  // namespace byname

#endif  // BYNAME_TYPE_BUILDER_H_
