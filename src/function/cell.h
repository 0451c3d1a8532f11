// Function cells: what a registered callable becomes.
#ifndef BYNAME_FUNCTION_CELL_H_
#define BYNAME_FUNCTION_CELL_H_

#include <string>
#include <string_view>

#include "byname/ref.h"
#include "schema/schema.h"

namespace byname::core {

struct CallShape;
// A call with keywords. May throw.
using NamedCall = int (*)(byname_function* function, const CallShape& shape, byname_any* result);

}  // namespace byname::core

// Behind a function's record and its closure, in the same block of memory.
struct byname_details {
  byname_str doc;    // static, in the module
  const char* file;  // static, in the module; may be NULL
  int32_t line;
  uint16_t num_names;                  // of the signature's parameters, if that is all that was given; they follow
  bool is_given;                       // the schema was: by a text, or by names and defaults
  const byname::core::Schema* schema;  // if it was not given NULL until somebody asks; atomic
  void (*closure_destroy)(void* closure);
  byname::core::NamedCall call_named;  // NULL: keywords are placed by the schema
  byname_call_fn traced;               // the thunk, if the one that is called traces it; else NULL
};

namespace byname::core {

// Functions of more parameters are refused when they are made, calls with more arguments when they are bound.
inline constexpr size_t kMaxParameters = 64;

// A counted reference to a cell of Byname's own.
class FunctionRef {
 public:
  FunctionRef() noexcept = default;
  explicit FunctionRef(byname_function* taken) noexcept : function_(taken) {}
  FunctionRef(FunctionRef&& other) noexcept : function_(other.leak()) {}
  FunctionRef(const FunctionRef& other) noexcept : function_(other.function_) {
    if (function_ != nullptr) byname_object_retain(&function_->header);
  }
  FunctionRef& operator=(FunctionRef other) noexcept {
    std::swap(function_, other.function_);
    return *this;
  }
  ~FunctionRef() {
    if (function_ != nullptr) byname_object_release(&function_->header);
  }
  byname_function* get() const noexcept { return function_; }
  byname_function* operator->() const noexcept { return function_; }
  explicit operator bool() const noexcept { return function_ != nullptr; }
  byname_function* leak() noexcept { return std::exchange(function_, nullptr); }

 private:
  byname_function* function_ = nullptr;
};

inline uint32_t num_references(const byname_function* function) {
  return static_cast<uint32_t>(__atomic_load_n(&function->header.counts, __ATOMIC_ACQUIRE));
}

inline const byname_function* own_function(const byname_object* object) {
  return reinterpret_cast<const byname_function*>(object);
}

// Drops the context of a definition that nobody took over: whoever hands one over has it no more, whatever happens.
class ContextGuard {
 public:
  explicit ContextGuard(byname_definition& definition) : definition_(definition) {}
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;
  ~ContextGuard() {
    if (definition_.context_deleter != nullptr) definition_.context_deleter(definition_.context);
  }

 private:
  byname_definition& definition_;
};

// Makes a cell. `form` says how dots in the definition's name count. `owner` is the class of function cells of the
// definition's shared object. Throws ValueError for a bad schema, bad parameters, a schema that the
// C++ signature contradicts. The closure is moved from, and the context taken over (the definition then has no deleter
// any more), only if it succeeds.
FunctionRef make_function(byname_definition& definition, NameForm form, byname_class* owner);

// The class by which function cells with code of `dso` are counted.
byname_class* function_class(byname_dso* dso);

// A cell made by the core itself: any number of arguments, `closure` (16-byte aligned at most) moved into it.
struct CoreCalls {
  byname_call_fn thunk;
  NamedCall named;
};
FunctionRef make_core_function(CoreCalls calls, uint32_t flags, const byname_definition& description,
                               byname_class* owner);

// The thunk of the callable itself.
inline byname_call_fn own_thunk(const byname_function* function) {
  return function->details->traced != nullptr ? function->details->traced : function->thunk;
}

// The schema that a cell was made with, or NULL.
inline const Schema* given_schema(const byname_function* function) {
  return function->details->is_given ? function->details->schema : nullptr;
}

// The schema of a cell. Lives as long as the cell. Inferred when it is first asked for, if it was not given.
class SchemaOf {
 public:
  explicit SchemaOf(const byname_function* function);
  const Schema& operator*() const { return *schema_; }
  const Schema* operator->() const { return schema_; }

 private:
  const Schema* schema_;
};

// The full name it is registered under, else the schema's, else "function".
std::string_view name_of(const byname_function* function);
// "math.add(int a, int b=1) -> int"
std::string print_function(const byname_function* function);

// Runs a C callback: the thunk of cells that have one.
struct Callback {
  byname_call_fn function;
  void* context;
  void (*context_deleter)(void* context);
};
int call_callback(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result);
// The callback itself, with arguments that are converted. Its errors tell that they passed the function.
int run_callback(const byname_function* function, const byname_any* arguments, int32_t num_arguments,
                 byname_any* result);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_CELL_H_
