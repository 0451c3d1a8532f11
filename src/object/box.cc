#include "object/box.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "base/demangle.h"
#include "base/fork.h"
#include "base/struct_size.h"
#include "object/class.h"
#include "object/type_table.h"

namespace byname::core {
namespace {

// A class as one module registered it. `type` and the casts are in that module.
struct Box {
  const std::type_info* type;
  byname_dso* dso;
  const byname_module* module;
  Layout layout;
  std::vector<byname_box_base> bases;
};

struct Boxes {
  std::shared_mutex mutex;  // guards all
  std::unordered_map<int32_t, std::vector<Box>> by_index;
};

Boxes& boxes() {
  static Boxes* instance = new Boxes();
  return *instance;
}
[[maybe_unused]] const bool is_fork_safe = (unlock_in_children(boxes().mutex), true);

bool same_bases(const std::vector<byname_box_base>& a, const std::vector<byname_box_base>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const byname_box_base& x, const byname_box_base& y) { return x.type_index == y.type_index; });
}

void* cast(void* pointer, int32_t from, int32_t to) {
  if (from == to) return pointer;
  auto place = boxes().by_index.find(from);
  if (place == boxes().by_index.end() || place->second.empty()) return nullptr;
  for (const byname_box_base& base : place->second.front().bases) {
    if (void* found = cast(base.cast(pointer), base.type_index, to)) return found;
  }
  return nullptr;
}

// Another key under which a module has registered the class; empty if there is none.
byname_str other_key(const byname_box_decl& decl) {
  std::shared_lock lock(boxes().mutex);
  for (const auto& [index, known] : boxes().by_index) {
    byname_str key = type_info(index)->key;
    if (detail::from_c(key) == detail::from_c(decl.key)) continue;
    for (const Box& box : known) {
      if (box.dso == decl.dso && *box.type == *static_cast<const std::type_info*>(decl.cpp_type)) return key;
    }
  }
  return {};
}

// A module that registers one class under two keys would give objects of the one that came last.
void refuse_second_key(const byname_box_decl& decl) {
  byname_str key = other_key(decl);
  if (key.size == 0) return;
  throw Error("TypeError", "the C++ class '" + demangled(*static_cast<const std::type_info*>(decl.cpp_type)) +
                               "' is registered already: expected the key '" + std::string(detail::from_c(key)) +
                               "', got '" + std::string(detail::from_c(decl.key)) + "'");
}

// Refuses a class of a layout that live objects of other modules do not have.
void check_layout(int32_t index, const Box& box) {
  std::vector<Box> known;
  {
    std::shared_lock lock(boxes().mutex);
    auto place = boxes().by_index.find(index);
    if (place != boxes().by_index.end()) known = place->second;
  }
  for (const Box& other : known) {
    if (other.layout == box.layout || other.dso == box.dso) continue;
    if (uint64_t live = live_objects(other.dso, index); live > 0)
      throw_other_layout(index, live, other.layout, box.layout);
  }
}

// A class without linkage is another one in each object, but not in a later state of the same.
bool is_same_class(const Box& a, const Box& b) {
  if (*a.type == *b.type) return true;
  return std::strcmp(a.type->name(), b.type->name()) == 0 && is_same_file(a.module, b.module);
}

enum class Outcome { kDone, kOtherClass, kOtherBases };

Outcome add(int32_t index, Box box) {
  std::unique_lock lock(boxes().mutex);
  std::vector<Box>& known = boxes().by_index[index];
  for (const Box& other : known) {
    if (!is_same_class(other, box)) return Outcome::kOtherClass;
    if (!same_bases(other.bases, box.bases)) return Outcome::kOtherBases;
    if (other.type == box.type && other.dso == box.dso) return Outcome::kDone;
  }
  known.push_back(std::move(box));
  return Outcome::kDone;
}

}  // namespace

int32_t register_box(const byname_box_decl& decl) {
  check_struct_size(decl.struct_size, sizeof(byname_box_decl), "byname_box_decl");
  refuse_second_key(decl);
  const auto* type = static_cast<const std::type_info*>(decl.cpp_type);
  Box box{type, decl.dso, module_of(decl.dso), {decl.size, decl.alignment}, {decl.bases, decl.bases + decl.num_bases}};
  byname_type_decl type_decl{sizeof(byname_type_decl), BYNAME_BOX, decl.key, 0, decl.dso};
  if (!box.bases.empty()) type_decl.parent = box.bases.front().type_index;
  int32_t index = register_type(type_decl);
  check_layout(index, box);
  switch (add(index, std::move(box))) {
    case Outcome::kDone:
      return index;
    case Outcome::kOtherClass:
      throw Error("TypeError", "the key '" + std::string(detail::from_c(decl.key)) + "' stands for another C++ class");
    case Outcome::kOtherBases:
      break;
  }
  throw Error("TypeError", "the type '" + std::string(detail::from_c(decl.key)) + "' is registered with other bases");
}

int32_t find_box(const std::type_info& type) {
  std::shared_lock lock(boxes().mutex);
  int32_t found = 0;
  for (const auto& [index, known] : boxes().by_index) {
    for (const Box& box : known) {
      if (box.type == &type) return index;  // the asking module's own, where several have classes of one name
      if (*box.type == type) found = index;
    }
  }
  return found;
}

int32_t get_box(const std::type_info& type) {
  int32_t index = find_box(type);
  if (index != 0) return index;
  throw Error("TypeError", "the C++ class '" + demangled(type) +
                               "' is not registered (lib.type<T>(\"name\", \"documentation\") before what uses it, or "
                               "load the module that does)");
}

void* cast_box(const byname_object* box, int32_t wanted) {
  if (!type_is(box->type_index, BYNAME_BOX)) return nullptr;
  std::shared_lock lock(boxes().mutex);
  return cast(reinterpret_cast<const byname_box*>(box)->pointer, box->type_index, wanted);
}

void retire_boxes(uintptr_t begin, uintptr_t end) {
  std::unique_lock lock(boxes().mutex);
  for (auto& [index, known] : boxes().by_index) {
    std::erase_if(known, [&](const Box& box) {
      auto place = reinterpret_cast<uintptr_t>(box.dso);
      return place >= begin && place < end;
    });
  }
}

}  // namespace byname::core
