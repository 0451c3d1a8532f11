// byname.Module: a library that was loaded.
#ifndef BYNAME_PYTHON_MODULE_H_
#define BYNAME_PYTHON_MODULE_H_

#include "base.h"

namespace byname::python {

// byname.load
PyObject* load_module(PyObject*, PyObject* arguments);
// Where a Module was loaded from; a new reference.
PyObject* module_path(PyObject* module);
int init_module_type();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_MODULE_H_
