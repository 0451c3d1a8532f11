// Errors of C++ as exceptions of Python, and back.
#ifndef BYNAME_PYTHON_ERROR_H_
#define BYNAME_PYTHON_ERROR_H_

#include "base.h"

namespace byname::python {

// Takes the error in this thread's slot and raises it in Python: the exception it was made from, if it was, else one of
// the class that stands for its kind, with a note of where it was raised and what it passed, unless that is just
// `called`, the name of the function that Python called. Returns NULL.
BYNAME_COLD PyObject* raise_error(byname_str called = {nullptr, 0});
inline int raise_error_int() {
  raise_error();
  return -1;
}
// Clears the exception that is set and puts it, as an error, into the thread's slot. Returns -1.
BYNAME_COLD int raise_exception();

// The exception instance for an error; a new reference.
PyObject* exception_of(byname_object* error);
// An error that carries an exception instance, which comes back by exception_of. Fails with an exception set.
int error_of(PyObject* exception, byname_any* out);

// The class of a kind, made when it is first asked for. Borrowed, lives for ever.
PyObject* class_of_kind(byname_str kind);
// Whether it is a kind of Python's, one that was registered, or one that an error had.
bool is_known_kind(byname_str kind);
// The kinds that classes were made for, a list of str.
PyObject* kinds_with_classes();
// Like class_of_kind for a kind whose own class is not made of a message alone, nor any above it that tells more than
// that it is an error: a class of the kind's name that is.
PyObject* plain_class_of_kind(byname_str kind);
// The kind of a class; a new reference to str, which encode_name takes. Makes a class that Python code defined known to
// the core. Fails for lack of memory only.
PyObject* kind_of_class(PyTypeObject* type);

// byname.Error, the base of all classes that stand for kinds which are not Python's own, and byname.NotFound.
PyObject* error_class();
PyObject* not_found_class();
int init_errors();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_ERROR_H_
