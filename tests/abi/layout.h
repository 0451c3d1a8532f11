/* Sizes and offsets that other parties rely on, checked at compile time in C and in C++, by gcc and by clang. */
#ifndef BYNAME_TESTS_ABI_LAYOUT_H_
#define BYNAME_TESTS_ABI_LAYOUT_H_

#include "byname/c_api.h"

#ifdef __cplusplus
#define ABI_ASSERT static_assert
#else
#define ABI_ASSERT _Static_assert
#endif
#define ABI_SIZE(type, size) ABI_ASSERT(sizeof(type) == (size), "sizeof(" #type ")")
#define ABI_FIELD(type, field, offset) ABI_ASSERT(offsetof(type, field) == (offset), "offsetof(" #type ", " #field ")")

/* ---- shared with the TVM FFI binary interface ---- */

ABI_SIZE(byname_any, 16);
ABI_FIELD(byname_any, type_index, 0);
ABI_FIELD(byname_any, small_size, 4);
ABI_FIELD(byname_any, as_int, 8);
ABI_FIELD(byname_any, as_float, 8);
ABI_FIELD(byname_any, as_object, 8);
ABI_FIELD(byname_any, as_dtype, 8);
ABI_FIELD(byname_any, as_device, 8);
ABI_FIELD(byname_any, as_small, 8);

ABI_SIZE(byname_object, 24);
ABI_FIELD(byname_object, counts, 0);
ABI_FIELD(byname_object, type_index, 8);
ABI_FIELD(byname_object, padding, 12);
ABI_FIELD(byname_object, deleter, 16);

ABI_SIZE(byname_str, 16);
ABI_FIELD(byname_str, data, 0);
ABI_FIELD(byname_str, size, 8);
ABI_SIZE(byname_string, 40);
ABI_FIELD(byname_string, text, 24);

/* The shared part of a function is its first 40 bytes. */
ABI_FIELD(byname_function, safe_call, 24);
ABI_FIELD(byname_function, cpp_call, 32);
ABI_FIELD(byname_function, thunk, 40);

ABI_SIZE(byname_error, 96);
ABI_FIELD(byname_error, kind, 24);
ABI_FIELD(byname_error, message, 40);
ABI_FIELD(byname_error, backtrace, 56);
ABI_FIELD(byname_error, update_backtrace, 72);
ABI_FIELD(byname_error, cause, 80);
ABI_FIELD(byname_error, extra, 88);

ABI_SIZE(byname_shape, 40);
ABI_FIELD(byname_shape, data, 24);
ABI_FIELD(byname_shape, size, 32);

ABI_SIZE(byname_tensor, 72);
ABI_FIELD(byname_tensor, dl, 24);

ABI_SIZE(byname_array, 56);
ABI_FIELD(byname_array, data, 24);
ABI_FIELD(byname_array, size, 32);
ABI_FIELD(byname_array, capacity, 40);
ABI_FIELD(byname_array, data_deleter, 48);

/* A foreign TypeInfo is the first 72 bytes. */
ABI_FIELD(byname_type_info, type_index, 0);
ABI_FIELD(byname_type_info, depth, 4);
ABI_FIELD(byname_type_info, key, 8);
ABI_FIELD(byname_type_info, ancestors, 24);
ABI_FIELD(byname_type_info, key_hash, 32);
ABI_FIELD(byname_type_info, num_fields, 40);
ABI_FIELD(byname_type_info, num_methods, 44);
ABI_FIELD(byname_type_info, fields, 48);
ABI_FIELD(byname_type_info, methods, 56);
ABI_FIELD(byname_type_info, metadata, 64);
ABI_FIELD(byname_type_info, slots, 72);

#define ABI_INDEX(name, value) ABI_ASSERT((name) == (value), #name)
ABI_INDEX(BYNAME_NONE, 0);
ABI_INDEX(BYNAME_INT, 1);
ABI_INDEX(BYNAME_BOOL, 2);
ABI_INDEX(BYNAME_FLOAT, 3);
ABI_INDEX(BYNAME_POINTER, 4);
ABI_INDEX(BYNAME_DTYPE, 5);
ABI_INDEX(BYNAME_DEVICE, 6);
ABI_INDEX(BYNAME_DL_TENSOR, 7);
ABI_INDEX(BYNAME_CHARS, 8);
ABI_INDEX(BYNAME_BYTE_VIEW, 9);
ABI_INDEX(BYNAME_RVALUE, 10);
ABI_INDEX(BYNAME_SMALL_STR, 11);
ABI_INDEX(BYNAME_SMALL_BYTES, 12);
ABI_INDEX(BYNAME_OBJECT, 64);
ABI_INDEX(BYNAME_STR, 65);
ABI_INDEX(BYNAME_BYTES, 66);
ABI_INDEX(BYNAME_ERROR, 67);
ABI_INDEX(BYNAME_FUNCTION, 68);
ABI_INDEX(BYNAME_SHAPE, 69);
ABI_INDEX(BYNAME_TENSOR, 70);
ABI_INDEX(BYNAME_ARRAY, 71);
ABI_INDEX(BYNAME_FOREIGN_MAP, 72);
ABI_INDEX(BYNAME_FOREIGN_MODULE, 73);
ABI_INDEX(BYNAME_PY_OBJECT, 74);
ABI_INDEX(BYNAME_FOREIGN_LIST, 75);
ABI_INDEX(BYNAME_FOREIGN_DICT, 76);
ABI_INDEX(BYNAME_FIRST_DYNAMIC, 128);

ABI_ASSERT(BYNAME_COUNT_UNIQUE == 0x100000001, "a fresh object's counts");
ABI_INDEX(BYNAME_DELETE_STRONG, 1);
ABI_INDEX(BYNAME_DELETE_WEAK, 2);
ABI_INDEX(BYNAME_DELETE_BOTH, 3);

/* ---- shared with DLPack ---- */

ABI_SIZE(byname_dtype, 4);
ABI_FIELD(byname_dtype, code, 0);
ABI_FIELD(byname_dtype, bits, 1);
ABI_FIELD(byname_dtype, lanes, 2);
ABI_SIZE(byname_device, 8);
ABI_FIELD(byname_device, type, 0);
ABI_FIELD(byname_device, id, 4);

ABI_SIZE(byname_dl_tensor, 48);
ABI_FIELD(byname_dl_tensor, data, 0);
ABI_FIELD(byname_dl_tensor, device, 8);
ABI_FIELD(byname_dl_tensor, ndim, 16);
ABI_FIELD(byname_dl_tensor, dtype, 20);
ABI_FIELD(byname_dl_tensor, shape, 24);
ABI_FIELD(byname_dl_tensor, strides, 32);
ABI_FIELD(byname_dl_tensor, byte_offset, 40);

ABI_SIZE(byname_dl_managed, 64);
ABI_FIELD(byname_dl_managed, tensor, 0);
ABI_FIELD(byname_dl_managed, context, 48);
ABI_FIELD(byname_dl_managed, deleter, 56);

ABI_SIZE(byname_dl_managed_versioned, 80);
ABI_FIELD(byname_dl_managed_versioned, major, 0);
ABI_FIELD(byname_dl_managed_versioned, minor, 4);
ABI_FIELD(byname_dl_managed_versioned, context, 8);
ABI_FIELD(byname_dl_managed_versioned, deleter, 16);
ABI_FIELD(byname_dl_managed_versioned, flags, 24);
ABI_FIELD(byname_dl_managed_versioned, tensor, 32);

/* ---- Byname's own, between modules of any two compilers ---- */

ABI_SIZE(byname_prefix, 16);
ABI_FIELD(byname_prefix, owner, 0);
ABI_FIELD(byname_prefix, twin, 8);

ABI_SIZE(byname_box, 32);
ABI_FIELD(byname_box, pointer, 24);
ABI_SIZE(byname_complex, 40);
ABI_FIELD(byname_complex, real, 24);
ABI_FIELD(byname_complex, imag, 32);

ABI_SIZE(byname_scalar, 48);
ABI_FIELD(byname_scalar, dtype, 0);
ABI_FIELD(byname_scalar, value, 8);
ABI_FIELD(byname_scalar, approximate, 24);
ABI_FIELD(byname_scalar, text, 32);

/* A closure follows a function, which is 16-byte aligned as every object. */
ABI_ASSERT(sizeof(byname_function) % 16 == 0, "closures behind a function are 16-byte aligned");
ABI_FIELD(byname_function, direct, 48);
ABI_FIELD(byname_function, signature_id, 56);
ABI_FIELD(byname_function, arity, 64);
ABI_FIELD(byname_function, flags, 68);
ABI_FIELD(byname_function, signature, 72);
ABI_FIELD(byname_function, details, 80);
ABI_FIELD(byname_function, entry, 88);

ABI_SIZE(byname_type, 64);
ABI_FIELD(byname_type, kind, 0);
ABI_FIELD(byname_type, bits, 1);
ABI_FIELD(byname_type, is_unsigned, 2);
ABI_FIELD(byname_type, flags, 3);
ABI_FIELD(byname_type, num_elements, 4);
ABI_FIELD(byname_type, fixed_size, 8);
ABI_FIELD(byname_type, elements, 16);
ABI_FIELD(byname_type, key, 24);
ABI_FIELD(byname_type, alias, 40);
ABI_FIELD(byname_type, tensor, 48);
ABI_FIELD(byname_type, cpp_type, 56);

ABI_SIZE(byname_tensor_spec, 16);
ABI_FIELD(byname_tensor_spec, dtype, 0);
ABI_FIELD(byname_tensor_spec, ndim, 4);
ABI_FIELD(byname_tensor_spec, device_type, 8);
ABI_FIELD(byname_tensor_spec, contiguous, 12);
ABI_FIELD(byname_tensor_spec, writable, 13);
ABI_FIELD(byname_tensor_spec, alignment, 14);

ABI_FIELD(byname_signature, struct_size, 0);
ABI_FIELD(byname_signature, arity, 4);
ABI_FIELD(byname_signature, parameters, 8);
ABI_FIELD(byname_signature, result, 16);
ABI_FIELD(byname_signature, thunk, 24);
ABI_FIELD(byname_signature, id_parts, 32);
ABI_FIELD(byname_signature, id, 40);

ABI_SIZE(byname_entry, 24);
ABI_FIELD(byname_entry, cell, 0);
ABI_FIELD(byname_entry, name, 8);
ABI_FIELD(byname_entry, name_size, 16);

/* The loader has little room for thread-local variables of libraries that it opens late. */
ABI_ASSERT(sizeof(byname_thread) <= 256, "sizeof(byname_thread)");
ABI_FIELD(byname_thread, top, 0);
ABI_FIELD(byname_thread, limit, 8);
ABI_FIELD(byname_thread, error, 16);
ABI_FIELD(byname_thread, local, 24);
ABI_FIELD(byname_thread, hazards, 32);

#endif /* BYNAME_TESTS_ABI_LAYOUT_H_ */
