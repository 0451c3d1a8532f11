// Python objects that have no form of their own in C++: they pass as they are and come back as they were.
#ifndef BYNAME_PYTHON_OPAQUE_H_
#define BYNAME_PYTHON_OPAQUE_H_

#include "base.h"

namespace byname::python {

// An object that holds `content`. Fails with an exception set.
int opaque_object(PyObject* content, byname_any* out);
// What it holds, borrowed; NULL if the object is none of this extension's (or NULL).
PyObject* opaque_content(const byname_object* object);
// Tells the core how to convert such objects to the types it wants.
void set_foreign_converter();
int init_opaque();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_OPAQUE_H_
