// Boxes: C++ classes that are no Objects, known by their type_info.
#ifndef BYNAME_OBJECT_BOX_H_
#define BYNAME_OBJECT_BOX_H_

#include <cstdint>
#include <typeinfo>

#include "byname/c_api.h"

namespace byname::core {

// The type index of a class, given at the first call. Its first base is its parent in the type table. The same class
// may be registered by several modules under one key; another class or other bases under the key are a TypeError.
int32_t register_box(const byname_box_decl& decl);

// 0: not registered.
int32_t find_box(const std::type_info& type);
// The same, but TypeError if it is none.
int32_t get_box(const std::type_info& type);

// The boxed object as one of class `wanted`, which is its own or a base of it at any level; NULL if it is none.
void* cast_box(const byname_object* box, int32_t wanted);

// Forgets what the shared object at [begin, end) registered, which will be unmapped.
void retire_boxes(uintptr_t begin, uintptr_t end);

}  // namespace byname::core

#endif  // BYNAME_OBJECT_BOX_H_
