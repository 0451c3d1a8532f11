// byname.Object: an object of C++ as one of Python. The same one as long as it lives, whichever way it comes.
#ifndef BYNAME_PYTHON_OBJECT_H_
#define BYNAME_PYTHON_OBJECT_H_

#include "base.h"

namespace byname::python {

// Also the beginning of Tensor and Module, which are Objects.
struct ObjectObject {
  PyObject_HEAD byname_object* object;  // owned
  PyObject* weak_references;
};

extern PyTypeObject ObjectType;
extern PyTypeObject TensorType;
extern PyTypeObject ModuleType;

inline byname_object* object_in(PyObject* self) { return reinterpret_cast<ObjectObject*>(self)->object; }

// The Python object for an object, which it takes, on failure too. A new reference, or NULL with an exception.
PyObject* wrap_object(byname_object* owned);

// The Python object that stands for an object of C++, if there is one: a new reference, or NULL without an exception.
PyObject* find_twin(const byname_object* object);
// Makes `self` stand for the object until forget_twin. Fails with an exception set.
int set_twin(byname_object* object, PyObject* self);
void forget_twin(byname_object* object, PyObject* self);

// For the types that begin with ObjectObject.
void object_dealloc(PyObject* self);
int init_object();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_OBJECT_H_
