#include "warning.h"

#include <cstdio>

#include "call.h"
#include "error.h"
#include "gil.h"

namespace byname::python {
namespace {

constexpr const char* kRaised = "byname: a warning that was raised";

// Keeps the exception that is set for the call of this thread that led to it; the first one, if there are several.
void keep_for_return() {
  PyObject* slots = PyThreadState_GetDict();
  PyObject* type;
  PyObject* value;
  PyObject* traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr && value != nullptr) PyException_SetTraceback(value, traceback);
  if (slots != nullptr && value != nullptr && PyDict_GetItemString(slots, kRaised) == nullptr &&
      PyDict_SetItemString(slots, kRaised, value) == 0) {
    ++num_raised_warnings;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

void warn_in_python(byname_str kind, byname_str message, bool is_python_thread) {
  KeepException keep;
  PyObject* category = class_of_kind(kind);
  PyRef text(decode_name(message));
  if (category == nullptr || !text) return PyErr_Clear();
  auto* type = reinterpret_cast<PyTypeObject*>(category);
  if (!PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(PyExc_Warning))) category = PyExc_RuntimeWarning;
  const char* characters = PyUnicode_AsUTF8(text.get());
  if (characters == nullptr) {
    PyErr_Clear();
    characters = "a warning that is no text";
  }
  if (PyErr_WarnEx(category, characters, 1) == 0) return;
  if (is_python_thread) {
    keep_for_return();
  } else {
    PyErr_WriteUnraisable(nullptr);
  }
}

void on_warning(void*, byname_str kind, byname_str message) {
  bool is_python_thread = PyGILState_GetThisThreadState() != nullptr;
  if (GilScope scope; scope) {
    warn_in_python(kind, message, is_python_thread);
    return;
  }
  std::fprintf(stderr, "byname: %.*s: %.*s\n", static_cast<int>(kind.size), kind.data, static_cast<int>(message.size),
               message.data);
}

}  // namespace

int num_raised_warnings = 0;

PyObject* after_warnings(PyObject* result) {
  PyObject* slots = PyThreadState_GetDict();
  PyRef raised(slots != nullptr ? Py_XNewRef(PyDict_GetItemString(slots, kRaised)) : nullptr);
  if (!raised) return result;
  {
    KeepException keep;
    if (PyDict_DelItemString(slots, kRaised) != 0) PyErr_Clear();
  }
  --num_raised_warnings;
  if (result == nullptr) return nullptr;
  Py_DECREF(result);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.get())), raised.get());
  return nullptr;
}

void take_warnings() { byname_warning_handler_set({&on_warning, nullptr}, nullptr); }

}  // namespace byname::python
