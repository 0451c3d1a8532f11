// Factories: making objects of a type by the name of what derives from it.
//
//   BYNAME_LIBRARY("filters", lib) {
//     lib.type<Filter>("Filter", "Changes an image.");
//     lib.factory<Filter>("filter").product<Blur, int64_t>("Blur", {"radius"_a = 1}, "Averages neighbours.");
//   }
//   auto blur = byname::Factory<Filter>().create("Blur", "radius"_a = 3);   // std::shared_ptr<Filter>
#ifndef BYNAME_FACTORY_H_
#define BYNAME_FACTORY_H_

#include "byname/convert_std.h"
#include "byname/map.h"
#include "byname/type_builder.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

template <class Base>
int32_t factory_base() {
  if constexpr (ObjectType<Base>) {
    return byname::type_index<Base>();
  } else {
    return need_box_index<Base>();
  }
}

// How a creator gives a product away, and how whoever asked holds it.
template <class Base>
using MadeProduct = std::conditional_t<ObjectType<Base>, Ref<Base>, std::unique_ptr<Base>>;
template <class Base>
using Product = std::conditional_t<ObjectType<Base>, Ref<Base>, std::shared_ptr<Base>>;

template <class R, class... P>
R result_of(Signature<R, P...>);

__attribute__((noinline)) inline void define_product(byname_library* library, int32_t base,
                                                     const Description& description, byname_definition definition) {
  std::vector<byname_parameter> parameters = description.fill(definition);
  check(byname_library_product(library, base, &definition));
}

}  // namespace detail

// What Library::factory returns; only valid in the block.
template <class Base>
class FactoryBuilder {
 public:
  explicit FactoryBuilder(Library library) : library_(library) {}
  // Registers Derived(P...). `arguments` name the parameters.
  template <class Derived, class... P>
  FactoryBuilder& product(const Name& name, std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr) {
    library_.product<Base, Derived, P...>(name, arguments, doc);
    return *this;
  }
  template <class Derived>
  FactoryBuilder& product(const Name& name, const char* doc) {
    library_.product<Base, Derived>(name, {}, doc);
    return *this;
  }

 private:
  Library library_;
};

template <class Base>
FactoryBuilder<Base> Library::factory(const Name& name) {
  detail::check(
      byname_library_factory(raw_, detail::to_c(name.text), detail::factory_base<Base>(), name.file, name.line));
  return FactoryBuilder<Base>(*this);
}

template <class Base, class Derived, class... P>
Library& Library::product(const Name& name, std::initializer_list<ArgRef> arguments, const char* doc) {
  static_assert(std::is_base_of_v<Base, Derived>, "byname: a product derives from the class that its factory makes");
  auto create = [](P... parameters) -> detail::MadeProduct<Base> {
    if constexpr (detail::ObjectType<Base>) {
      return make<Derived>(std::forward<P>(parameters)...);
    } else {
      return std::make_unique<Derived>(std::forward<P>(parameters)...);
    }
  };
  return creator<Base>(name, create, arguments, doc);
}

template <class Base, class F>
Library& Library::creator(const Name& name, F&& function, std::initializer_list<ArgRef> arguments, const char* doc) {
  detail::check_registrable<F>();
  using Signature = typename detail::Callable<std::decay_t<F>>::Signature;
  static_assert(std::is_same_v<decltype(detail::result_of(Signature())), detail::MadeProduct<Base>>,
                "byname: a creator returns a std::unique_ptr<Base> or, of an Object, a Ref<Base>");
  auto closure = detail::closure_of(std::forward<F>(function));
  detail::define_product(raw_, detail::factory_base<Base>(), {name, {arguments.begin(), arguments.size()}, doc},
                         detail::definition_of<std::decay_t<F>>(closure));
  return *this;
}

// The objects that can be made of one type, by the names of their types. Copies are the same.
template <class Base>
class Factory {
 public:
  using Product = detail::Product<Base>;

  // The factory of Base. Throws NotFound if no library that is loaded declares it.
  Factory() {
    detail::check(byname_attach());  // the block that declares it may be this program's
    Any prefix;
    detail::check(byname_factory_of(detail::factory_base<Base>(), prefix.out()));
    prefix_ = prefix.to<std::string>();
  }
  // Makes one. Arguments as for any call: values, then named ones. Throws NotFound for an unknown type, with near
  // ones, and what its creator throws.
  template <class... A>
  Product create(std::string_view type, A&&... arguments) const {
    return creator(type)(std::forward<A>(arguments)...).template to<Product>();
  }
  // Makes what a configuration says: "type", and arguments by their names, nested. Throws ValueError that tells all
  // that is wrong with it.
  Product create(const Map<String, Any>& config) const {
    Any made;
    AnyView view(config);
    detail::check(byname_factory_create(detail::to_c(prefix_), &view.raw(), made.out()));
    return made.to<Product>();
  }
  // The function that makes those of a type. Throws NotFound, which tells near names.
  Handle creator(std::string_view type) const {
    bool is_overload = type.find('.') != std::string_view::npos;
    return get(prefix_ + (is_overload ? "::" : ".") + std::string(type));
  }
  // The names of all types, sorted.
  std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const std::string& name : names(prefix_ + ".")) {
      std::string type = name.substr(prefix_.size() + 1);
      if (type.find('.') == std::string::npos) types.push_back(std::move(type));
    }
    return types;
  }
  const std::string& prefix() const noexcept { return prefix_; }

 private:
  std::string prefix_;
};

}  // namespace byname

#endif  // BYNAME_FACTORY_H_
