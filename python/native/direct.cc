// Compiled with exceptions, as call.cc.
#include "direct.h"

#include <string_view>
#include <tuple>

#include "error.h"
#include "to_value.h"

namespace byname::python {
namespace {

// What the C++ headers call these types where they make a signature's name.
template <class T>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<void> = "v";
template <>
constexpr const char* kName<bool> = "b";
template <>
constexpr const char* kName<int64_t> = "i8";
template <>
constexpr const char* kName<double> = "f8";
template <>
constexpr const char* kName<std::string_view> = "sv-gnu";

template <class>
constexpr const char* kByValue = ",";
template <class>
constexpr const char* kNoSpan = "";

template <class R, class... P>
constexpr const char* kParts[] = {kByValue<R>, kName<R>, kNoSpan<R>,    kByValue<P>..., "(",
                                  kName<P>..., "(",      kNoSpan<P>..., nullptr};

template <class R, class... P>
constinit byname_signature kSignature = {sizeof(byname_signature), sizeof...(P), nullptr, nullptr, nullptr,
                                         kParts<R, P...>,          nullptr};

inline bool load(PyObject* object, int64_t& out) { return Py_TYPE(object) == &PyLong_Type && small_int(object, &out); }

inline bool load(PyObject* object, double& out) {
  if (BYNAME_LIKELY(Py_TYPE(object) == &PyFloat_Type)) {
    out = PyFloat_AS_DOUBLE(object);
    return true;
  }
  int64_t number = 0;
  bool is_int = load(object, number);
  out = static_cast<double>(number);
  return is_int;
}

inline bool load(PyObject* object, std::string_view& out) {
  if (Py_TYPE(object) != &PyUnicode_Type || !PyUnicode_IS_COMPACT_ASCII(object)) return false;
  out = {reinterpret_cast<const char*>(reinterpret_cast<PyASCIIObject*>(object) + 1),
         static_cast<size_t>(PyUnicode_GET_LENGTH(object))};
  return true;
}

// Whether a parameter takes no object of the type, whatever its value.
bool refuses(PyTypeObject* type, int64_t) {
  return type == &PyUnicode_Type || type == &PyFloat_Type || type == Py_TYPE(Py_None) || type == &PyBytes_Type;
}
bool refuses(PyTypeObject* type, double) {
  return type == &PyUnicode_Type || type == Py_TYPE(Py_None) || type == &PyBytes_Type;
}
bool refuses(PyTypeObject* type, std::string_view) {
  return type == &PyLong_Type || type == &PyFloat_Type || type == Py_TYPE(Py_None) || type == &PyBytes_Type;
}

inline PyObject* make(int64_t value) { return PyLong_FromLongLong(value); }
inline PyObject* make(double value) { return PyFloat_FromDouble(value); }
inline PyObject* make(bool value) { return PyBool_FromLong(value); }

// In a catch block of a call. That the exception passed this function needs no note: the traceback tells.
BYNAME_COLD PyObject* raise_thrown(const FunctionObject* self, byname_function** slot) {
  byname_error_raise_current();
  byname_unprotect_usual({*slot, slot, &byname_this_thread});
  return raise_error_of(self);
}

// Calls a protected function, which is not protected any more after that. (Unless the thread ends inside; then all of
// its protection does.)
template <class R, class... P>
inline PyObject* invoke(const FunctionObject* self, byname_guard guard, P... arguments) {
  auto direct = reinterpret_cast<R (*)(void*, P...)>(guard.cell->direct);
  [[maybe_unused]] std::conditional_t<std::is_void_v<R>, int, R> result;
  try {
    if constexpr (std::is_void_v<R>) {
      direct(guard.cell, arguments...);
    } else {
      result = direct(guard.cell, arguments...);
    }
  } catch (...) {
    return raise_thrown(self, guard.slot);
  }
  byname_unprotect_usual(guard);
  if constexpr (std::is_void_v<R>) {
    return Py_NewRef(Py_None);
  } else {
    return make(result);
  }
}

// Out of the way: an exception that passes a frame pays for all of its code in front of the call.
BYNAME_COLD PyObject* call_generally(FunctionObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  return call_handle(reinterpret_cast<PyObject*>(self), arguments, flags, names);
}

// A call with an argument that is not of the parameter's plain type.
template <class... P, size_t... I>
BYNAME_COLD PyObject* call_otherwise(FunctionObject* self, PyObject* const* arguments, size_t flags, PyObject* names,
                                     const byname_signature& signature, std::index_sequence<I...>) {
  std::tuple<P...> values;
  const bool fits[] = {load(arguments[I], std::get<I>(values))...};
  const bool refused[] = {refuses(Py_TYPE(arguments[I]), P())...};
  size_t misfits = 0;
  size_t position = 0;
  for (size_t i = 0; i < sizeof...(P); ++i) {
    if (fits[i]) continue;
    ++misfits;
    position = i;
  }
  if (misfits == 1 && refused[position] && names == nullptr) {
    return raise_mismatch(self, arguments, sizeof...(P), position, signature.id);
  }
  return call_generally(self, arguments, flags, names);
}

// `expected`: the only function to call; NULL: any of the signature.
template <class R, class... P, size_t... I>
__attribute__((always_inline)) inline PyObject* call_placed(FunctionObject* self, PyObject* const* arguments,
                                                            size_t flags, PyObject* names,
                                                            const byname_function* expected,
                                                            std::index_sequence<I...> places) {
  std::tuple<P...> values;
  if (BYNAME_UNLIKELY(!(load(arguments[I], std::get<I>(values)) && ...))) {
    if constexpr (sizeof...(P) > 0) {
      return call_otherwise<P...>(self, arguments, flags, names, kSignature<R, P...>, places);
    }
  }
  // A thread that is new or deep in calls goes the other way, which leaves no slow part here.
  byname_guard guard = byname_protect_usual(self->entry);
  if (BYNAME_LIKELY(guard.cell != nullptr)) {
    if (BYNAME_LIKELY(guard.cell->signature_id == kSignature<R, P...>.id && guard.cell->flags == 0 &&
                      (expected == nullptr || guard.cell == expected))) {
      return invoke<R, P...>(self, guard, std::get<I>(values)...);
    }
    byname_unprotect_usual(guard);
  }
  return call_generally(self, arguments, flags, names);
}

template <class R, class... P>
PyObject* call_direct(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
  constexpr auto kCount = static_cast<Py_ssize_t>(sizeof...(P));
  auto* self = reinterpret_cast<FunctionObject*>(object);
  const byname_function* expected = nullptr;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (BYNAME_UNLIKELY(names != nullptr)) {
    const ParametersOf& parameters = self->parameters;
    if (names != parameters.straight || count != parameters.before_straight) {
      return call_generally(self, arguments, flags, names);
    }
    expected = parameters.cell;
    count = kCount;
  }
  if (BYNAME_UNLIKELY(count != kCount)) return call_generally(self, arguments, flags, names);
  return call_placed<R, P...>(self, arguments, flags, names, expected, std::index_sequence_for<P...>());
}

struct Choice {
  byname_signature* signature;
  vectorcallfunc call;
};

template <class... P>
constexpr Choice kChoicesOf[] = {{&kSignature<void, P...>, &call_direct<void, P...>},
                                 {&kSignature<bool, P...>, &call_direct<bool, P...>},
                                 {&kSignature<int64_t, P...>, &call_direct<int64_t, P...>},
                                 {&kSignature<double, P...>, &call_direct<double, P...>}};

constexpr size_t kNumResults = 4;
using Text = std::string_view;
// By parameters.
const Choice* const kChoices[] = {
    kChoicesOf<>,
    kChoicesOf<int64_t>,
    kChoicesOf<double>,
    kChoicesOf<Text>,
    kChoicesOf<int64_t, int64_t>,
    kChoicesOf<double, double>,
    kChoicesOf<Text, int64_t>,
    kChoicesOf<Text, Text>,
    kChoicesOf<int64_t, int64_t, int64_t>,
    kChoicesOf<double, double, double>,
    kChoicesOf<int64_t, int64_t, int64_t, int64_t>,
    kChoicesOf<double, double, double, double>,
};

}  // namespace

void choose_call(FunctionObject* handle) {
  handle->vectorcall = &call_handle;
  byname_guard guard = byname_protect(handle->entry);
  if (guard.cell == nullptr) return;
  const void* id = guard.cell->signature_id;
  byname_unprotect(guard);
  if (id == nullptr) return;
  for (const Choice* choices : kChoices) {
    for (size_t i = 0; i < kNumResults; ++i) {
      if (byname_signature_id(choices[i].signature) != id) continue;
      handle->vectorcall = choices[i].call;
      return;
    }
  }
}

}  // namespace byname::python
