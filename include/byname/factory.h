// Factories: making objects of a type by the name of what derives from it.
//
//   BYNAME_LIBRARY("filters", lib) {
//     lib.type<Filter>("Filter", "Changes an image.");
//     lib.factory<Filter>("filter").product<Blur, int64_t>("Blur", {"radius"_a = 1}, "Averages neighbours.");
//   }
//
//   byname::Factory<Filter> filters;
//   std::shared_ptr<Filter> blur = filters.create("Blur", "radius"_a = 3);
#ifndef BYNAME_FACTORY_H_
#define BYNAME_FACTORY_H_

#include <atomic>
#include <cstring>
#include <tuple>

#include "byname/convert_std.h"
#include "byname/dtype.h"
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

// How whoever asked for a product holds it.
template <class Base>
using Product = std::conditional_t<ObjectType<Base>, Ref<Base>, Boxed<Base>>;

template <class Base>
Product<Base> to_product(Any made) {
  if constexpr (!ObjectType<Base>) {
    if (Base* object = load_box<Base>(made.raw())) return {object, made.leak().as_object, Adopt()};
  }
  return made.to<Product<Base>>();
}

__attribute__((noinline)) inline void define_product(byname_library* library, int32_t base,
                                                     const Description& description, byname_definition definition) {
  std::vector<byname_parameter> parameters = description.fill(definition);
  check(byname_library_product(library, base, &definition));
}

}  // namespace detail

namespace detail {

// Entries of names that were looked up, by the names' ends. They stay for the life of the process, so that any thread
// may read and write here.
class EntryCache {
 public:
  EntryCache() = default;
  EntryCache(const EntryCache&) noexcept {}
  EntryCache& operator=(const EntryCache&) noexcept { return *this; }
  // NULL if there is none of a name of that size in which `part` begins at `at`, or nothing is registered under it now.
  byname_entry* find(size_t size, size_t at, std::string_view part) const noexcept {
    byname_entry* entry = place(part).load(std::memory_order_acquire);
    if (entry == nullptr || entry->name_size != size) return nullptr;
    if (std::memcmp(entry->name + at, part.data(), part.size()) != 0) return nullptr;
    return __atomic_load_n(&entry->cell, __ATOMIC_ACQUIRE) == nullptr ? nullptr : entry;
  }
  void put(std::string_view part, byname_entry* entry) const noexcept {
    place(part).store(entry, std::memory_order_release);
  }

 private:
  std::atomic<byname_entry*>& place(std::string_view part) const noexcept {
    size_t hash = part.empty() ? 0
                               : 31 * part.size() + 7 * static_cast<unsigned char>(part.front()) +
                                     static_cast<unsigned char>(part.back());
    return entries_[hash % std::size(entries_)];
  }
  mutable std::atomic<byname_entry*> entries_[32] = {};
};

// A Derived that will be constructed in the box that holds it as a Base.
template <class Base, class Derived, class... P>
struct InBox {
  std::tuple<P...> arguments;
};

}  // namespace detail

template <class Base, class Derived, class... P>
struct Convert<detail::InBox<Base, Derived, P...>> {
  static constexpr const byname_type& kType = Convert<Base>::kType;
  static void store(byname_any* out, detail::InBox<Base, Derived, P...> made) {
    std::apply([out](P&&... parameters) { detail::emplace_box<Base, Derived>(out, std::forward<P>(parameters)...); },
               std::move(made.arguments));
  }
};

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

// The same of a class template.
template <template <class> class Base, class... T>
class FactoryTemplateBuilder<Base, Types<T...>> {
 public:
  explicit FactoryTemplateBuilder(Library library) : library_(library) {}
  // Registers Derived<T>(P...) for each T.
  template <template <class> class Derived, class... P>
  FactoryTemplateBuilder& product(const Name& name, std::initializer_list<ArgRef> arguments = {},
                                  const char* doc = nullptr) {
    library_.product<Base, Derived, Types<T...>, P...>(name, arguments, doc);
    return *this;
  }

 private:
  Library library_;
};

template <class Base>
FactoryBuilder<Base> Library::factory(const Name& name, std::string_view variant) {
  detail::check(byname_library_factory(raw_, {detail::to_c(name.text), detail::to_c(variant)},
                                       detail::factory_base<Base>(), name.file, name.line));
  return FactoryBuilder<Base>(*this);
}

template <template <class> class Base, class Scalars>
FactoryTemplateBuilder<Base, Scalars> Library::factory(const Name& name) {
  [&]<class... T>(Types<T...>) { (factory<Base<T>>(name, DType::of<T>().print()), ...); }(Scalars());
  return FactoryTemplateBuilder<Base, Scalars>(*this);
}

template <class Base, class Derived, class... P>
Library& Library::product(const Name& name, std::initializer_list<ArgRef> arguments, const char* doc) {
  static_assert(std::is_base_of_v<Base, Derived>, "byname: a product derives from the class that its factory makes");
  static_assert(std::is_constructible_v<Derived, P...>,
                "byname: a product has a constructor of the parameters that product<Base, Derived, P...> lists");
  auto define = [&](auto create) {
    detail::define_product(raw_, detail::factory_base<Base>(), {name, {arguments.begin(), arguments.size()}, doc},
                           detail::definition_of<decltype(create)>(create));
  };
  if constexpr (detail::ObjectType<Base>) {
    define([](P... parameters) -> Ref<Base> { return make<Derived>(std::forward<P>(parameters)...); });
  } else {
    define([](P... parameters) -> detail::InBox<Base, Derived, P...> { return {{std::forward<P>(parameters)...}}; });
  }
  return *this;
}

template <template <class> class Base, template <class> class Derived, class Scalars, class... P>
Library& Library::product(const Name& name, std::initializer_list<ArgRef> arguments, const char* doc) {
  [&]<class... T>(Types<T...>) { (product<Base<T>, Derived<T>, P...>(name, arguments, doc), ...); }(Scalars());
  return *this;
}

template <class Base, class F>
Library& Library::creator(const Name& name, F&& function, std::initializer_list<ArgRef> arguments, const char* doc) {
  detail::check_registrable<F>();
  using Signature = typename detail::Callable<std::decay_t<F>>::Signature;
  static_assert(std::is_same_v<decltype(detail::result_of(Signature())),
                               std::conditional_t<detail::ObjectType<Base>, Ref<Base>, std::unique_ptr<Base>>>,
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
    Any variant;
    detail::check(byname_factory_of(detail::factory_base<Base>(), prefix.out(), variant.out()));
    prefix_ = prefix.to<std::string>();
    variant_ = variant.to<std::string>();
  }
  // Makes one. Arguments as for any call: values, then named ones. Throws NotFound for an unknown type, with known and
  // near ones, and what its creator throws.
  template <class... A>
  Product create(std::string_view type, A&&... arguments) const {
    return detail::to_product<Base>(creator(type)(std::forward<A>(arguments)...));
  }
  // Makes what a configuration says, a map: "type", and arguments by their names, nested. Throws ValueError that tells
  // all that is wrong with it.
  Product create(AnyView config) const {
    Any made;
    detail::check(byname_factory_create(raw(), &config.raw(), made.out()));
    return detail::to_product<Base>(std::move(made));
  }
  Product create(const Map<String, Any>& config) const { return create(AnyView(Any(config))); }
  // The function that makes those of a type. Throws NotFound as create does.
  Handle creator(std::string_view type) const {
    // `prefix.type`, or `prefix::type.variant`.
    const size_t before = prefix_.size() + (variant_.empty() ? 1 : 2);
    const size_t size = before + type.size() + (variant_.empty() ? 0 : 1 + variant_.size());
    byname_entry* entry = known_.find(size, before, type);
    if (__builtin_expect(entry != nullptr, 1)) return Handle(entry);
    entry = byname_factory_get(raw(), detail::to_c(type));
    if (entry == nullptr) detail::throw_raised();
    if (entry->name_size == size) known_.put(type, entry);  // others are overloads, `prefix::Type.overload`
    return Handle(entry);
  }
  // The names of all types, sorted.
  std::vector<std::string> types() const {
    Any list;
    detail::check(byname_factory_types(raw(), list.out()));
    return detail::texts_of(list);
  }
  const std::string& prefix() const noexcept { return prefix_; }
  const std::string& variant() const noexcept { return variant_; }  // "" if it has none

 private:
  byname_factory raw() const noexcept { return {detail::to_c(prefix_), detail::to_c(variant_)}; }
  std::string prefix_;
  std::string variant_;
  detail::EntryCache known_;
};

}  // namespace byname

#endif  // BYNAME_FACTORY_H_
