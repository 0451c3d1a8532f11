// Floors of the Python rows: an extension written by hand against CPython's fastest calling conventions.
//
// Arguments are checked as an extension must check them: their number, their types, overflow.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>

#include "callee.h"
#include "runner/companion.h"

namespace {

PyObject* wrong_count(const char* expected) {
  PyErr_SetString(PyExc_TypeError, expected);
  return nullptr;
}

PyObject* nothing(PyObject*, PyObject*) { Py_RETURN_NONE; }

bool to_int(PyObject* object, long long& out) {
  out = PyLong_AsLongLong(object);
  return out != -1 || !PyErr_Occurred();
}

PyObject* add(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return wrong_count("add() expects 2 arguments");
  long long a, b;
  if (!to_int(arguments[0], a) || !to_int(arguments[1], b)) return nullptr;
  return PyLong_FromLongLong(a + b);
}

bool to_float(PyObject* object, double& out) {
  out = PyFloat_AsDouble(object);
  return out != -1 || !PyErr_Occurred();
}

PyObject* sum4(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 4) return wrong_count("sum4() expects 4 arguments");
  double a, b, c, d;
  if (!to_float(arguments[0], a) || !to_float(arguments[1], b)) return nullptr;
  if (!to_float(arguments[2], c) || !to_float(arguments[3], d)) return nullptr;
  return PyFloat_FromDouble(a + b + c + d);
}

PyObject* text(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return wrong_count("text() expects 2 arguments");
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(arguments[0], &size);
  long long n;
  if (!data || !to_int(arguments[1], n)) return nullptr;
  return PyLong_FromLongLong(size + data[0] + n);
}

// The length of the first dimension, as a function that is given shape, strides and element type reads it.
PyObject* size(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 1) return wrong_count("size() expects 1 argument");
  Py_buffer buffer;
  if (PyObject_GetBuffer(arguments[0], &buffer, PyBUF_RECORDS_RO) != 0) return nullptr;
  Py_ssize_t length = buffer.ndim > 0 ? buffer.shape[0] : 1;
  PyBuffer_Release(&buffer);
  return PyLong_FromSsize_t(length);
}

bool call_once(PyObject* function, long long i, long long& sum) {
  PyObject* stack[2] = {nullptr, PyLong_FromLongLong(i)};
  if (!stack[1]) return false;
  PyObject* result = PyObject_Vectorcall(function, stack + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  Py_DECREF(stack[1]);
  if (!result) return false;
  long long value;
  bool good = to_int(result, value);
  Py_DECREF(result);
  sum += value;
  return good;
}

// call_many(function, n): function(0) + ... + function(n - 1)
PyObject* call_many(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return wrong_count("call_many() expects 2 arguments");
  long long n;
  if (!to_int(arguments[1], n)) return nullptr;
  long long sum = 0;
  for (long long i = 0; i < n; ++i) {
    if (!call_once(arguments[0], i, sum)) return nullptr;
  }
  return PyLong_FromLongLong(sum);
}

decltype(&callee_throw) throw_in_callee;

PyObject* throw_one(PyObject*, PyObject* const*, Py_ssize_t) {
  try {
    throw_in_callee();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

template <class Function>
PyMethodDef fast(const char* name, Function* function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function)), METH_FASTCALL, nullptr};
}

}  // namespace

PyMODINIT_FUNC PyInit_bench_floors_python() {
  static PyMethodDef methods[] = {{"nothing", nothing, METH_NOARGS, nullptr},
                                  fast("add", add),
                                  fast("add_named", add),
                                  fast("sum4", sum4),
                                  fast("text", text),
                                  fast("size", size),
                                  fast("call_many", call_many),
                                  fast("throw", throw_one),
                                  {nullptr, nullptr, 0, nullptr}};
  static PyModuleDef module = {
      PyModuleDef_HEAD_INIT, "bench_floors_python", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};
  try {
    std::string path = bench::companion_path(reinterpret_cast<const void*>(&add), "bench_callee.so");
    throw_in_callee = bench::open_function<void()>(path, "callee_throw");
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
    return nullptr;
  }
  return PyModule_Create(&module);
}
