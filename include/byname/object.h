// Objects: counted, with a type that is known by name in every module.
//
//   struct ExprNode : byname::Derive<ExprNode, byname::Object, "ast.Expr"> {};
//   struct AddNode : byname::Derive<AddNode, ExprNode, "ast.Add"> { byname::Ref<ExprNode> a, b; ... };
//   byname::Ref<AddNode> add = byname::make<AddNode>(a, b);
//
// An object is an instance of its own type and of that type's ancestors, never of a sibling's descendants.
// Do not give an Object a virtual function (its header would move) or make one other than by make().
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
  // The key of the object's own type, which may be below the static one's. Valid for the life of the process.
  std::string_view type_key() const noexcept { return detail::from_c(byname_type_get(header_.type_index)->key); }
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
  constexpr FixedText(const char (&text)[N]) {  // NOLINT(google-explicit-constructor): a literal is one
    for (size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr std::string_view view() const { return {characters, N - 1}; }
};

// Declares the key and the parent of an object type, in any module and any number of modules. ChildSlots reserves type
// indices for descendants, which makes is_instance of a base with few, known descendants one range check.
template <class Self, class Base, FixedText Key, int32_t ChildSlots = 0>
struct Derive : Base {
  static_assert(std::is_base_of_v<Object, Base>, "byname: an object type derives from byname::Object or one of its kin");
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

// What one module knows of a type, filled at first use; `index` is published last. Threads that race to fill it write the
// same values.
struct TypeRecord {
  std::atomic<int32_t> index{0};
  std::atomic<uint32_t> slots{0};
  std::atomic<const byname_type_info*> info{nullptr};
  std::atomic<const byname_type_info* const*> table{nullptr};
  std::atomic<byname_class*> owner{nullptr};
};

template <class T>
inline constinit TypeRecord type_record{};

template <class T>
constexpr int32_t type_depth() {
  if constexpr (std::is_same_v<T, Object>) {
    return 0;
  } else {
    return 1 + type_depth<typename T::base_type>();
  }
}

// Registers a type in the core's table; throws if its key is there with another parent.
BYNAME_COLD inline int32_t register_type(TypeRecord& record, int32_t parent, std::string_view key, int32_t slots) {
  byname_type_decl decl = {sizeof(byname_type_decl), parent, to_c(key), slots, &this_dso};
  int32_t index = 0;
  check(byname_type_register(&decl, &index));
  record.slots.store(byname_type_slots(index), std::memory_order_relaxed);
  record.info.store(byname_type_get(index), std::memory_order_relaxed);
  record.table.store(byname_type_table(), std::memory_order_relaxed);
  record.index.store(index, std::memory_order_release);
  return index;
}

template <class T>
int32_t type_index() {
  static_assert(OwnObjectType<T>, "byname: an object type names itself: struct T : byname::Derive<T, Base, \"key\">");
  if constexpr (std::is_same_v<T, Object>) {
    return BYNAME_OBJECT;
  } else {
    TypeRecord& record = type_record<T>;
    int32_t index = record.index.load(std::memory_order_acquire);
    if (__builtin_expect(index != 0, 1)) return index;
    return register_type(record, type_index<typename T::base_type>(), T::kTypeKey, T::kChildSlots);
  }
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

// The type index of T in this process; registers T if need be. Throws TypeError if the key is taken with another parent.
template <class T>
int32_t type_index() {
  return detail::type_index<T>();
}

// Whether the object is a T or descends from one. False for NULL.
template <class T>
bool is_instance(const Object* object) {
  if (object == nullptr) return false;
  if constexpr (std::is_same_v<T, Object>) {
    return true;
  } else {
    constexpr int32_t kDepth = detail::type_depth<T>();
    int32_t wanted = detail::type_index<T>();
    int32_t index = object->type_index();
    const detail::TypeRecord& record = detail::type_record<T>;
    // Descendants have greater indices, the first ones in the reserved slots.
    uint32_t distance = static_cast<uint32_t>(index) - static_cast<uint32_t>(wanted);
    if (distance <= record.slots.load(std::memory_order_relaxed)) return true;
    if (static_cast<uint32_t>(index) >= BYNAME_MAX_TYPES) return false;
    const byname_type_info* info =
        __atomic_load_n(&record.table.load(std::memory_order_relaxed)[index], __ATOMIC_ACQUIRE);
    return info != nullptr && info->depth > kDepth &&
           info->ancestors[kDepth] == record.info.load(std::memory_order_relaxed);
  }
}

}  // namespace byname

#endif  // BYNAME_OBJECT_H_
