// A Python extension module, `extension`, that registers something by name, too.
#include <Python.h>
#include <byname/byname.h>

BYNAME_LIBRARY("extension", lib) {
  lib.def("twice", [](int64_t a) { return 2 * a; });
}

PyMODINIT_FUNC PyInit_extension() {
  static PyMethodDef methods[] = {
      {"answer", [](PyObject*, PyObject*) { return PyLong_FromLong(42); }, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "extension", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};
  return PyModule_Create(&definition);
}
