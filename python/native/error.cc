#include "error.h"

#include "opaque.h"

namespace byname::python {
namespace {

constexpr int kMaxCauses = 64;

const byname_error* shared(const byname_object* error) { return reinterpret_cast<const byname_error*>(error); }

// The exception that an error was made from. Borrowed, or NULL.
PyObject* attached_exception(const byname_object* error) {
  PyObject* exception = opaque_content(shared(error)->extra);
  return exception != nullptr && PyExceptionInstance_Check(exception) ? exception : nullptr;
}

void restore(PyObject* owned) {
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(owned))), owned, PyException_GetTraceback(owned));
}

// Each line of a trace, as a note: "in math.add (plugin.cc:12)".
PyObject* note_of(byname_str trace) {
  constexpr byname_str kBefore = literal("in ");
  size_t lines = 1;
  for (size_t i = 0; i < trace.size; ++i) lines += trace.data[i] == '\n';
  char small[512] = {};
  size_t size = trace.size + lines * kBefore.size;
  char* text = size <= sizeof small ? small : static_cast<char*>(PyMem_Malloc(size));
  if (text == nullptr) return PyErr_NoMemory();
  char* to = text;
  bool begins = true;
  for (size_t i = 0; i < trace.size; ++i) {
    if (begins) {
      std::memcpy(to, kBefore.data, kBefore.size);
      to += kBefore.size;
    }
    *to++ = trace.data[i];
    begins = trace.data[i] == '\n';
  }
  PyObject* note = decode_name({text, static_cast<size_t>(to - text)});
  if (text != small) PyMem_Free(text);
  return note;
}

// Whether a trace names one function only: "math.add (plugin.cc:12)" for "math.add".
bool tells_only(byname_str trace, byname_str function) {
  if (trace.size < function.size) return false;
  if (function.size > 0 && std::memcmp(trace.data, function.data, function.size) != 0) return false;
  if (std::memchr(trace.data, '\n', trace.size) != nullptr) return false;
  return trace.size == function.size || (function.size > 0 && trace.data[function.size] == ' ');
}

// The trace, if there is one that tells more than which function was called, becomes the first note. Failing to do so
// is no reason to lose the exception.
void add_trace(PyObject* exception, const byname_object* error, byname_str called) {
  static PyObject* const notes_name = PyUnicode_InternFromString("__notes__");
  Value trace;
  byname_str text{};
  if (byname_error_trace(error, trace.out()) != 0) {
    byname_object_release(byname_error_take());
    return;
  }
  byname_any_text(&trace.get(), &text);
  if (text.size == 0 || tells_only(text, called)) return;
  PyRef note(note_of(text));
  PyRef notes(note ? PyList_New(1) : nullptr);
  if (!notes) return PyErr_Clear();
  PyList_SET_ITEM(notes.get(), 0, note.leak());
  if (PyObject_SetAttr(exception, notes_name, notes.get()) != 0) PyErr_Clear();
}

// "[Errno 2] text" → (2, "text"), from which OSError makes errno and picks its class. NULL, and no exception: no such
// text.
PyObject* system_arguments(byname_str message) {
  constexpr byname_str kStart = literal("[Errno ");
  constexpr size_t kMaxDigits = 9;
  if (message.size <= kStart.size || std::memcmp(message.data, kStart.data, kStart.size) != 0) return nullptr;
  long number = 0;
  size_t i = kStart.size;
  for (; i < message.size && i < kStart.size + kMaxDigits && message.data[i] >= '0' && message.data[i] <= '9'; ++i) {
    number = 10 * number + (message.data[i] - '0');
  }
  if (i == kStart.size || i + 1 >= message.size || message.data[i] != ']' || message.data[i + 1] != ' ') return nullptr;
  PyRef text(decode_name({message.data + i + 2, message.size - i - 2}));
  return text ? Py_BuildValue("(lO)", number, text.get()) : nullptr;
}

bool is_subclass(PyObject* type, PyObject* base) {
  return PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), reinterpret_cast<PyTypeObject*>(base)) != 0;
}

// NULL without an exception if the class wants more than a message, as UnicodeDecodeError does.
PyObject* instantiate_plainly(PyObject* type, PyObject* message) {
  PyObject* exception = PyObject_CallOneArg(type, message);
  if (exception == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) PyErr_Clear();
  return exception;
}

// Of the nearest class above that tells more than that it is an error, or else of one of the kind's name.
PyObject* instantiate_otherwise(byname_str kind, PyObject* type, PyObject* message) {
  PyObject* above = reinterpret_cast<PyTypeObject*>(type)->tp_mro;
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(above); ++i) {
    PyObject* base = PyTuple_GET_ITEM(above, i);
    if (!is_subclass(base, PyExc_Exception) || base == PyExc_Exception || base == error_class()) continue;
    PyObject* exception = instantiate_plainly(base, message);
    if (exception != nullptr || PyErr_Occurred()) return exception;
  }
  PyObject* plain = plain_class_of_kind(kind);
  return plain != nullptr ? PyObject_CallOneArg(plain, message) : nullptr;
}

PyObject* instantiate(byname_str kind, PyObject* type, byname_str message) {
  if (is_subclass(type, PyExc_OSError)) {
    PyRef arguments(system_arguments(message));
    if (arguments) return PyObject_Call(type, arguments.get(), nullptr);
    if (PyErr_Occurred()) return nullptr;
  }
  PyRef text(decode_name(message));
  PyObject* exception = text ? instantiate_plainly(type, text.get()) : nullptr;
  if (exception != nullptr || PyErr_Occurred()) return exception;
  return instantiate_otherwise(kind, type, text.get());
}

PyObject* exception_at(byname_object* error, byname_str called, int depth) {
  if (PyObject* attached = attached_exception(error)) return Py_NewRef(attached);
  PyObject* type = class_of_kind(shared(error)->kind);
  if (type == nullptr) return nullptr;
  PyRef exception(instantiate(shared(error)->kind, type, shared(error)->message));
  if (!exception) return nullptr;
  add_trace(exception.get(), error, called);
  byname_object* cause = byname_error_cause(error);
  if (cause != nullptr && cause->type_index == BYNAME_ERROR && depth < kMaxCauses) {
    PyObject* below = exception_at(cause, {nullptr, 0}, depth + 1);
    if (below == nullptr) return nullptr;
    PyException_SetCause(exception.get(), below);
  }
  return exception.leak();
}

// The text of an exception for C++.
PyObject* message_of(PyObject* exception) {
  PyObject* message = PyObject_Str(exception);
  if (message != nullptr) return message;
  PyErr_Clear();
  return PyUnicode_FromFormat("an exception of class '%s' whose str() fails", Py_TYPE(exception)->tp_name);
}

int error_at(PyObject* exception, byname_any* out, int depth) {
  PyRef kind(kind_of_class(Py_TYPE(exception)));
  PyRef message(kind ? message_of(exception) : nullptr);
  byname_str kind_text{};
  byname_str message_text{};
  PyRef keep_kind;
  PyRef keep_message;
  if (!message || !encode_name(kind.get(), &kind_text, &keep_kind)) return -1;
  if (!encode_name(message.get(), &message_text, &keep_message)) {
    PyErr_Clear();
    message_text = literal("a message that is no text");
  }
  Value cause;
  PyRef cause_exception(PyException_GetCause(exception));
  if (cause_exception && depth < kMaxCauses && error_at(cause_exception.get(), cause.out(), depth + 1) != 0) return -1;
  if (byname_error_new(kind_text, message_text, cause.object(), out) != 0) return raise_error_int();
  auto* error = object_as<byname_error>(*out);
  if (error->extra != nullptr) return 0;
  byname_any content{};
  if (opaque_object(exception, &content) != 0) {
    byname_any_drop(out);
    return -1;
  }
  error->extra = content.as_object;
  return 0;
}

}  // namespace

PyObject* raise_error(byname_str called) {
  byname_object* error = byname_error_take();
  if (error == nullptr) {
    PyErr_SetString(PyExc_SystemError, "a function of the core failed and raised no error");
    return nullptr;
  }
  if (PyObject* attached = attached_exception(error)) {
    restore(Py_NewRef(attached));
  } else if (PyRef exception{exception_at(error, called, 0)}) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  }
  byname_object_release(error);
  return nullptr;
}

int raise_exception() {
  PyObject* type;
  PyObject* value;
  PyObject* traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyRef keep_type(type);
  PyRef exception(value);
  PyRef keep_traceback(traceback);
  if (!exception)
    return byname_error_raise(literal("SystemError"), literal("a Python function failed without an exception"));
  if (traceback != nullptr && PyException_SetTraceback(value, traceback) != 0) PyErr_Clear();
  Value error;
  if (error_of(value, error.out()) != 0) {
    PyErr_Clear();
    return byname_error_raise(literal("MemoryError"), literal("out of memory"));
  }
  return byname_error_raise_object(error.leak().as_object);
}

PyObject* exception_of(byname_object* error) { return exception_at(error, {nullptr, 0}, 0); }

int error_of(PyObject* exception, byname_any* out) { return error_at(exception, out, 0); }

}  // namespace byname::python
