#include "warning.h"

#include <cstdio>

#include "error.h"
#include "gil.h"

namespace byname::python {
namespace {

int raise_pending(void* exception) {
  PyRef owned(static_cast<PyObject*>(exception));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(owned.get())), owned.get());
  return -1;
}

bool is_main_thread() { return _PyOS_IsMainThread() != 0; }

// A filter made an exception of the warning, which C++ cannot be told of: it is raised behind the call that warned.
// Python does that for its main thread only; elsewhere the exception is written out.
void raise_later() {
  if (!is_main_thread()) {
    PyErr_WriteUnraisable(nullptr);
    return;
  }
  PyObject* type;
  PyObject* value;
  PyObject* traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  if (value == nullptr || Py_AddPendingCall(&raise_pending, value) == 0) return;
  Py_DECREF(value);
}

void warn_in_python(byname_str kind, byname_str message) {
  KeepException keep;
  PyObject* category = class_of_kind(kind);
  PyRef text(decode_name(message));
  const char* characters = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (category == nullptr || characters == nullptr) {
    PyErr_WriteUnraisable(nullptr);
    return;
  }
  bool is_warning =
      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(category), reinterpret_cast<PyTypeObject*>(PyExc_Warning)) != 0;
  if (PyErr_WarnEx(is_warning ? category : PyExc_RuntimeWarning, characters, 1) != 0) raise_later();
}

void on_warning(void*, byname_str kind, byname_str message) {
  if (GilScope scope; scope) {
    warn_in_python(kind, message);
    return;
  }
  std::fprintf(stderr, "byname: %.*s: %.*s\n", static_cast<int>(kind.size), kind.data, static_cast<int>(message.size),
               message.data);
}

}  // namespace

void take_warnings() { byname_warning_handler_set({&on_warning, nullptr}, nullptr); }

}  // namespace byname::python
