#include "numpy_array.h"

namespace byname::python {
namespace {

struct KnownDType {
  PyObject* object;  // owned, so that the address stays its own
  byname_dtype dtype;
};
constexpr size_t kNumKnown = 64;
KnownDType known_dtypes[kNumKnown];

KnownDType& place_of(PyObject* numpy_dtype) {
  auto address = reinterpret_cast<uintptr_t>(numpy_dtype);
  return known_dtypes[(address >> 4 ^ address >> 10) % kNumKnown];
}

// Whether the fields of an array say what its buffer and its attributes do.
bool agrees(PyObject* array, bool read_only) {
  PyRef dtype(PyObject_GetAttrString(array, "dtype"));
  Py_buffer buffer;
  if (!dtype || PyObject_GetBuffer(array, &buffer, PyBUF_RECORDS_RO) != 0) return false;
  const ArrayFields& fields = array_fields(array);
  bool same = fields.data == buffer.buf && fields.ndim == buffer.ndim && fields.ndim == 2 &&
              fields.dtype == dtype.get() && fields.is_read_only() == read_only && (buffer.readonly != 0) == read_only;
  for (int i = 0; same && i < 2; ++i) {
    same = fields.shape[i] == buffer.shape[i] && fields.strides[i] == buffer.strides[i];
  }
  PyBuffer_Release(&buffer);
  return same;
}

bool try_fields(PyObject* numpy, PyTypeObject* array_type) {
  if (array_type->tp_basicsize < static_cast<Py_ssize_t>(sizeof(ArrayFields))) return false;
  PyRef all(PyObject_CallMethod(numpy, "zeros", "((ii)s)", 3, 5, "int16"));
  PyRef array(all ? PyObject_CallMethod(all.get(), "transpose", nullptr) : nullptr);
  if (!array || !agrees(array.get(), false)) return false;
  PyRef set(PyObject_CallMethod(array.get(), "setflags", "O", Py_False));
  return set && agrees(array.get(), true);
}

}  // namespace

NumPyTypes numpy_types;

bool find_numpy() {
  PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (numpy == nullptr) return false;
  KeepException keep;
  // A module that is still being imported lacks some of this.
  PyRef array(PyObject_GetAttrString(numpy, "ndarray"));
  PyRef scalar(array ? PyObject_GetAttrString(numpy, "generic") : nullptr);
  PyRef zeros(scalar ? PyObject_GetAttrString(numpy, "zeros") : nullptr);
  if (!zeros || !PyType_Check(array.get()) || !PyType_Check(scalar.get())) {
    PyErr_Clear();
    return false;
  }
  numpy_types.fields_are_known = try_fields(numpy, reinterpret_cast<PyTypeObject*>(array.get()));
  PyErr_Clear();
  numpy_types.scalar = reinterpret_cast<PyTypeObject*>(scalar.leak());
  numpy_types.array = reinterpret_cast<PyTypeObject*>(array.leak());
  return true;
}

bool is_scalar_class(PyObject* object) {
  return PyType_Check(object) && has_numpy() &&
         PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(object), numpy_types.scalar) != 0;
}

bool known_dtype(PyObject* numpy_dtype, byname_dtype* out) {
  const KnownDType& known = place_of(numpy_dtype);
  *out = known.dtype;
  return known.object == numpy_dtype;
}

void learn_dtype(PyObject* numpy_dtype, byname_dtype dtype) {
  KnownDType& place = place_of(numpy_dtype);
  PyRef old(std::exchange(place.object, Py_NewRef(numpy_dtype)));
  place.dtype = dtype;
}

}  // namespace byname::python
