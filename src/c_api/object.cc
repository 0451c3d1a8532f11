// The section "objects" of c_api.h. The deleter is in object/destroy.cc, beside what it works with.
#include <vector>

#include "byname/c_api.h"
#include "object/box.h"
#include "object/class.h"
#include "object/pool.h"
#include "object/type_table.h"

namespace core = byname::core;

extern "C" {

int byname_type_register(const byname_type_decl* decl, int32_t* out) {
  try {
    *out = core::register_type(*decl);
    return 0;
  } catch (...) {
    return byname_error_raise_current();
  }
}

const byname_type_info* byname_type_find(byname_str key) { return core::find_type({key.data, key.size}); }

const byname_type_info* byname_type_get(int32_t type_index) { return core::type_info(type_index); }

int byname_type_is(int32_t type_index, int32_t ancestor) { return core::type_is(type_index, ancestor) ? 1 : 0; }

const byname_type_info* const* byname_type_table() { return core::type_table(); }

int byname_type_keys(byname_any* out) {
  std::vector<byname_any> texts;
  int status = 0;
  try {
    std::vector<std::string_view> keys = core::type_keys();
    texts.reserve(keys.size());
    for (std::string_view key : keys) {
      byname_any text{};
      status = byname_string_new({key.data(), key.size()}, &text);
      if (status != 0) break;
      texts.push_back(text);
    }
    if (status == 0) status = byname_array_new(texts.data(), texts.size(), out);
  } catch (...) {
    status = byname_error_raise_current();
  }
  for (byname_any& text : texts) byname_any_drop(&text);
  return status;
}

int byname_class_register(const byname_class_decl* decl, byname_class** out) {
  try {
    *out = core::register_class(*decl);
    return 0;
  } catch (...) {
    return byname_error_raise_current();
  }
}

void* byname_object_allocate(byname_class* owner, size_t extra) { return core::allocate(owner, extra); }

void byname_object_abandon(void* object) {
  auto* memory = static_cast<byname_object*>(object);
  core::give_back(memory, byname_object_prefix(memory)->owner);
}

int byname_box_register(const byname_box_decl* decl, int32_t* type_index) {
  try {
    *type_index = core::register_box(*decl);
    return 0;
  } catch (...) {
    return byname_error_raise_current();
  }
}

int32_t byname_box_find(const void* cpp_type) { return core::find_box(*static_cast<const std::type_info*>(cpp_type)); }

int32_t byname_box_get(const void* cpp_type) {
  try {
    return core::get_box(*static_cast<const std::type_info*>(cpp_type));
  } catch (...) {
    byname_error_raise_current();
    return 0;
  }
}

void* byname_box_cast(const byname_object* box, int32_t type_index) { return core::cast_box(box, type_index); }

}  // extern "C"
