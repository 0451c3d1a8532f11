// Function cells: what a registered callable becomes.
#ifndef BYNAME_FUNCTION_CELL_H_
#define BYNAME_FUNCTION_CELL_H_

#include <optional>
#include <string>
#include <string_view>

#include "byname/ref.h"
#include "schema/schema.h"

// Behind a function's record and its closure, in the same block of memory.
struct byname_details {
  byname_str doc;    // static, in the module
  const char* file;  // static, in the module; may be NULL
  int32_t line;
  const byname::core::Schema* schema;  // NULL: inferred from the signature when somebody asks
  void (*closure_destroy)(void* closure);
};

namespace byname::core {

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

inline const byname_function* own_function(const byname_object* object) {
  return reinterpret_cast<const byname_function*>(object);
}

// Makes a cell. `form` says how dots in the definition's name count. `owner` is the class of function cells of the
// definition's shared object. Throws ValueError for a bad schema, bad parameters, a schema that the
// C++ signature contradicts. Takes over the closure and the context only if it succeeds.
FunctionRef make_function(const byname_definition& definition, NameForm form, byname_class* owner);

// The class by which function cells with code of `dso` are counted.
byname_class* function_class(byname_dso* dso);

// A cell made by the core itself: any number of arguments, `closure` (16-byte aligned at most) moved into it.
FunctionRef make_core_function(byname_call_fn thunk, uint32_t flags, const byname_definition& description,
                               byname_class* owner);

// The schema of a cell: its own, or inferred now.
class SchemaOf {
 public:
  explicit SchemaOf(const byname_function* function);
  const Schema& operator*() const { return inferred_ ? *inferred_ : *own_; }
  const Schema* operator->() const { return &**this; }

 private:
  const Schema* own_;
  std::optional<Schema> inferred_;
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

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_CELL_H_
