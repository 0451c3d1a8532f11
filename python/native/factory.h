// What byname/_factory.py is made of.
#ifndef BYNAME_PYTHON_FACTORY_H_
#define BYNAME_PYTHON_FACTORY_H_

#include "base.h"

namespace byname::python {

// Each takes a tuple (prefix, variant, ...).
PyObject* factory_create(PyObject*, PyObject* arguments);   // ..., config: the object
PyObject* factory_creator(PyObject*, PyObject* arguments);  // ..., type: the Function
PyObject* factory_types(PyObject*, PyObject* arguments);    // a list of str
PyObject* factory_base(PyObject*, PyObject* arguments);     // the key of the type it is declared for, or None

}  // namespace byname::python

#endif  // BYNAME_PYTHON_FACTORY_H_
