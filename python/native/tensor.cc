// byname.Tensor.
#include "tensor.h"

#include "dtype.h"
#include "error.h"
#include "numpy_array.h"

namespace byname::python {
namespace {

PyObject* int_tuple(const int64_t* numbers, int32_t size) {
  PyRef tuple(PyTuple_New(size));
  if (!tuple) return nullptr;
  for (int32_t i = 0; i < size; ++i) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (number == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, number);
  }
  return tuple.leak();
}

PyObject* tensor_shape(PyObject* self, void*) { return int_tuple(tensor_in(self).shape, tensor_in(self).ndim); }
PyObject* tensor_strides(PyObject* self, void*) { return int_tuple(tensor_in(self).strides, tensor_in(self).ndim); }
PyObject* tensor_ndim(PyObject* self, void*) { return PyLong_FromLong(tensor_in(self).ndim); }
PyObject* tensor_dtype(PyObject* self, void*) { return dtype_text(tensor_in(self).dtype); }
PyObject* tensor_read_only(PyObject* self, void*) { return PyBool_FromLong(is_read_only(self)); }

PyObject* tensor_device(PyObject* self, void*) {
  Value text;
  int status = byname_device_print(tensor_in(self).device, text.out());
  return text_result(status, text);
}

PyObject* tensor_repr(PyObject* self) {
  PyRef shape(tensor_shape(self, nullptr));
  PyRef dtype(tensor_dtype(self, nullptr));
  PyRef device(tensor_device(self, nullptr));
  if (!shape || !dtype || !device) return nullptr;
  return PyUnicode_FromFormat("<byname.Tensor of shape %R, %U, on %U>", shape.get(), dtype.get(), device.get());
}

// The same memory as unsigned integers, for element types that the buffer protocol has no format for.
PyObject* tensor_bits(PyObject* self) {
  byname_dl_tensor description = tensor_in(self);
  if (description.dtype.bits % 8 != 0 || description.dtype.lanes != 1) {
    PyErr_SetString(PyExc_BufferError, "the elements are no whole bytes");
    return nullptr;
  }
  description.dtype.code = kUintCode;
  // An alias counts its offset from the data of what it shows.
  description.byte_offset = 0;
  Value bits;
  if (byname_tensor_alias(object_in(self), &description, bits.out()) != 0) return raise_error();
  return wrap_object(bits.leak().as_object);
}

PyObject* import_numpy() {
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (numpy != nullptr) find_numpy();
  return numpy;
}

PyObject* to_numpy(PyObject* self) {
  PyRef numpy(import_numpy());
  if (!numpy) return nullptr;
  if (format_of_dtype(tensor_in(self).dtype) != nullptr) return PyObject_CallMethod(numpy.get(), "asarray", "O", self);
  PyRef types(PyImport_ImportModule("ml_dtypes"));
  PyRef dtype(types ? tensor_dtype(self, nullptr) : nullptr);
  PyRef wanted(dtype ? PyObject_GetAttr(types.get(), dtype.get()) : nullptr);
  PyRef bits(wanted ? tensor_bits(self) : nullptr);
  PyRef array(bits ? PyObject_CallMethod(numpy.get(), "asarray", "O", bits.get()) : nullptr);
  return array ? PyObject_CallMethod(array.get(), "view", "O", wanted.get()) : nullptr;
}

PyObject* tensor_numpy(PyObject* self, PyObject*) { return to_numpy(self); }

// For numpy.asarray, where the buffer protocol does not do.
PyObject* tensor_array(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"dtype", "copy", nullptr};
  PyObject* dtype = Py_None;
  PyObject* copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:__array__", const_cast<char**>(names), &dtype, &copy))
    return nullptr;
  PyRef array(to_numpy(self));
  if (!array) return nullptr;
  if (dtype != Py_None) array = PyRef(PyObject_CallMethod(array.get(), "astype", "O", dtype));
  if (!array || copy == Py_None) return array.leak();
  int wanted = PyObject_IsTrue(copy);
  if (wanted < 0) return nullptr;
  return wanted != 0 ? PyObject_CallMethod(array.get(), "copy", nullptr) : array.leak();
}

Py_ssize_t tensor_length(PyObject* self) {
  const byname_dl_tensor& tensor = tensor_in(self);
  if (tensor.ndim > 0) return tensor.shape[0];
  PyErr_SetString(PyExc_TypeError, "a tensor without dimensions has no length");
  return -1;
}

PyMethodDef tensor_methods[] = {
    {"numpy", &tensor_numpy, METH_NOARGS,
     "numpy($self, /)\n--\n\nThe tensor as a NumPy array over the same memory. Element types that NumPy lacks need "
     "ml_dtypes."},
    {"__array__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&tensor_array)), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&tensor_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A capsule for consumers of DLPack, over the same memory unless copy is true."},
    {"__dlpack_device__", &tensor_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nDLPack's number of the device type, and the device's own."},
    {}};

PyGetSetDef tensor_properties[] = {
    {"shape", &tensor_shape, nullptr, "The sizes of the dimensions.", nullptr},
    {"strides", &tensor_strides, nullptr, "The steps between neighbours of each dimension, in elements.", nullptr},
    {"ndim", &tensor_ndim, nullptr, "The number of dimensions.", nullptr},
    {"dtype", &tensor_dtype, nullptr, "The element type, as 'float32'.", nullptr},
    {"device", &tensor_device, nullptr, "Where the memory is, as 'cpu' or 'cuda:0'.", nullptr},
    {"read_only", &tensor_read_only, nullptr, "Whether the memory may not be written.", nullptr},
    {}};

PySequenceMethods tensor_sequence = [] {
  PySequenceMethods methods{};
  methods.sq_length = &tensor_length;
  return methods;
}();

}  // namespace

PyTypeObject TensorType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "byname.Tensor";
  type.tp_doc =
      "A tensor. It offers its memory by the buffer protocol and by DLPack; numpy.asarray(tensor) copies nothing.";
  type.tp_base = &ObjectType;
  type.tp_basicsize = sizeof(ObjectObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = &object_dealloc;
  type.tp_repr = &tensor_repr;
  type.tp_methods = tensor_methods;
  type.tp_getset = tensor_properties;
  type.tp_as_buffer = &tensor_buffer_procs;
  type.tp_as_sequence = &tensor_sequence;
  return type;
}();

int init_tensor() {
  if (PyType_Ready(&TensorType) != 0) return -1;
  return init_exchange_api();
}

}  // namespace byname::python
