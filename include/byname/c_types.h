/* The layouts that every part of Byname shares. Included by c_api.h, which states the rules; include that.
 *
 * Values, objects, strings, errors, functions, shapes, tensors and arrays have the layouts of the TVM FFI binary
 * interface, so that they cross to that ecosystem without a copy. tests/abi asserts every size and offset.
 */
#ifndef BYNAME_C_TYPES_H_
#define BYNAME_C_TYPES_H_

#include <stddef.h>
#include <stdint.h>

/* Grows with every incompatible change of this file or c_api.h. A module carries the one it was built with. */
#define BYNAME_ABI_VERSION 1u

/* Text or bytes that somebody else owns: `size` bytes at `data`, any bytes, not necessarily NUL-terminated. */
typedef struct byname_str {
  const char* data;
  size_t size;
} byname_str;

/* ---- DLPack's structs (layout of dlpack.h 1.0, own names so that both headers can be included) ---- */

typedef struct byname_dtype {
  uint8_t code; /* 0 int, 1 uint, 2 float, 3 opaque handle, 4 bfloat, 5 complex, 6 bool, ... as in DLPack */
  uint8_t bits;
  uint16_t lanes;
} byname_dtype;

typedef struct byname_device {
  int32_t type; /* 1 CPU, 2 CUDA, 3 CUDA host, 4 OpenCL, ... as in DLPack */
  int32_t id;
} byname_device;

typedef struct byname_dl_tensor {
  void* data;
  byname_device device;
  int32_t ndim;
  byname_dtype dtype;
  int64_t* shape;
  int64_t* strides; /* in elements; NULL (from outside only) means compact row-major */
  uint64_t byte_offset;
} byname_dl_tensor;

typedef struct byname_dl_managed {
  byname_dl_tensor tensor;
  void* context;
  void (*deleter)(struct byname_dl_managed* self);
} byname_dl_managed;

#define BYNAME_DL_READ_ONLY 1u
#define BYNAME_DL_COPIED 2u

typedef struct byname_dl_managed_versioned {
  uint32_t major;
  uint32_t minor;
  void* context;
  void (*deleter)(struct byname_dl_managed_versioned* self);
  uint64_t flags; /* BYNAME_DL_READ_ONLY, BYNAME_DL_COPIED */
  byname_dl_tensor tensor;
} byname_dl_managed_versioned;

/* ---- values ---- */

/* The type index of a value. Below 64 there is no object behind it; from 64 on as_object is a counted reference.
 * Indices marked "view" appear only in borrowed values: arguments, never results or elements. */
enum {
  BYNAME_NONE = 0,
  BYNAME_INT = 1,       /* as_int */
  BYNAME_BOOL = 2,      /* as_int, 0 or 1 */
  BYNAME_FLOAT = 3,     /* as_float */
  BYNAME_POINTER = 4,   /* as_pointer, opaque */
  BYNAME_DTYPE = 5,     /* as_dtype */
  BYNAME_DEVICE = 6,    /* as_device */
  BYNAME_DL_TENSOR = 7, /* view: as_dl_tensor */
  BYNAME_CHARS = 8,     /* view: as_chars, NUL-terminated text */
  BYNAME_BYTE_VIEW = 9, /* view: as_str, bytes */
  BYNAME_RVALUE = 10,   /* view: foreign callers only */
  BYNAME_SMALL_STR = 11,
  BYNAME_SMALL_BYTES = 12,
  /* Byname's own, far from the ones the interface may still hand out. */
  BYNAME_UINT = 40,        /* as_uint, only for values above INT64_MAX */
  BYNAME_STR_VIEW = 41,    /* view: as_str, text */
  BYNAME_SCALAR_VIEW = 42, /* view: as_scalar, a number that knows its own width or does not fit 64 bits */

  BYNAME_OBJECT = 64,
  BYNAME_STR = 65,
  BYNAME_BYTES = 66,
  BYNAME_ERROR = 67,
  BYNAME_FUNCTION = 68,
  BYNAME_SHAPE = 69,
  BYNAME_TENSOR = 70,
  BYNAME_ARRAY = 71,
  BYNAME_FOREIGN_MAP = 72,
  BYNAME_FOREIGN_MODULE = 73,
  BYNAME_PY_OBJECT = 74,
  BYNAME_FOREIGN_LIST = 75,
  BYNAME_FOREIGN_DICT = 76,
  /* Dynamic indices begin here; the first ones belong to Byname itself. */
  BYNAME_FIRST_DYNAMIC = 128,
  BYNAME_MAP = 128,
  BYNAME_TUPLE = 129,
  BYNAME_COMPLEX = 130,
  BYNAME_MODULE = 131,
  BYNAME_BOX = 132, /* parent of every boxed foreign class */
  BYNAME_FIRST_FREE = 144,
  BYNAME_MAX_TYPES = 1 << 20
};

struct byname_object;
struct byname_scalar;

/* A value. Whether a byname_any owns its object or borrows it is said where it is passed. Values of one kind have one
 * representation: unused bytes are zero; text and bytes of up to 7 bytes are small (see byname_string_new). */
typedef struct byname_any {
  int32_t type_index;
  uint32_t small_size; /* length of small text or bytes, else 0 */
  union {
    int64_t as_int;
    uint64_t as_uint;
    double as_float;
    void* as_pointer;
    struct byname_object* as_object;
    byname_dtype as_dtype;
    byname_device as_device;
    const byname_dl_tensor* as_dl_tensor;
    const char* as_chars;
    const byname_str* as_str;
    const struct byname_scalar* as_scalar;
    char as_small[8];
  };
} byname_any;

/* What a BYNAME_SCALAR_VIEW points to. `value` is exact (BYNAME_INT, UINT, BOOL or FLOAT) unless the number is an
 * integer beyond 64 bits: then it is BYNAME_NONE, `approximate` its nearest double (±inf beyond) and `text` its digits.
 */
typedef struct byname_scalar {
  byname_dtype dtype; /* bits 0: unknown */
  byname_any value;
  double approximate;
  byname_str text;
} byname_scalar;

/* ---- objects ---- */

/* Strong references in the low 32 bits, weak ones in the high 32; all strong references together hold one weak one. */
#define BYNAME_COUNT_ONE_STRONG UINT64_C(1)
#define BYNAME_COUNT_ONE_WEAK (UINT64_C(1) << 32)
#define BYNAME_COUNT_UNIQUE (BYNAME_COUNT_ONE_STRONG | BYNAME_COUNT_ONE_WEAK)

enum { BYNAME_DELETE_STRONG = 1, BYNAME_DELETE_WEAK = 2, BYNAME_DELETE_BOTH = 3 };

typedef struct byname_object {
  uint64_t counts;
  int32_t type_index;
  uint32_t padding;
  void (*deleter)(void* self, int flags);
} byname_object;

/* Stands in front of every object that Byname's runtime allocated (recognised by its deleter). */
typedef struct byname_prefix {
  const struct byname_class* owner; /* who destroys it, and for which module and type it counts */
  void* twin;                       /* the Python object that stands for it, or NULL */
} byname_prefix;

typedef struct byname_string { /* of Str and Bytes; the characters follow, then a NUL */
  byname_object header;
  byname_str text;
} byname_string;

typedef struct byname_shape {
  byname_object header;
  const int64_t* data;
  size_t size;
} byname_shape;

typedef struct byname_tensor {
  byname_object header;
  byname_dl_tensor dl; /* strides non-NULL if ndim > 0 */
} byname_tensor;

typedef struct byname_array { /* of Array and Tuple; immutable once shared */
  byname_object header;
  byname_any* data;
  int64_t size;
  int64_t capacity;
  void (*data_deleter)(void* data);
} byname_array;

typedef struct byname_complex {
  byname_object header;
  double real;
  double imag;
} byname_complex;

/* A boxed C++ object that is no byname Object. */
typedef struct byname_box {
  byname_object header;
  void* pointer; /* to the C++ object, of the class the type index stands for */
} byname_box;

/* An object of another language that has no form of its own here. */
typedef struct byname_py_object {
  byname_object header;
  void* object;
  byname_str type_name; /* for error messages; lives as long as the object */
} byname_py_object;

typedef struct byname_error {
  byname_object header;
  byname_str kind;
  byname_str message;
  byname_str backtrace;
  void (*update_backtrace)(struct byname_object* self, const byname_str* more, int32_t mode);
  byname_object* cause;
  byname_object* extra; /* what a binding attaches: for Python the exception itself */
} byname_error;

/* arguments are borrowed; the caller has set result->type_index below 64 and owns the result.
 * Returns 0, or -1 with an error in the thread's slot. */
typedef int (*byname_call_fn)(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result);

/* The shared part is the first 40 bytes. What follows is there only in Byname's own functions (byname_is_own). */
typedef struct byname_function {
  byname_object header;
  byname_call_fn safe_call; /* any number of arguments; never throws */
  void* cpp_call;           /* NULL */
  byname_call_fn thunk;     /* exactly `arity` arguments (any number if -1); may throw C++ exceptions */
  void (*direct)(void);     /* R (*)(void* self, P...), valid for callers with the same signature_id */
  const void* signature_id; /* interned, NULL where the C++ signature has none */
  int32_t arity;
  uint32_t flags; /* BYNAME_BLOCKING, ... */
  const struct byname_signature* signature;
  const struct byname_details* details; /* the core's: schema, documentation, site */
  struct byname_entry* entry;           /* the name it is registered under, or NULL */
} byname_function;                      /* the closure follows */

/* One type of the schema language. Immutable; made by a module it lives as long as the module's code. */
typedef struct byname_type {
  uint8_t kind; /* enum below */
  uint8_t bits; /* BYNAME_KIND_INT: 8, 16, 32, 64; BYNAME_KIND_FLOAT: 32, 64; else 0 */
  uint8_t is_unsigned;
  uint8_t flags;                             /* BYNAME_TYPE_… */
  int32_t num_elements;                      /* LIST, OPTIONAL, FUTURE 1; DICT 2; TUPLE, UNION n */
  int32_t fixed_size;                        /* of a sized list, `int[2]`; else -1 */
  const struct byname_type* const* elements; /* num_elements */
  byname_str key;                            /* OBJECT: the type key; a boxed class's is filled when it is known */
  const struct byname_alias* alias;          /* alias annotation, from a parsed schema only */
  const struct byname_tensor_spec* tensor;   /* TENSOR from C++ TensorOf only */
  const void* cpp_type;                      /* OBJECT that is a boxed C++ class: its std::type_info */
} byname_type;

enum {
  BYNAME_KIND_ANY,
  BYNAME_KIND_NONE,
  BYNAME_KIND_BOOL,
  BYNAME_KIND_INT,
  BYNAME_KIND_FLOAT,
  BYNAME_KIND_COMPLEX,
  BYNAME_KIND_SCALAR,
  BYNAME_KIND_SYMINT,
  BYNAME_KIND_STR,
  BYNAME_KIND_BYTES,
  BYNAME_KIND_TENSOR,
  BYNAME_KIND_SHAPE,
  BYNAME_KIND_DTYPE, /* "ScalarType" */
  BYNAME_KIND_DEVICE,
  BYNAME_KIND_LAYOUT,
  BYNAME_KIND_MEMORY_FORMAT,
  BYNAME_KIND_GENERATOR,
  BYNAME_KIND_CHAIN,
  BYNAME_KIND_FUNCTION,
  BYNAME_KIND_POINTER, /* from C++ void*; no schema syntax */
  BYNAME_KIND_OBJECT,  /* "Object" (empty key) or a registered type's key */
  BYNAME_KIND_OPTIONAL,
  BYNAME_KIND_LIST,
  BYNAME_KIND_DICT,
  BYNAME_KIND_TUPLE,
  BYNAME_KIND_UNION,
  BYNAME_KIND_FUTURE,
  BYNAME_NUM_KINDS
};

enum {
  BYNAME_TYPE_PATH = 1,     /* STR from std::filesystem::path: takes path-like objects too */
  BYNAME_TYPE_DURATION = 2, /* FLOAT from std::chrono, seconds: takes durations too */
  BYNAME_TYPE_SET = 4       /* LIST from a C++ set: takes sets too */
};

/* What TensorOf<T, ndim> asks of a tensor. */
typedef struct byname_tensor_spec {
  byname_dtype dtype;  /* bits 0: any */
  int32_t ndim;        /* -1: any */
  int32_t device_type; /* 0: any */
  uint8_t contiguous;
  uint8_t writable;
  uint8_t alignment; /* of the first element, in bytes; 0: any */
} byname_tensor_spec;

/* A C++ signature: one static record for each distinct one in a module. */
typedef struct byname_signature {
  uint32_t struct_size;
  int32_t arity; /* -1: takes its arguments as one span */
  const byname_type* const* parameters;
  const byname_type* result; /* NULL: none */
  byname_call_fn thunk;
  const char* const* id_parts; /* NULL-terminated texts that together name the signature across modules; may be NULL */
  const void* id;              /* filled by the core at first use: id_parts interned */
} byname_signature;

/* A name in the table. It stays at its address for the life of the process. */
typedef struct byname_entry {
  byname_function* cell; /* atomic; NULL: nothing is registered under the name now */
  const char* name;
  size_t name_size;
} byname_entry;

/* ---- threads ---- */

#define BYNAME_NUM_HAZARDS 24

/* One for each thread, exported once. Only byname_protect and byname_unprotect touch the hazards. */
typedef struct byname_thread {
  byname_function** top;   /* the first hazard that is free; NULL at first */
  byname_function** limit; /* the last, a spare one, at which top stays; NULL until the thread is known to the core */
  byname_object* error;
  void* local; /* the core's own record */
  byname_function* hazards[BYNAME_NUM_HAZARDS];
} byname_thread;

#endif /* BYNAME_C_TYPES_H_ */
