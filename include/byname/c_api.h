/* Byname's binary interface, in C11. Everything else (the C++ headers, the Python extension) is built on it.
 * It is as long as the interface, which is one file to be read, and compared with another version's, as one.
 *
 * Rules
 *  1. Failure. A function that returns int returns 0, or -1 with an error in the calling thread's slot (take it with
 *     byname_error_take). What it was to fill is then left as it was, unless its comment says otherwise. Functions that
 *     return void or a value do not fail.
 *  2. Ownership. A `const byname_any*` or `byname_object*` that is passed in is borrowed for the call, unless its
 *     comment says "takes". A result in a `byname_any* out` or a returned `byname_object*` is owned by the caller, who
 *     drops it with byname_any_drop or byname_object_release, unless its comment says "borrowed".
 *  3. Views. A value of a type marked "view" is valid while what it points to is. Whoever keeps a value keeps
 *     byname_any_copy of it, which owns.
 *  4. Text is (pointer, length), any bytes, copied where it is kept unless the comment says "static".
 *  5. Threads. Every function may be called from every thread at every time. One object may be read by many threads;
 *     who changes it must be alone with it.
 *  6. Exceptions. No C++ exception passes through these functions, with one exception that C++ itself makes: the
 *     forced unwinding of pthread_cancel and pthread_exit. A C function called from here may use either.
 *  7. Structs that begin with struct_size may grow: set it to sizeof the struct you compiled with.
 *  8. Callbacks run without any lock of Byname held, and may call back into it.
 *  9. Values form no cycles: an array or a map must not come to hold itself, however indirectly. One that does is never
 *     freed, and hashing, comparing or printing it never ends.
 */
#ifndef BYNAME_C_API_H_
#define BYNAME_C_API_H_

#include "byname/c_types.h"

#ifdef __cplusplus
#define BYNAME_THREAD_LOCAL __thread
extern "C" {
#else
#define BYNAME_THREAD_LOCAL _Thread_local
#endif

#define BYNAME_API __attribute__((visibility("default")))
/* Called so often that the jump through the caller's linkage table counts. */
#if defined(__has_attribute) && __has_attribute(noplt)
#define BYNAME_HOT_API BYNAME_API __attribute__((noplt))
#else
#define BYNAME_HOT_API BYNAME_API
#endif

struct byname_class;        /* a type as one module makes it */
struct byname_library;      /* the batch of a registration block that runs */
struct byname_registration; /* one registered function, to be removed or kept */

/* ---- the library ---- */

/* "major.minor.patch", static. */
BYNAME_API const char* byname_version(void);
/* The BYNAME_ABI_VERSION the library was built with. */
BYNAME_API uint32_t byname_abi_version(void);

/* One for each shared object that uses Byname, zero but for the first two fields. A C++ object has one by including
 * the headers. */
typedef struct byname_dso {
  uint32_t struct_size;
  uint32_t abi_version;
  struct byname_module* module; /* filled by the core at first use */
} byname_dso;

/* ---- values ---- */

/* Makes `out` an owning copy of `value`; views become the values they show. Fails for text that is no memory any more
 * to hold, and for a DL_TENSOR or RVALUE that cannot be owned. */
BYNAME_API int byname_any_copy(const byname_any* value, byname_any* out);
static inline void byname_any_drop(byname_any* value);

/* Equality and hash of values: numbers by value (1, 1.0 and true differ from text but not from each other), text and
 * bytes by content, arrays, tuples, shapes and maps by content, other objects by identity. Never fails, never recurses
 * on the native stack. */
BYNAME_API int byname_any_equal(const byname_any* a, const byname_any* b); /* 1 or 0 */
/* Fails for values that contain a map or an array that is unhashable. Seeded: differs from process to process. */
BYNAME_API int byname_any_hash(const byname_any* value, uint64_t* out);
/* Text for people, as Python's repr would show it. */
BYNAME_API int byname_any_print(const byname_any* value, byname_any* out);
/* The word for a value's type as error messages use it: "int", "str", "list", a type key. Static or lives as long as
 * the value. */
BYNAME_API byname_str byname_any_type_name(const byname_any* value);

/* Text and bytes. */
BYNAME_API int byname_string_new(byname_str text, byname_any* out);
BYNAME_API int byname_bytes_new(byname_str bytes, byname_any* out);
/* 1 and the characters, borrowed from `value`, if it is text (bytes), in any of its forms; else 0. */
static inline int byname_any_text(const byname_any* value, byname_str* out);
static inline int byname_any_bytes(const byname_any* value, byname_str* out);

/* Converts by the one conversion table; `out` owns. TypeError or OverflowError if the value is none of the type. */
BYNAME_API int byname_any_convert(const byname_any* value, const byname_type* type, byname_any* out);

/* How a binding converts the opaque objects of its language (BYNAME_PY_OBJECT): 1 and an owned value of the wanted
 * type, 0 if the object is none, -1 with an error. Set once; called on whatever thread converts. */
typedef int (*byname_foreign_converter)(void* context, const byname_py_object* object, const byname_type* wanted,
                                        byname_any* out);
BYNAME_API void byname_foreign_converter_set(byname_foreign_converter converter, void* context);

/* Containers. Items are copied as by byname_any_copy. */
BYNAME_API int byname_array_new(const byname_any* items, size_t size, byname_any* out);
BYNAME_API int byname_tuple_new(const byname_any* items, size_t size, byname_any* out);
/* Makes `array`, an owned array or tuple (or None, for an empty array), one that may be changed in place: with one
 * reference and a capacity of at least `capacity`; a copy, if need be. Until it is shared again, items may be written
 * and its size changed. */
BYNAME_API int byname_array_unshare(byname_any* array, size_t capacity);
BYNAME_API int byname_shape_new(const int64_t* dims, size_t size, byname_any* out);
BYNAME_API int byname_complex_new(double real, double imag, byname_any* out);
BYNAME_API int byname_map_new(size_t capacity, byname_any* out);
/* Makes `map`, an owned map, one that may be changed: with one reference; a copy, if need be. */
BYNAME_API int byname_map_unshare(byname_any* map);
/* `map` must be unshared; put replaces the value of a key that is there. Fails for keys that cannot be hashed. */
BYNAME_API int byname_map_put(byname_object* map, const byname_any* key, const byname_any* value);
/* Borrowed from the map, NULL if the key is not there (or cannot be hashed). */
BYNAME_API const byname_any* byname_map_get(const byname_object* map, const byname_any* key);
/* 1 if the key was there, 0 if not. `map` must be unshared; -1 if it is not. */
BYNAME_API int byname_map_remove(byname_object* map, const byname_any* key);
BYNAME_API size_t byname_map_size(const byname_object* map);
/* Walks in order of insertion: start with *cursor = 0; 1 and a borrowed pair, or 0 at the end. */
BYNAME_API int byname_map_next(const byname_object* map, size_t* cursor, const byname_any** key,
                               const byname_any** value);

/* Tensors, of up to 64 dimensions. `shape` and `strides` (elements, of any sign; NULL: row-major) are copied. */
BYNAME_API int byname_tensor_new(const int64_t* shape, int32_t ndim, byname_dtype dtype, byname_device device,
                                 byname_any* out); /* uninitialised memory, 64-byte aligned, CPU only */
typedef struct byname_tensor_view {
  byname_dl_tensor tensor;
  uint64_t flags;                 /* BYNAME_DL_READ_ONLY */
  void* context;                  /* passed to release when the memory is not needed any more */
  void (*release)(void* context); /* may be NULL; called if the function fails, too */
  byname_dso* dso;                /* whose code release is: it stays while the tensor lives; NULL: no module's */
} byname_tensor_view;
BYNAME_API int byname_tensor_wrap(const byname_tensor_view* view, byname_any* out);
/* A tensor over memory that `base` shows and that it keeps alive, as writable as `base`: shape, strides, dtype and
 * byte_offset of `description` (counted from the data of `base`). Fails if it reaches outside of what `base` shows. */
BYNAME_API int byname_tensor_alias(const byname_object* base, const byname_dl_tensor* description, byname_any* out);
/* Takes the managed tensor: its deleter is called exactly once, on failure too. `dso`: whose code the deleter may be;
 * it stays while the tensor lives; NULL: no module's. */
BYNAME_API int byname_tensor_from_dlpack(byname_dl_managed* managed, byname_dso* dso, byname_any* out);
BYNAME_API int byname_tensor_from_dlpack_versioned(byname_dl_managed_versioned* managed, byname_dso* dso,
                                                   byname_any* out);
/* The unversioned form refuses read-only tensors. */
BYNAME_API int byname_tensor_to_dlpack(const byname_object* tensor, byname_dl_managed** out);
BYNAME_API int byname_tensor_to_dlpack_versioned(const byname_object* tensor, byname_dl_managed_versioned** out);
/* BYNAME_DL_READ_ONLY or 0; foreign tensors are writable. */
BYNAME_API uint64_t byname_tensor_flags(const byname_object* tensor);

/* "float32", "int8x4", "bfloat16", "bool", ...; Python's struct-like aliases are not accepted. */
BYNAME_API int byname_dtype_parse(byname_str text, byname_dtype* out);
BYNAME_API int byname_dtype_print(byname_dtype dtype, byname_any* out);
/* "cpu", "cuda:1", ... */
BYNAME_API int byname_device_parse(byname_str text, byname_device* out);
BYNAME_API int byname_device_print(byname_device device, byname_any* out);

/* ---- objects ---- */

static inline void byname_object_retain(byname_object* object);
static inline void byname_object_release(byname_object* object); /* NULL is fine */
static inline void byname_object_retain_weak(byname_object* object);
static inline void byname_object_release_weak(byname_object* object);
/* 1 and a strong reference, if the object that is weakly held is still alive. */
static inline int byname_object_promote(byname_object* object);
/* The deleter of every object of Byname's own runtime; how byname_is_own recognises them. */
BYNAME_API void byname_object_delete(void* object, int flags);
static inline int byname_is_own(const byname_object* object);
static inline byname_prefix* byname_object_prefix(const byname_object* object); /* own objects only */

/* Types. */
#define BYNAME_NO_RUN (UINT32_C(1) << 30)
typedef struct byname_type_info {
  int32_t type_index;
  int32_t depth; /* number of ancestors; 0 for Object */
  byname_str key;
  const struct byname_type_info* const* ancestors; /* depth of them, the root first */
  uint64_t key_hash;
  int32_t num_fields;
  int32_t num_methods;
  const void* fields;
  const void* methods;
  const void* metadata;
  /* Where the type's descendants are: `slots` indices right behind its own are theirs only, reserved ones and those
   * that happened to come there; `run_slots` from run_begin on as well; scatter says whether there are others. Read
   * them atomically: slots, run_slots and scatter grow while types are registered, run_begin is set once. */
  uint32_t slots;
  uint32_t run_begin; /* BYNAME_NO_RUN: none */
  uint32_t run_slots;
  uint32_t scatter; /* 0: all are in `slots`; 1: all are there or in the run; 2: byname_type_is knows the others */
} byname_type_info;

typedef struct byname_type_decl {
  uint32_t struct_size;
  int32_t parent; /* type index; BYNAME_OBJECT for the root's children */
  byname_str key;
  int32_t child_slots; /* indices reserved for descendants; more may come */
  const byname_dso* dso;
} byname_type_decl;

/* The index of a type, given at the first call; later calls, from any module, must name the same parent. */
BYNAME_API int byname_type_register(const byname_type_decl* decl, int32_t* out);
/* NULL: no such key or index. Valid for the life of the process. */
BYNAME_API const byname_type_info* byname_type_find(byname_str key);
BYNAME_API const byname_type_info* byname_type_get(int32_t type_index);
/* 1 if `type_index` is `ancestor` or descends from it. */
BYNAME_API int byname_type_is(int32_t type_index, int32_t ancestor);
/* All types by index, BYNAME_MAX_TYPES of them, at one address for the life of the process. NULL: no type; atomic. */
BYNAME_API const byname_type_info* const* byname_type_table(void);
/* Keys of all types, an Array of str. */
BYNAME_API int byname_type_keys(byname_any* out);

/* A class is a type as one module makes and destroys it: what allocation needs. Same decl, same class. A size or an
 * alignment that differs from those of objects that another module has made, and that live, is a TypeError. */
typedef struct byname_class_decl {
  uint32_t struct_size;
  int32_t type_index;
  uint32_t size;
  uint32_t alignment;
  void (*destroy)(void* object); /* NULL: trivially destroyed */
  byname_dso* dso;
} byname_class_decl;
BYNAME_API int byname_class_register(const byname_class_decl* decl, struct byname_class** out);
/* Memory for an object of the class with `extra` bytes behind it; NULL and an error if there is none. The caller
 * constructs in it, then either writes the header with byname_object_init or gives it back with byname_object_abandon.
 */
BYNAME_API void* byname_object_allocate(struct byname_class* owner, size_t extra);
BYNAME_API void byname_object_abandon(void* object);
static inline void byname_object_init(void* object, int32_t type_index);

/* Boxes: C++ classes that are no byname Objects. Their objects have the layout of byname_box. */
typedef struct byname_box_base {
  int32_t type_index;           /* of a registered class */
  void* (*cast)(void* derived); /* to that class */
} byname_box_base;
typedef struct byname_box_decl {
  uint32_t struct_size;
  byname_str key;
  const void* cpp_type; /* std::type_info */
  const byname_box_base* bases;
  size_t num_bases;
  byname_dso* dso;
  uint32_t size; /* of the C++ class */
  uint32_t alignment;
} byname_box_decl;
BYNAME_API int byname_box_register(const byname_box_decl* decl, int32_t* type_index);
/* The type index of a registered class, 0 if it is none. */
BYNAME_API int32_t byname_box_find(const void* cpp_type);
/* The same, but TypeError, with 0, if it is none. */
BYNAME_API int32_t byname_box_get(const void* cpp_type);
/* The C++ object in a box as one of the class with that index; NULL if it is neither that nor derived from it. */
BYNAME_API void* byname_box_cast(const byname_object* box, int32_t type_index);

/* ---- errors ---- */

/* Puts an error into the thread's slot, in place of one that is there; returns -1. `kind` is a Python exception's name
 * or a dotted one's of a user. */
BYNAME_API int byname_error_raise(byname_str kind, byname_str message);
/* The same with printf's formatting. */
BYNAME_API int byname_error_raisef(const char* kind, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the error object; returns -1. */
BYNAME_API int byname_error_raise_object(byname_object* error);
/* The error of the slot, which is then empty; NULL if there is none. */
BYNAME_API byname_object* byname_error_take(void);
BYNAME_API int byname_error_new(byname_str kind, byname_str message, byname_object* cause, byname_any* out);
/* Borrowed from the error. */
BYNAME_API byname_str byname_error_kind(const byname_object* error);
BYNAME_API byname_str byname_error_message(const byname_object* error);
BYNAME_API byname_object* byname_error_cause(const byname_object* error); /* borrowed, or NULL */
/* Where it was raised and through which calls by name it came, the innermost last; made when asked for. */
BYNAME_API int byname_error_trace(const byname_object* error, byname_any* out);
/* Says that the error passed a place: a named function and, if known, a site (static). */
BYNAME_API void byname_error_pass(byname_object* error, byname_str function, const char* file, int32_t line);
/* `kind` becomes a kind of its own whose parent is `parent`; bindings derive its exception class from the parent's. */
BYNAME_API int byname_error_kind_register(byname_str kind, byname_str parent);
/* 1 if `kind` is `ancestor` or was registered below it. The kinds of Python are known, and NotFound, a LookupError and
 * an AttributeError; a kind that nobody registered is taken for a RuntimeError. */
BYNAME_API int byname_error_kind_is(byname_str kind, byname_str ancestor);
/* Its parent (of several the first); empty for BaseException. Valid for the life of the process. */
BYNAME_API byname_str byname_error_kind_parent(byname_str kind);
/* 1 for a kind that is registered or one of Python's that errors are raised with from the start; else 0. */
BYNAME_API int byname_error_kind_is_known(byname_str kind);

/* A C++ exception class that stands for a kind, which is registered, too. `describe` hands the message of an exception
 * of the class to `emit`, once. Forgotten when the dso is unmapped. */
typedef struct byname_error_class {
  uint32_t struct_size;
  byname_str kind;
  byname_str parent;
  const void* type_info; /* the class's std::type_info */
  void (*describe)(const void* exception, void (*emit)(void* context, byname_str message), void* context);
  byname_dso* dso;
} byname_error_class;
BYNAME_API int byname_error_class_register(const byname_error_class* declared);

/* Warnings go to one handler; without one, to stderr. The old handler is returned in *old if that is not NULL. */
typedef struct byname_warning_handler {
  void (*function)(void* context, byname_str kind, byname_str message);
  void* context;
} byname_warning_handler;
BYNAME_API void byname_warning_handler_set(byname_warning_handler handler, byname_warning_handler* old);
BYNAME_API void byname_warn(byname_str kind, byname_str message);

/* ---- functions ---- */

enum {
  BYNAME_BLOCKING = 1,  /* may wait: bindings let other work go on meanwhile */
  BYNAME_OVERLOADS = 2, /* set by the core: the cell ranks several functions */
  BYNAME_ALIAS = 4,     /* set by the core */
  BYNAME_LOCAL = 8,     /* in a definition: only the module itself gives the function by its name (byname_module_get) */
  BYNAME_VARIANT = 16   /* set by the core: for one of several factories that share a prefix */
};

typedef struct byname_parameter {
  byname_str name;          /* static */
  byname_any default_value; /* borrowed; copied */
  uint8_t has_default;
  uint8_t keyword_only;
} byname_parameter;

/* A callable to be. From C: callback and context; from C++: signature and direct. */
typedef struct byname_definition {
  uint32_t struct_size;
  uint32_t flags;          /* BYNAME_BLOCKING, BYNAME_LOCAL */
  byname_str text;         /* a name, `name.overload`, or a schema that begins with one; may be empty for a value */
  byname_call_fn callback; /* called with `context` as self */
  void* context;
  void (*context_deleter)(void* context); /* called once, on failure too; may be NULL */
  byname_signature* signature;            /* static; NULL for a C callback */
  void (*direct)(void);
  size_t closure_size; /* state behind the function; 0 for none */
  size_t closure_alignment;
  void (*closure_move)(void* to, void* from);
  void (*closure_destroy)(void* closure);
  void* closure;                      /* moved from */
  const byname_parameter* parameters; /* names and defaults, all or none */
  size_t num_parameters;
  byname_str doc;   /* static */
  const char* file; /* static */
  int32_t line;
  byname_dso* dso;  /* whose code it is; NULL: found from the callback's address */
  byname_str scope; /* in a block: the namespace below the block's, as of a type's methods; may be empty */
} byname_definition;

/* A function value, without a name in the table. */
BYNAME_API int byname_function_new(const byname_definition* definition, byname_any* out);
/* What follows the function's record: where its C++ closure lives. */
static inline void* byname_function_closure(const byname_function* function);

/* Calls a function value. */
static inline int byname_function_call(byname_object* function, const byname_any* arguments, int32_t num_arguments,
                                       byname_any* result);
/* The same with keywords: the last num_names arguments are named. */
BYNAME_API int byname_function_call_named(byname_object* function, const byname_any* arguments, int32_t num_arguments,
                                          const byname_str* names, int32_t num_names, byname_any* result);
/* For thunks: some argument was not exactly of its parameter's type. Converts all of them and calls the thunk again, or
 * raises one error that names all that are wrong. */
BYNAME_API int byname_function_coerce(void* function, const byname_any* arguments, int32_t num_arguments,
                                      byname_any* result);
/* For callers that want a `type`: raises "name(): the result expects int, got str". Returns -1. */
BYNAME_API int byname_function_refuse_result(byname_str name, const byname_any* result, const byname_type* type);
/* Inside a catch block: puts the exception, as an error, into the thread's slot; returns -1. Rethrows forced unwinding.
 */
BYNAME_API int byname_error_raise_current(void);
/* The same; adds that it passed `function` (NULL: nothing). */
BYNAME_API int byname_error_raise_through(const byname_function* function);

/* What is known of a function value: "name(int a, int b=1) -> int"; its documentation. */
BYNAME_API int byname_function_schema(const byname_object* function, byname_any* out);
BYNAME_API int byname_function_doc(const byname_object* function, byname_any* out);
BYNAME_API int byname_function_name(const byname_object* function, byname_any* out);
/* All that is known, a Map: name, schema, doc, module, file, line, kind ("function" or "overloads"), flags ("blocking"
 * ...), parameters (a list of maps: name, type, keyword_only, default if there is one), overloads (names). */
BYNAME_API int byname_function_describe(const byname_object* function, byname_any* out);
/* Fills signature->id and returns it; NULL for a signature that has no name across modules. */
BYNAME_API const void* byname_signature_id(byname_signature* signature);

/* ---- the table of names ---- */

/* Which names make objects of one type: those below a prefix, as "layer.Convolution"; of a variant, which factories
 * that share a prefix have, the overloads of its name, as "layer::Convolution.float32". */
typedef struct byname_factory {
  byname_str prefix;
  byname_str variant; /* may be empty */
} byname_factory;

/* A block of registrations: a static node, linked by a constructor and unlinked by a destructor. */
typedef struct byname_library_node {
  uint32_t struct_size;
  uint32_t abi_version;
  byname_str prefix; /* namespace, static */
  const char* file;  /* static */
  int32_t line;
  int32_t state;                               /* the core's */
  void (*run)(struct byname_library* library); /* may throw */
  byname_dso* dso;
  struct byname_library_node* next; /* the core's */
} byname_library_node;
BYNAME_API void byname_library_link(byname_library_node* node);
BYNAME_API void byname_library_unlink(byname_library_node* node);

/* Inside a block: into the block's private batch. */
BYNAME_API int byname_library_define(struct byname_library* library, const byname_definition* definition);
BYNAME_API int byname_library_alias(struct byname_library* library, byname_str name, byname_str target,
                                    byname_str since, const char* file, int32_t line);
BYNAME_API int byname_library_own(struct byname_library* library, const char* file, int32_t line);
/* When the module is unloaded, after its names are gone, or if its registration fails after this. Not when the process
 * ends. */
BYNAME_API int byname_library_on_unload(struct byname_library* library, void (*function)(void* context), void* context);
/* Declares which names make objects of a type; factory.prefix is below the block's namespace. A type has one factory.
 */
BYNAME_API int byname_library_factory(struct byname_library* library, byname_factory factory, int32_t base,
                                      const char* file, int32_t line);
/* byname_library_define under a name of the type's factory, whichever block declares that. */
BYNAME_API int byname_library_product(struct byname_library* library, int32_t base,
                                      const byname_definition* definition);
BYNAME_API byname_str byname_library_prefix(const struct byname_library* library);

/* Registers one function under its full name (which definition->text begins with), at once. The registration is
 * removed by byname_registration_remove, kept for good by byname_registration_keep; both take it. */
BYNAME_API int byname_register(const byname_definition* definition, struct byname_registration** out);
BYNAME_API void byname_registration_remove(struct byname_registration* registration);
BYNAME_API void byname_registration_keep(struct byname_registration* registration);
/* Removes whatever is registered under a full name; NotFound if nothing is. */
BYNAME_API int byname_remove(byname_str name);

/* The entry of a name under which something is registered; NULL, and no error, if nothing is. */
BYNAME_API byname_entry* byname_find(byname_str name);
/* The same without attaching what waits to be: it runs no code of others and waits for nobody. */
BYNAME_API byname_entry* byname_find_attached(byname_str name);
/* The same, but NotFound, which tells near names, is raised. */
BYNAME_API byname_entry* byname_get(byname_str name);
/* Names that begin with `prefix`, sorted, an Array of str. */
BYNAME_API int byname_names(byname_str prefix, byname_any* out);
/* A counted reference to the function that is registered now. */
BYNAME_API int byname_entry_pin(byname_entry* entry, byname_any* out);
/* Calls what is registered now. */
BYNAME_HOT_API int byname_call(byname_entry* entry, const byname_any* arguments, int32_t num_arguments,
                               byname_any* result);
BYNAME_API int byname_call_named(byname_entry* entry, const byname_any* arguments, int32_t num_arguments,
                                 const byname_str* names, int32_t num_names, byname_any* result);

/* Hears of names that come (created 1) and go (0), in the order in which it happened; first of those that are there. */
typedef struct byname_listener {
  void (*function)(void* context, byname_str name, int created);
  void* context;
} byname_listener;
BYNAME_API int byname_listener_register(byname_listener listener, uint64_t* id);
BYNAME_API void byname_listener_remove(uint64_t id);

/* The cell of an entry, safe from removal until byname_unprotect; NULL if nothing is registered, and then nothing is to
 * be unprotected. Calls nest; protect and unprotect must pair like brackets on one thread. */
typedef struct byname_guard {
  byname_function* cell;
  byname_function** slot; /* the hazard that protects it, and the thread's top before */
  byname_thread* thread;
} byname_guard;
static inline byname_guard byname_protect(const byname_entry* entry);
static inline void byname_unprotect(byname_guard guard);
/* The same for the usual case only: without a cell for whatever reason, byname_protect may still give one. What it
 * gives is to be unprotected by byname_unprotect_usual. */
static inline byname_guard byname_protect_usual(const byname_entry* entry);
static inline void byname_unprotect_usual(byname_guard guard);
/* Slow parts. */
BYNAME_API byname_guard byname_protect_slow(const byname_entry* entry);
BYNAME_API void byname_unprotect_slow(void);
/* Raises NotFound for an entry that lost its function. Returns -1. */
BYNAME_API int byname_entry_raise_removed(const byname_entry* entry);

/* ---- factories ---- */

/* The prefix and the variant of a type's factory, each a str. Raises NotFound. */
BYNAME_API int byname_factory_of(int32_t base, byname_any* prefix, byname_any* variant);
/* The type that a factory is declared for; 0, and no error, if it is for none. */
BYNAME_API int32_t byname_factory_base(byname_factory factory);
/* The names of its types ("Convolution"), sorted, an Array of str. */
BYNAME_API int byname_factory_types(byname_factory factory, byname_any* out);
/* The entry of the function that makes objects of one of its types ("Convolution"; of an overload without a variant
 * "Convolution.small"). Raises NotFound, which tells known types and near ones. */
BYNAME_API byname_entry* byname_factory_get(byname_factory factory, byname_str type);
/* The same, but NULL, and no error, if there is none, without attaching what waits to be. */
BYNAME_API byname_entry* byname_factory_find_attached(byname_factory factory, byname_str type);
/* Makes what a configuration says: a Map with "type" and the creator's arguments by their names. A Map where the
 * creator takes an object of a type that has a factory is a configuration in turn; so are those in lists and Maps.
 * Raises ValueError that tells everything that is wrong with it, each with its place as in "$.layers[2]". */
BYNAME_API int byname_factory_create(byname_factory factory, const byname_any* config, byname_any* out);

/* ---- modules ---- */

/* Loads a shared object, by path (with a slash) or by name (searched in the directories of `search`, as "a:b", then
 * BYNAME_PATH, beside this library, then the loader's path; "lib" and ".so" may be left out), and runs its blocks.
 * Loading what is loaded gives the same module. */
BYNAME_API int byname_module_load(byname_str path, byname_str search, byname_any* out);
/* Loads what the module's file is now in place of what is loaded: names that both register change over without a moment
 * in which they are not there, handles call the new code, then the old code's on_unload runs. The value stands for the
 * new code from then on; objects of the old code go on working. `out`, if not NULL, becomes an Array of str that says
 * what still holds the old code. If it fails, the old code stays: for what byname_module_load fails for, for types laid
 * out otherwise than objects that live (TypeError), and for a module that is not loaded or that the loader never unmaps
 * (RuntimeError). */
BYNAME_API int byname_module_reload(byname_object* module, byname_any* out);
/* Removes the module's names. `out`, if not NULL, becomes an Array of str that says what still holds its code; empty if
 * nothing does. The code is unmapped when nothing does, by this call or a later load, unload or collect. */
BYNAME_API int byname_module_unload(byname_object* module, byname_any* out);
/* What holds the module's code besides its names, an Array of str: what byname_module_unload would say of a module that
 * is loaded, and what is left of one that was. Waits for threads that load. */
BYNAME_API int byname_module_holders(const byname_object* module, byname_any* out);
/* Names the module registered, sorted, an Array of str; its own (BYNAME_LOCAL) are among them. */
BYNAME_API int byname_module_names(const byname_object* module, byname_any* out);
/* The entry of a name that the module registered something under; of its own one, if it has that. Raises NotFound,
 * which tells near names of it. */
BYNAME_API byname_entry* byname_module_get(const byname_object* module, byname_str name);
BYNAME_API int byname_module_path(const byname_object* module, byname_any* out);
/* 1 while its names are registered. */
BYNAME_API int byname_module_is_loaded(const byname_object* module);
/* All modules that are loaded, or whose code is still mapped since they were; an Array. */
BYNAME_API int byname_modules(byname_any* out);
/* Frees what removed functions left behind and unmaps modules that nothing holds any more; returns how many. Does not
 * wait for other threads: if one loads or unloads, that one unmaps them afterwards. */
BYNAME_API size_t byname_collect(void);
/* Runs the blocks of objects that came otherwise than by byname_module_load. Look-ups that miss do so themselves. */
BYNAME_API int byname_attach(void);

/* ---- inline parts ---- */

#ifdef __SANITIZE_THREAD__
#define BYNAME_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BYNAME_TSAN 1
#endif
#endif

extern BYNAME_API BYNAME_THREAD_LOCAL byname_thread byname_this_thread __attribute__((tls_model("initial-exec")));

/* The thread's record by a plain address: through the segment register the processor takes several cycles longer to
 * hand a store of `top` on to the next load of it. */
static inline byname_thread* byname_thread_here(void) {
  byname_thread* thread = &byname_this_thread;
  __asm__("" : "+r"(thread));
  return thread;
}

static inline byname_guard byname_protect_usual(const byname_entry* entry) {
  byname_thread* thread = byname_thread_here();
  byname_guard guard = {__atomic_load_n(&entry->cell, __ATOMIC_ACQUIRE), thread->top, thread};
  if (__builtin_expect(guard.slot >= thread->limit || guard.cell == NULL, 0)) {
    guard.cell = NULL;
    return guard;
  }
#ifdef BYNAME_TSAN
  __atomic_store_n(guard.slot, guard.cell, __ATOMIC_SEQ_CST);
  __atomic_store_n(&thread->top, guard.slot + 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(__atomic_load_n(&entry->cell, __ATOMIC_SEQ_CST) == guard.cell, 1)) return guard;
#else
  /* The remover's membarrier takes the place of a fence between these stores and the load. */
  __atomic_store_n(guard.slot, guard.cell, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->top, guard.slot + 1, __ATOMIC_RELAXED);
  __asm__ volatile("" ::: "memory");
  if (__builtin_expect(__atomic_load_n(&entry->cell, __ATOMIC_ACQUIRE) == guard.cell, 1)) return guard;
#endif
  __atomic_store_n(&thread->top, guard.slot, __ATOMIC_RELEASE);
  guard.cell = NULL;
  return guard;
}

static inline byname_guard byname_protect(const byname_entry* entry) {
  byname_guard guard = byname_protect_usual(entry);
  return __builtin_expect(guard.cell != NULL, 1) ? guard : byname_protect_slow(entry);
}

static inline void byname_unprotect_usual(byname_guard guard) {
  /* Not one less than what is there now: the load would wait for byname_protect's store, call after call. */
  __atomic_store_n(&guard.thread->top, guard.slot, __ATOMIC_RELEASE);
}

static inline void byname_unprotect(byname_guard guard) {
  if (__builtin_expect(guard.slot != &guard.thread->hazards[BYNAME_NUM_HAZARDS - 1], 1)) {
    byname_unprotect_usual(guard);
  } else {
    byname_unprotect_slow();
  }
}

static inline void byname_object_retain(byname_object* object) {
  __atomic_fetch_add(&object->counts, BYNAME_COUNT_ONE_STRONG, __ATOMIC_RELAXED);
}

static inline void byname_object_release(byname_object* object) {
  uint64_t counts;
  if (object == NULL) return;
  /* Nobody else can hold or promote an object whose only reference is ours: no read-modify-write is needed. */
  if (__atomic_load_n(&object->counts, __ATOMIC_ACQUIRE) == BYNAME_COUNT_UNIQUE) {
    object->deleter(object, BYNAME_DELETE_BOTH);
    return;
  }
  counts = __atomic_fetch_sub(&object->counts, BYNAME_COUNT_ONE_STRONG, __ATOMIC_ACQ_REL);
  if ((uint32_t)counts != 1) return;
  if (counts == BYNAME_COUNT_UNIQUE) {
    object->deleter(object, BYNAME_DELETE_BOTH);
    return;
  }
  object->deleter(object, BYNAME_DELETE_STRONG);
  byname_object_release_weak(object);
}

static inline void byname_object_retain_weak(byname_object* object) {
  __atomic_fetch_add(&object->counts, BYNAME_COUNT_ONE_WEAK, __ATOMIC_RELAXED);
}

static inline void byname_object_release_weak(byname_object* object) {
  uint64_t counts;
  if (object == NULL) return;
  counts = __atomic_fetch_sub(&object->counts, BYNAME_COUNT_ONE_WEAK, __ATOMIC_ACQ_REL);
  if (counts >> 32 == 1) object->deleter(object, BYNAME_DELETE_WEAK);
}

static inline int byname_object_promote(byname_object* object) {
  uint64_t counts = __atomic_load_n(&object->counts, __ATOMIC_RELAXED);
  while ((uint32_t)counts != 0) {
    if (__atomic_compare_exchange_n(&object->counts, &counts, counts + BYNAME_COUNT_ONE_STRONG, 1, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return 1;
    }
  }
  return 0;
}

static inline void byname_object_init(void* object, int32_t type_index) {
  byname_object* header = (byname_object*)object;
  header->counts = BYNAME_COUNT_UNIQUE;
  header->type_index = type_index;
  header->padding = 0;
  header->deleter = &byname_object_delete;
}

static inline int byname_is_own(const byname_object* object) { return object->deleter == &byname_object_delete; }

static inline byname_prefix* byname_object_prefix(const byname_object* object) { return (byname_prefix*)object - 1; }

static inline void byname_any_drop(byname_any* value) {
  if (value->type_index >= BYNAME_OBJECT) byname_object_release(value->as_object);
}

static inline int byname_any_text(const byname_any* value, byname_str* out) {
  switch (value->type_index) {
    case BYNAME_SMALL_STR:
      out->data = value->as_small;
      out->size = value->small_size;
      return 1;
    case BYNAME_STR:
      *out = ((const byname_string*)(const void*)value->as_object)->text;
      return 1;
    case BYNAME_STR_VIEW:
      *out = *value->as_str;
      return 1;
    case BYNAME_CHARS:
      out->data = value->as_chars;
      out->size = __builtin_strlen(value->as_chars);
      return 1;
    default:
      return 0;
  }
}

static inline int byname_any_bytes(const byname_any* value, byname_str* out) {
  switch (value->type_index) {
    case BYNAME_SMALL_BYTES:
      out->data = value->as_small;
      out->size = value->small_size;
      return 1;
    case BYNAME_BYTES:
      *out = ((const byname_string*)(const void*)value->as_object)->text;
      return 1;
    case BYNAME_BYTE_VIEW:
      *out = *value->as_str;
      return 1;
    default:
      return 0;
  }
}

static inline int byname_function_call(byname_object* function, const byname_any* arguments, int32_t num_arguments,
                                       byname_any* result) {
  return ((byname_function*)(void*)function)->safe_call(function, arguments, num_arguments, result);
}

static inline void* byname_function_closure(const byname_function* function) { return (void*)(function + 1); }

#ifdef __cplusplus
}
#endif

#endif /* BYNAME_C_API_H_ */
