// The call. The one file that is compiled with exceptions: it calls C++ without the core in between.
#include "call.h"

#include "error.h"
#include "to_python.h"

namespace byname::python {
namespace {

class Protected {
 public:
  explicit Protected(const byname_entry* entry) : guard_(byname_protect(entry)) {}
  Protected(const Protected&) = delete;
  Protected& operator=(const Protected&) = delete;
  ~Protected() {
    if (guard_.cell != nullptr) byname_unprotect(guard_);
  }
  byname_function* cell() const { return guard_.cell; }

 private:
  byname_guard guard_;
};

inline int invoke(byname_function* cell, const byname_any* values, Py_ssize_t count, byname_any* result) {
  // A function without flags, with as many arguments as it has parameters, needs nothing of the core.
  if (BYNAME_UNLIKELY(cell->arity != count || cell->flags != 0)) {
    return call_cell(cell, values, static_cast<int32_t>(count), result);
  }
  try {
    return cell->thunk(cell, values, static_cast<int32_t>(count), result);
  } catch (...) {
    return byname_error_raise_through(cell);
  }
}

// The name stands for another function than the one for which the arguments were placed.
constexpr int kChanged = 1;

// `expected`: the function to call, or NULL for whichever it is.
inline int invoke_entry(byname_entry* entry, const byname_function* expected, const byname_any* values,
                        Py_ssize_t count, byname_any* result) {
  Protected protector(entry);
  byname_function* cell = protector.cell();
  if (BYNAME_UNLIKELY(cell == nullptr)) return byname_entry_raise_removed(entry);
  if (BYNAME_UNLIKELY(expected != nullptr && cell != expected)) return kChanged;
  return invoke(cell, values, count, result);
}

inline int invoke_value(byname_function* cell, const byname_any* values, Py_ssize_t count, byname_any* result) {
  if (BYNAME_LIKELY(byname_is_own(&cell->header))) return invoke(cell, values, count, result);
  return cell->safe_call(cell, values, static_cast<int32_t>(count), result);
}

// NULL without an exception if the function is not the expected one any more.
template <bool kByName>
__attribute__((always_inline)) inline PyObject* call_positional(FunctionObject* self, PyObject* const* arguments,
                                                                Py_ssize_t count, const byname_function* expected) {
  byname_any values[kMaxDirect];
  byname_str sides[kMaxDirect];
  Leftovers left;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (BYNAME_UNLIKELY(to_view(arguments[i], &values[i], &sides[i], &left) != 0)) {
      clean_up(values, i, &left);
      return nullptr;
    }
  }
  byname_any result{};
  int status = kByName ? invoke_entry(self->entry, expected, values, count, &result)
                       : invoke_value(self->value, values, count, &result);
  if (BYNAME_UNLIKELY(left.any())) clean_up(values, count, &left);
  if (BYNAME_UNLIKELY(status == kChanged)) return nullptr;
  PyObject* object = BYNAME_LIKELY(status == 0) ? take_value(&result) : raise_error();
  return BYNAME_LIKELY(num_raised_warnings == 0) ? object : after_warnings(object);
}

template <bool kByName>
PyObject* call_named(FunctionObject* self, PyObject* const* arguments, Py_ssize_t positional, PyObject* names) {
  PyObject* placed[kMaxDirect];
  byname_function* cell = kByName ? __atomic_load_n(&self->entry->cell, __ATOMIC_ACQUIRE) : self->value;
  if (BYNAME_UNLIKELY(cell != self->parameters.cell)) {
    byname_guard used = begin_use(self);
    if (used.cell == nullptr) return nullptr;
    read_parameter_names(self, used.cell);
    end_use(self, used);
  }
  Py_ssize_t count = place_keywords(self->parameters, arguments, positional, names, placed);
  if (count < 0) return call_general(self, arguments, positional, names);
  PyObject* result = call_positional<kByName>(self, placed, count, self->parameters.cell);
  if (BYNAME_LIKELY(result != nullptr || PyErr_Occurred())) return result;
  return call_general(self, arguments, positional, names);
}

template <bool kByName>
PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<FunctionObject*>(object);
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (BYNAME_UNLIKELY(names != nullptr)) return call_named<kByName>(self, arguments, count, names);
  if (BYNAME_UNLIKELY(count > kMaxDirect)) return call_general(self, arguments, count, nullptr);
  return call_positional<kByName>(self, arguments, count, nullptr);
}

}  // namespace

PyObject* call_handle(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  return call<true>(self, arguments, flags, names);
}

PyObject* call_value(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  return call<false>(self, arguments, flags, names);
}

}  // namespace byname::python
