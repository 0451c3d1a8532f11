// Registering: blocks, and single functions whose registration is an object.
//
//   BYNAME_LIBRARY("math", lib) {
//     lib.def("add", [](int64_t a, int64_t b) { return a + b; }, {"a"_a, "b"_a = 1}, "Add two integers.");
//   }
//
// A block is data until its shared object is attached (by byname::load, or the next look-up). Then it runs once and
// fills a private batch, which is registered as a whole; an exception in it, a duplicate or a bad schema registers
// nothing and is the load's error.
#ifndef BYNAME_LIBRARY_H_
#define BYNAME_LIBRARY_H_

#include "byname/handle.h"

namespace byname {

// A name or schema, with the place where it is written. Texts live as long as the module: literals.
struct Name {
  Name(const char* text, const char* file = __builtin_FILE(), int line = __builtin_LINE()) noexcept  // NOLINT
      : text(text), file(file), line(line) {}
  Name(std::string_view text, const char* file = __builtin_FILE(), int line = __builtin_LINE()) noexcept  // NOLINT
      : text(text), file(file), line(line) {}
  std::string_view text;
  const char* file;
  int line;
};

struct Flags {
  uint32_t bits = 0;
  friend constexpr Flags operator|(Flags a, Flags b) noexcept { return {a.bits | b.bits}; }
};
// The function may wait: bindings let other work go on meanwhile (Python releases the GIL).
inline constexpr Flags blocking{BYNAME_BLOCKING};
// The name is the module's own: Module::get gives it, get() and names() do not, and other modules may have it, too.
inline constexpr Flags local{BYNAME_LOCAL};

// A list of types, as a template argument.
template <class... T>
struct Types {};

template <class T>
class TypeBuilder;
template <class Base>
class FactoryBuilder;
template <template <class> class Base, class Scalars>
class FactoryTemplateBuilder;

namespace detail BYNAME_HIDDEN {

template <class R, class... P>
R result_of(Signature<R, P...>);

// What def() gathers, independent of the callable's type.
struct Description {
  const Name& name;
  std::span<const ArgRef> arguments = {};
  const char* doc = nullptr;
  Flags flags = {};
  std::string_view scope = {};

  // Returns what definition.parameters points to.
  [[nodiscard]] std::vector<byname_parameter> fill(byname_definition& definition) const {
    std::vector<byname_parameter> parameters;
    parameters.reserve(arguments.size());
    for (const ArgRef& argument : arguments) parameters.push_back(argument.raw());
    definition.text = to_c(name.text);
    definition.file = name.file;
    definition.line = name.line;
    definition.doc = to_c(doc == nullptr ? std::string_view() : std::string_view(doc));
    definition.flags |= flags.bits;
    definition.scope = to_c(scope);
    definition.parameters = parameters.data();
    definition.num_parameters = parameters.size();
    return parameters;
  }
};

__attribute__((noinline)) inline void define(byname_library* library, const Description& description,
                                             byname_definition definition) {
  std::vector<byname_parameter> parameters = description.fill(definition);
  check(byname_library_define(library, &definition));
}

// The object, then those that are named; where none is, under the names that parameters without one have.
inline std::vector<ArgRef> arguments_of_method(std::initializer_list<ArgRef> named, int32_t arity) {
  constexpr std::string_view kPlaces[] = {"self", "_1", "_2", "_3", "_4", "_5", "_6", "_7"};
  if (named.size() == 0 && (arity < 1 || arity > static_cast<int32_t>(std::size(kPlaces)))) return {};
  std::vector<ArgRef> all = {ArgName(kPlaces[0])};
  all.insert(all.end(), named.begin(), named.end());
  for (int32_t i = 1; named.size() == 0 && i < arity; ++i) all.emplace_back(ArgName(kPlaces[i]));
  return all;
}

// For callables without state, which most are: the least code for each, so what describes it comes in registers.
__attribute__((noinline)) inline void define_stateless(byname_library* library, const Name& name,
                                                       std::span<const ArgRef> arguments, const char* doc, Flags flags,
                                                       byname_signature* signature, void (*direct)(),
                                                       std::string_view scope) {
  byname_definition definition{};
  definition.struct_size = sizeof(byname_definition);
  definition.signature = signature;
  definition.direct = direct;
  definition.dso = &this_dso;
  define(library, {name, arguments, doc, flags, scope}, definition);
}

}  // namespace detail

// The batch of a block that is running. Only valid in the block.
class Library {
 public:
  explicit Library(byname_library* raw) noexcept : raw_(raw) {}

  // Registers a callable under `name` (or `name.overload`) in the block's namespace, or under a schema that begins with
  // one. Without a schema it is inferred; `arguments` then name all parameters. Throws ValueError for a bad schema, bad
  // defaults, a schema that the callable's signature contradicts.
  template <class F>
  Library& def(const Name& name, F&& function, const char* doc = nullptr, Flags flags = {}) {
    return define(name, std::forward<F>(function), {}, doc, flags);
  }
  template <class F>
  Library& def(const Name& name, F&& function, Flags flags, const char* doc = nullptr) {
    return define(name, std::forward<F>(function), {}, doc, flags);
  }
  template <class F>
  Library& def(const Name& name, F&& function, std::initializer_list<ArgRef> arguments, const char* doc = nullptr,
               Flags flags = {}) {
    return define(name, std::forward<F>(function), {arguments.begin(), arguments.size()}, doc, flags);
  }
  template <class F>
  Library& def(const Name& name, F&& function, std::initializer_list<ArgRef> arguments, Flags flags,
               const char* doc = nullptr) {
    return define(name, std::forward<F>(function), {arguments.begin(), arguments.size()}, doc, flags);
  }
  // Registers a C++ class, which is no Object, as it is, with its C++ bases (registered before it): `name` in the
  // block's namespace is its key. Include type_builder.h (byname.h does).
  template <class T, class... Bases>
  TypeBuilder<T> type(const Name& name, const char* doc);
  template <class T, class... Bases>
    requires(!detail::ObjectType<T>)
  TypeBuilder<T> type(const Name& name) {
    return type<T, Bases...>(name, nullptr);
  }
  // Registers an Object type, whose key is in its declaration and below the block's namespace.
  template <detail::OwnObjectType T>
  TypeBuilder<T> type(const Name& doc);
  // Declares that names below `name` in the block's namespace make objects of Base, a registered type; with a variant,
  // that the overloads of that name do, so that several factories may share their names. Include factory.h (byname.h
  // does).
  template <class Base>
  FactoryBuilder<Base> factory(const Name& name, std::string_view variant = {});
  // The same for a class template of a scalar: Scalars is Types<float, ...>, and each Base<T>, registered before, has
  // the variant that T's dtype is called by.
  template <template <class> class Base, class Scalars>
  FactoryTemplateBuilder<Base, Scalars> factory(const Name& name);
  // Registers a class that derives from Base, with a constructor of P..., as `name` of Base's factory, whichever block
  // or module declares that. Throws ValueError if none does.
  template <class Base, class Derived, class... P>
  Library& product(const Name& name, std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr);
  // The same for class templates: Derived<T>, which derives from Base<T>, for each of Scalars, Types<float, ...>.
  template <template <class> class Base, template <class> class Derived, class Scalars, class... P>
  Library& product(const Name& name, std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr);
  // The same for a callable that makes one: it returns a std::unique_ptr<Base> or, of an Object, a Ref<Base>.
  template <class Base, class F>
  Library& creator(const Name& name, F&& function, std::initializer_list<ArgRef> arguments = {},
                   const char* doc = nullptr);
  // Registers `command.name` in the block's namespace: a callable that returns its exit status, an int, and that
  // `byname command` runs with what the command line says. Other work goes on meanwhile, as with `blocking`.
  template <class F>
  Library& command(const Name& name, F&& function, std::initializer_list<ArgRef> arguments = {},
                   const char* doc = nullptr) {
    detail::check_registrable<F>();
    using Result = decltype(detail::result_of(typename detail::Callable<std::decay_t<F>>::Signature()));
    static_assert(std::is_same_v<Result, int>, "byname: a command returns its exit status, an int");
    return define(name, std::forward<F>(function), {arguments.begin(), arguments.size()}, doc, blocking, "command");
  }
  // `name` calls `target` (a name of this namespace, or a full one) and warns once that it is deprecated.
  Library& alias(const Name& name, std::string_view target, std::string_view since = {}) {
    detail::check(byname_library_alias(raw_, detail::to_c(name.text), detail::to_c(target), detail::to_c(since),
                                       name.file, name.line));
    return *this;
  }
  // Claims the namespace: blocks of other modules that add to it fail.
  Library& own(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    detail::check(byname_library_own(raw_, file, line));
    return *this;
  }
  // Runs when the module is unloaded, after its names are gone, or at once if its registration fails after this: stop
  // and join its threads there. What is to end with the process, too, belongs into the destructor of a static object.
  Library& on_unload(void (*function)()) {
    detail::check(byname_library_on_unload(
        raw_, [](void* context) { reinterpret_cast<void (*)()>(context)(); }, reinterpret_cast<void*>(function)));
    return *this;
  }
  std::string_view prefix() const noexcept { return detail::from_c(byname_library_prefix(raw_)); }
  byname_library* raw() const noexcept { return raw_; }

 private:
  template <class T>
  friend class TypeBuilder;

  template <class F>
  void define_method(std::string_view type, const Name& name, F&& function, std::initializer_list<ArgRef> arguments,
                     const char* doc, Flags flags) {
    detail::check_registrable<F>();
    std::vector<ArgRef> all =
        detail::arguments_of_method(arguments, detail::Callable<std::decay_t<F>>::Signature::record.arity);
    define(name, std::forward<F>(function), all, doc, flags, type);
  }
  template <class F>
  Library& define(const Name& name, F&& function, std::span<const ArgRef> arguments, const char* doc, Flags flags,
                  std::string_view scope = {}) {
    detail::check_registrable<F>();
    using Callable = detail::Callable<std::decay_t<F>>;
    using Closure = typename Callable::Closure;
    if constexpr (std::is_empty_v<Closure> && std::is_default_constructible_v<Closure>) {
      detail::define_stateless(raw_, name, arguments, doc, flags, &Callable::Signature::record,
                               reinterpret_cast<void (*)()>(&Callable::template direct<Closure>), scope);
    } else {
      auto closure = detail::closure_of(std::forward<F>(function));
      detail::define(raw_, {name, arguments, doc, flags, scope}, detail::definition_of<std::decay_t<F>>(closure));
    }
    return *this;
  }
  byname_library* raw_;
};

namespace detail BYNAME_HIDDEN {

class LibraryNode {
 public:
  LibraryNode(const char* prefix, const char* file, int line, void (*run)(byname_library*)) noexcept
      : node_{sizeof(byname_library_node), BYNAME_ABI_VERSION, to_c(prefix), file, line, 0, run, &this_dso, nullptr} {
    byname_library_link(&node_);
  }
  LibraryNode(const LibraryNode&) = delete;
  LibraryNode& operator=(const LibraryNode&) = delete;
  ~LibraryNode() { byname_library_unlink(&node_); }

 private:
  byname_library_node node_;
};

template <void (*Block)(Library&)>
void run_block(byname_library* raw) {
  Library library(raw);
  Block(library);
}

}  // namespace detail

namespace detail BYNAME_HIDDEN {

inline std::vector<std::string> texts_of(const Any& list) {
  const auto* array = reinterpret_cast<const byname_array*>(list.raw().as_object);
  std::vector<std::string> texts;
  for (int64_t i = 0; i < array->size; ++i) texts.push_back(AnyView(array->data[i]).to<std::string>());
  return texts;
}

}  // namespace detail

// A registration that ends with this object. Not for what a module registers for its life: that is a block.
class Registration {
 public:
  Registration() noexcept = default;
  explicit Registration(byname_registration* raw) noexcept : raw_(raw) {}
  Registration(Registration&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Registration& operator=(Registration&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Registration() { remove(); }
  // Now.
  void remove() noexcept {
    if (raw_ != nullptr) byname_registration_remove(std::exchange(raw_, nullptr));
  }
  // Never.
  void keep() noexcept {
    if (raw_ != nullptr) byname_registration_keep(std::exchange(raw_, nullptr));
  }

 private:
  byname_registration* raw_ = nullptr;
};

// Registers one callable under its full name (or a schema that begins with it), at once. Throws ValueError for a
// duplicate, naming both places, and what def() throws.
template <class F>
[[nodiscard]] Registration register_function(const Name& name, F&& function,
                                             std::initializer_list<ArgRef> arguments = {}, const char* doc = nullptr,
                                             Flags flags = {}) {
  auto closure = detail::closure_of(std::forward<F>(function));
  byname_definition definition = detail::definition_of<std::decay_t<F>>(closure);
  detail::Description description{name, {arguments.begin(), arguments.size()}, doc, flags};
  std::vector<byname_parameter> parameters = description.fill(definition);
  byname_registration* registration = nullptr;
  detail::check(byname_register(&definition, &registration));
  return Registration(registration);
}

// Removes what is registered under a full name. Throws NotFound.
inline void remove(std::string_view name) { detail::check(byname_remove(detail::to_c(name))); }

// The registered names that begin with `prefix`, sorted.
inline std::vector<std::string> names(std::string_view prefix = {}) {
  Any list;
  detail::check(byname_names(detail::to_c(prefix), list.out()));
  return detail::texts_of(list);
}

}  // namespace byname

#define BYNAME_LIBRARY(prefix, library) BYNAME_LIBRARY_(prefix, library, __COUNTER__)
#define BYNAME_LIBRARY_(prefix, library, number) BYNAME_LIBRARY__(prefix, library, number)
#define BYNAME_LIBRARY__(prefix, library, number)                                                                 \
  static void byname_block_##number(::byname::Library& library);                                                  \
  static ::byname::detail::LibraryNode byname_node_##number(prefix, __builtin_FILE(), __builtin_LINE(),           \
                                                            &::byname::detail::run_block<byname_block_##number>); \
  static void byname_block_##number(::byname::Library& library)

// For static libraries that are not linked whole (byname_link_libraries in CMake links them so): BYNAME_ENTRY(name)
// beside the blocks of a source file, and BYNAME_ATTACH(name) in the program keep that file's blocks, whatever the
// linker.
#define BYNAME_ENTRY(name) \
  extern "C" void byname_entry_##name() {}
#define BYNAME_ATTACH(name)              \
  extern "C" void byname_entry_##name(); \
  __attribute__((used)) static void (*const byname_attached_##name)() = &byname_entry_##name

#endif  // BYNAME_LIBRARY_H_
