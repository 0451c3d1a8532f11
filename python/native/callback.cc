#include "callback.h"

#include "error.h"
#include "gil.h"
#include "object.h"
#include "to_python.h"
#include "to_value.h"

namespace byname::python {
namespace {

constexpr int32_t kMaxOnStack = 8;

int take_result(PyObject* object, byname_any* result) {
  byname_any number{BYNAME_INT, 0, {0}};
  int status = 0;
  if (Py_TYPE(object) == &PyLong_Type && small_int(object, &number.as_int)) {
    *result = number;
  } else if (to_owned(object, result) != 0) {
    status = raise_exception();
  }
  Py_DECREF(object);
  return status;
}

// The arguments as objects on a stack that has room for one more in front, as Python's calls of methods want it. The
// caller has seen to the depth of recursion: Python counts its own calls, not those between C++ functions.
inline int call_on_stack(PyObject* callable, PyObject* names, const byname_any* arguments, int32_t count,
                         PyObject** stack, byname_any* result) {
  PyObject* object = nullptr;
  int32_t made = 0;
  while (made < count && (stack[1 + made] = to_python(&arguments[made])) != nullptr) ++made;
  if (BYNAME_LIKELY(made == count)) {
    Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
    object = PyObject_Vectorcall(callable, stack + 1,
                                 static_cast<size_t>(count - named) | PY_VECTORCALL_ARGUMENTS_OFFSET, names);
  }
  while (made > 0) Py_DECREF(stack[made--]);
  return BYNAME_LIKELY(object != nullptr) ? take_result(object, result) : raise_exception();
}

int call_with_many(PyObject* callable, PyObject* names, const byname_any* arguments, int32_t count,
                   byname_any* result) {
  auto* stack = static_cast<PyObject**>(PyMem_Malloc((static_cast<size_t>(count) + 1) * sizeof(PyObject*)));
  if (stack == nullptr) return byname_error_raise(literal("MemoryError"), literal("out of memory"));
  int status = call_on_stack(callable, names, arguments, count, stack, result);
  PyMem_Free(stack);
  return status;
}

// From a thread without the GIL, with an exception on its way, too deep, with many arguments.
BYNAME_COLD int call_rarely(PyObject* callable, PyObject* names, const byname_any* arguments, int32_t count,
                            byname_any* result) {
  GilScope scope;
  if (!scope) {
    return byname_error_raise(literal("RuntimeError"),
                              literal("the Python interpreter ends, its functions can't be called"));
  }
  KeepException keep;
  if (Py_EnterRecursiveCall(" while calling Python from C++") != 0) return raise_exception();
  int status = call_with_many(callable, names, arguments, count, result);
  Py_LeaveRecursiveCall();
  return status;
}

int call_callable(void* context, const byname_any* arguments, int32_t count, byname_any* result) {
  return call_python(static_cast<PyObject*>(context), nullptr, arguments, count, result);
}

void drop_context(void* context) { drop_reference(static_cast<PyObject*>(context)); }

}  // namespace

int call_python(PyObject* callable, PyObject* names, const byname_any* arguments, int32_t count, byname_any* result) {
  PyThreadState* state = state_with_gil();
  if (BYNAME_UNLIKELY(state == nullptr || state->curexc_type != nullptr || state->recursion_remaining <= 1 ||
                      count > kMaxOnStack)) {
    return call_rarely(callable, names, arguments, count, result);
  }
  PyObject* stack[kMaxOnStack + 1];
  --state->recursion_remaining;
  int status = call_on_stack(callable, names, arguments, count, stack, result);
  ++state->recursion_remaining;
  return status;
}

int function_of_callable(PyObject* callable, byname_any* out) {
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.callback = &call_callable;
  definition.context = Py_NewRef(callable);
  definition.context_deleter = &drop_context;
  definition.dso = &extension_dso;
  if (byname_function_new(&definition, out) != 0) return raise_error_int();
  return set_twin(out->as_object, callable);
}

}  // namespace byname::python
