// Objects: counted, with a type that is known by name in every module.
//
//   struct ExprNode : byname::Derive<ExprNode, byname::Object, "ast.Expr"> {};
//   struct AddNode : byname::Derive<AddNode, ExprNode, "ast.Add"> {
//     AddNode(byname::Ref<ExprNode> a, byname::Ref<ExprNode> b) : a(a), b(b) {}
//     byname::Ref<ExprNode> a, b;
//   };
//
//   byname::Ref<AddNode> add = byname::make<AddNode>(a, b);
//
// An object is an instance of its own type and of that type's ancestors, never of a sibling's descendants.
// Do not give an Object a virtual function (its header would move) or make one other than by make(). An object cannot
// be referred to before its constructor has returned or once its destructor runs: no Ref to `this` in either.
#ifndef BYNAME_OBJECT_H_
#define BYNAME_OBJECT_H_

#include <atomic>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "byname/error.h"

namespace byname {

template <class T>
class Ref;
template <class T>
class ObjectPtr;

// The root of all object types: the 24-byte header.
class Object {
 public:
  using base_type = void;
  using self_type = Object;
  static constexpr std::string_view kTypeKey = "Object";

  int32_t type_index() const noexcept { return header_.type_index; }
  // The key of the object's own type, which may be below the static one's; of an index that a foreign runtime gave it
  // and nobody here knows, "Object". Valid for the life of the process.
  std::string_view type_key() const noexcept {
    const byname_type_info* info = byname_type_get(header_.type_index);
    return info == nullptr ? kTypeKey : detail::from_c(info->key);
  }
  // Strong references now; other threads may change it at once.
  uint32_t use_count() const noexcept {
    return static_cast<uint32_t>(__atomic_load_n(&header_.counts, __ATOMIC_RELAXED));
  }
  byname_object* raw() const noexcept { return const_cast<byname_object*>(&header_); }

 protected:
  // The header belongs to the allocation, not to the value: constructors and assignments leave it alone.
  Object() noexcept {}
  Object(const Object&) noexcept {}
  Object& operator=(const Object&) noexcept { return *this; }
  ~Object() = default;

 private:
  byname_object header_;
};
static_assert(sizeof(Object) == 24 && std::is_standard_layout_v<Object>);

namespace detail BYNAME_HIDDEN {

inline constinit byname_dso this_dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, nullptr};

}  // namespace detail

// A literal as a template argument.
template <size_t N>
struct FixedText {
  char characters[N];
  constexpr FixedText(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr std::string_view view() const { return {characters, N - 1}; }
};

// Declares the key and the parent of an object type, in any module and any number of modules. ChildSlots reserves type
// indices for descendants: is_instance finds these by one range check, whenever they are registered.
template <class Self, class Base, FixedText Key, int32_t ChildSlots = 0>
struct Derive : Base {
  static_assert(std::is_base_of_v<Object, Base>,
                "byname: an object type derives from byname::Object or one of its kin");
  using Base::Base;
  using base_type = Base;
  using self_type = Self;
  static constexpr std::string_view kTypeKey = Key.view();
  static constexpr int32_t kChildSlots = ChildSlots;
};

namespace detail BYNAME_HIDDEN {

template <class T>
concept ObjectType = std::is_base_of_v<Object, std::remove_cv_t<T>>;

template <class T>
concept OwnObjectType = ObjectType<T> && std::is_same_v<typename T::self_type, std::remove_cv_t<T>>;

// Stands for a type that the module has not asked for yet: no object has its index.
inline constexpr byname_type_info kUnknownType = [] {
  byname_type_info info{};
  info.type_index = 1 << 30;
  info.run_begin = BYNAME_NO_RUN;
  info.scatter = 2;
  return info;
}();

// What one module knows of a type, filled at first use. Threads that race to fill it write the same values.
struct TypeRecord {
  std::atomic<const byname_type_info*> info{&kUnknownType};
  std::atomic<byname_class*> owner{nullptr};
};

template <class T>
inline constinit TypeRecord type_record{};

// The core's table, once the module knows some type.
inline constinit std::atomic<const byname_type_info* const*> type_table{nullptr};

inline uint32_t relaxed(const uint32_t& value) noexcept { return __atomic_load_n(&value, __ATOMIC_RELAXED); }

// Whether the type is the other one or descends from it. Out of line: as<T> is written a lot.
__attribute__((noinline)) inline bool descends(int32_t type_index, const byname_type_info& ancestor) noexcept {
  if (static_cast<uint32_t>(type_index) >= BYNAME_MAX_TYPES) return false;
  const byname_type_info* info =
      __atomic_load_n(&type_table.load(std::memory_order_relaxed)[type_index], __ATOMIC_ACQUIRE);
  if (info == nullptr || info == &ancestor) return info != nullptr;
  return info->depth > ancestor.depth && info->ancestors[ancestor.depth] == &ancestor;
}

// Registers a type in the core's table. -1, and an error in the thread's slot, if its key is there with another parent.
BYNAME_COLD inline int32_t register_type(TypeRecord& record, int32_t parent, std::string_view key,
                                         int32_t slots) noexcept {
  byname_type_decl decl = {sizeof(byname_type_decl), parent, to_c(key), slots, &this_dso};
  int32_t index = -1;
  if (parent < 0 || byname_type_register(&decl, &index) != 0) return -1;
  type_table.store(byname_type_table(), std::memory_order_relaxed);
  record.info.store(byname_type_get(index), std::memory_order_release);
  return index;
}

// The same for a T that may be registered already.
template <class T>
int32_t find_type_index() noexcept {
  static_assert(OwnObjectType<T>, "byname: an object type names itself: struct T : byname::Derive<T, Base, \"key\">");
  if constexpr (std::is_same_v<T, Object>) {
    return BYNAME_OBJECT;
  } else {
    TypeRecord& record = type_record<T>;
    const byname_type_info* info = record.info.load(std::memory_order_acquire);
    if (__builtin_expect(info != &kUnknownType, 1)) return info->type_index;
    return register_type(record, find_type_index<typename T::base_type>(), T::kTypeKey, T::kChildSlots);
  }
}

template <class T>
int32_t type_index() {
  int32_t index = find_type_index<T>();
  if (__builtin_expect(index < 0, 0)) throw_raised();
  return index;
}

BYNAME_COLD inline bool forget_raised() noexcept {
  byname_object_release(byname_error_take());
  return false;
}

BYNAME_COLD inline byname_class* register_class(TypeRecord& record, const byname_class_decl& decl) {
  byname_class* owner = nullptr;
  check(byname_class_register(&decl, &owner));
  record.owner.store(owner, std::memory_order_release);
  return owner;
}

template <class T>
byname_class* class_of() {
  TypeRecord& record = type_record<T>;
  byname_class* owner = record.owner.load(std::memory_order_acquire);
  if (__builtin_expect(owner != nullptr, 1)) return owner;
  static_assert(std::is_nothrow_destructible_v<T>, "byname: the destructor of an object must be noexcept");
  byname_class_decl decl = {sizeof(byname_class_decl), type_index<T>(), sizeof(T), alignof(T), nullptr, &this_dso};
  if constexpr (!std::is_trivially_destructible_v<T>) {
    decl.destroy = [](void* object) { static_cast<T*>(object)->~T(); };
  }
  return register_class(record, decl);
}

}  // namespace detail

// The type index of T in this process; registers T if need be. Throws TypeError if the key is taken with another
// parent.
template <class T>
int32_t type_index() {
  return detail::type_index<T>();
}

namespace detail BYNAME_HIDDEN {

// Beyond the type's own index and the slots behind it.
template <class T>
__attribute__((noinline)) bool is_distant_instance(uint32_t index) noexcept {
  const byname_type_info* wanted = type_record<T>.info.load(std::memory_order_acquire);
  uint32_t scatter = relaxed(wanted->scatter);
  if (scatter == 0) return false;
  if (index - relaxed(wanted->run_begin) < relaxed(wanted->run_slots)) return true;
  if (scatter == 1) return false;
  if (find_type_index<T>() < 0) return forget_raised();
  return descends(static_cast<int32_t>(index), *type_record<T>.info.load(std::memory_order_relaxed));
}

}  // namespace detail

// Whether the object is a T or descends from one. False where T is not a type at all, because its key is another's:
// nothing can be made of such a T.
template <class T>
__attribute__((always_inline)) inline bool is_instance(const Object& object) noexcept {
  if constexpr (std::is_same_v<T, Object>) {
    return true;
  } else {
    const byname_type_info* wanted = detail::type_record<T>.info.load(std::memory_order_acquire);
    auto index = static_cast<uint32_t>(object.type_index());
    // Whoever has an object sees what the registration of its type wrote.
    uint32_t distance = index - static_cast<uint32_t>(wanted->type_index);
    if (__builtin_expect(distance <= detail::relaxed(wanted->slots), 1)) return true;
    return detail::is_distant_instance<T>(index);
  }
}

// The same; false for NULL.
template <class T>
__attribute__((always_inline)) inline bool is_instance(const Object* object) noexcept {
  return object != nullptr && is_instance<T>(*object);
}

}  // namespace byname

#endif  // BYNAME_OBJECT_H_
