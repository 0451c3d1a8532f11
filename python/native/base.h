// What every file of the extension uses: the two interfaces, and owners of what they count.
//
// The extension is compiled without exceptions, but for call.cc: while the interpreter ends, it ends threads by a
// forced unwinding, and a frame that cleaned up on its way would touch Python without the GIL. So frames here are just
// left.
#ifndef BYNAME_PYTHON_BASE_H_
#define BYNAME_PYTHON_BASE_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "byname/c_api.h"

#define BYNAME_LIKELY(...) __builtin_expect(!!(__VA_ARGS__), 1)
#define BYNAME_UNLIKELY(...) __builtin_expect(!!(__VA_ARGS__), 0)
#define BYNAME_COLD __attribute__((cold, noinline))

namespace byname::python {

// A reference to a Python object, owned, or null. Needs the GIL.
class PyRef {
 public:
  PyRef() = default;
  explicit PyRef(PyObject* owned) : object_(owned) {}
  PyRef(PyRef&& other) noexcept : object_(other.leak()) {}
  PyRef& operator=(PyRef&& other) noexcept {
    PyObject* old = std::exchange(object_, other.leak());
    Py_XDECREF(old);
    return *this;
  }
  ~PyRef() { Py_XDECREF(object_); }
  static PyRef share(PyObject* borrowed) { return PyRef(Py_XNewRef(borrowed)); }

  PyObject* get() const { return object_; }
  PyObject* leak() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// A value, owned.
class Value {
 public:
  Value() = default;
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() { byname_any_drop(&raw_); }
  byname_any* out() { return &raw_; }
  const byname_any& get() const { return raw_; }
  byname_object* object() const { return raw_.as_object; }
  byname_any leak() { return std::exchange(raw_, byname_any{}); }

 private:
  byname_any raw_{};
};

// An exception that is set is kept over code that may set and clear its own.
class KeepException {
 public:
  KeepException() { PyErr_Fetch(&type_, &value_, &traceback_); }
  // The exception, or what it will be made of.
  PyRef share() const { return PyRef::share(value_); }
  KeepException(const KeepException&) = delete;
  KeepException& operator=(const KeepException&) = delete;
  ~KeepException() { PyErr_Restore(type_, value_, traceback_); }

 private:
  PyObject* type_;
  PyObject* value_;
  PyObject* traceback_;
};

template <size_t N>
constexpr byname_str literal(const char (&text)[N]) {
  return {text, N - 1};
}

inline bool equal(byname_str a, byname_str b) { return a.size == b.size && std::memcmp(a.data, b.data, a.size) == 0; }

inline byname_any object_value(byname_object* object) {
  byname_any value{object->type_index, 0, {0}};
  value.as_object = object;
  return value;
}

template <class T>
T* object_as(const byname_any& value) {
  return reinterpret_cast<T*>(value.as_object);
}

// Text of C++ as str. `decode` fails for what is no UTF-8, `decode_name` (names, messages, paths) lets such bytes pass
// as lone surrogates, which encode_name makes bytes again.
inline PyObject* decode(byname_str text) {
  return PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.size), nullptr);
}
inline PyObject* decode_name(byname_str text) {
  return PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.size), "surrogateescape");
}
// The bytes of a name given as str or bytes, living as long as `keep`. False with an exception set.
bool encode_name(PyObject* name, byname_str* out, PyRef* keep);
// What a core function wrote as text, or the error it raised.
PyObject* text_result(int status, const Value& text);
// An Array of names as a list of str.
PyObject* names_list(const Value& names);

// An attribute of the type itself, as for special methods. Borrowed, no exception.
inline PyObject* type_attribute(PyTypeObject* type, PyObject* name) { return _PyType_Lookup(type, name); }

// The shared object that the extension is, to the core.
extern byname_dso extension_dso;

}  // namespace byname::python

#endif  // BYNAME_PYTHON_BASE_H_
