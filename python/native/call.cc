// The call. The one file that is compiled with exceptions: it calls C++ without the core in between.
#include "call.h"

#include "error.h"
#include "to_python.h"

namespace byname::python {
namespace {

struct Unprotect {
  explicit Unprotect(byname_guard guard) : guard(guard) {}
  Unprotect(const Unprotect&) = delete;
  Unprotect& operator=(const Unprotect&) = delete;
  ~Unprotect() { byname_unprotect(guard); }
  byname_guard guard;
};

inline int invoke(byname_function* cell, const byname_any* values, Py_ssize_t count, byname_any* result) {
  // A function without flags, with as many arguments as it has parameters, needs nothing of the core.
  if (BYNAME_UNLIKELY(cell->arity != static_cast<int32_t>(count) || cell->flags != 0)) {
    return call_cell(cell, values, static_cast<int32_t>(count), result);
  }
  try {
    return cell->thunk(cell, values, static_cast<int32_t>(count), result);
  } catch (...) {
    return byname_error_raise_current();
  }
}

// The name stands for another function than the one for which the arguments were placed.
constexpr int kChanged = 1;

// `expected`: the function to call, or NULL for whichever it is.
inline int invoke_entry(byname_entry* entry, const byname_function* expected, const byname_any* values,
                        Py_ssize_t count, byname_any* result) {
  byname_guard guard = byname_protect(entry);
  byname_function* cell = guard.cell;
  if (BYNAME_UNLIKELY(cell == nullptr)) return byname_entry_raise_removed(entry);
  Unprotect unprotect(guard);
  if (BYNAME_UNLIKELY(expected != nullptr && cell != expected)) return kChanged;
  return invoke(cell, values, count, result);
}

inline int invoke_value(byname_function* cell, const byname_any* values, Py_ssize_t count, byname_any* result) {
  if (BYNAME_LIKELY(byname_is_own(&cell->header))) return invoke(cell, values, count, result);
  return cell->safe_call(cell, values, static_cast<int32_t>(count), result);
}

// NULL without an exception if the function is not the expected one any more.
template <bool kByName>
inline PyObject* call_positional(FunctionObject* self, PyObject* const* arguments, Py_ssize_t count,
                                 const byname_function* expected) {
  byname_any values[kMaxDirect];
  byname_str sides[kMaxDirect];
  Leftovers left;
  bool is_plain = true;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (BYNAME_LIKELY(to_plain_view(arguments[i], &values[i], &sides[i]))) continue;
    if (!convert_rest(arguments, i, count, values, sides, &left)) return nullptr;
    is_plain = false;
    break;
  }
  byname_any result{};
  int status = kByName ? invoke_entry(self->entry, expected, values, count, &result)
                       : invoke_value(self->value, values, count, &result);
  if (BYNAME_UNLIKELY(!is_plain)) clean_up(values, count, &left);
  if (BYNAME_UNLIKELY(status != 0)) return status == kChanged ? nullptr : raise_error_of(self);
  return take_value(&result);
}

template <bool kByName>
__attribute__((noinline)) PyObject* call_unusual(FunctionObject* self, PyObject* const* arguments,
                                                 Py_ssize_t positional, PyObject* names) {
  if (names == nullptr) return call_general(self, arguments, positional, nullptr);
  PyObject* placed[kMaxDirect];
  byname_function* cell = kByName ? __atomic_load_n(&self->entry->cell, __ATOMIC_ACQUIRE) : self->value;
  if (BYNAME_UNLIKELY(cell != self->parameters.cell)) {
    byname_guard used = begin_use(self);
    if (used.cell == nullptr) return nullptr;
    learn_parameters(self, used.cell);
    end_use(self, used);
  }
  Py_ssize_t count = place_keywords(self->parameters, arguments, positional, names, placed);
  if (count < 0) return call_general(self, arguments, positional, names);
  PyObject* result = call_positional<kByName>(self, placed, count, self->parameters.cell);
  if (BYNAME_LIKELY(result != nullptr || PyErr_Occurred())) return result;
  return call_general(self, arguments, positional, names);
}

template <bool kByName>
inline PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<FunctionObject*>(object);
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (BYNAME_UNLIKELY(names != nullptr || count > kMaxDirect)) {
    return call_unusual<kByName>(self, arguments, count, names);
  }
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
