// Tensors of NumPy arrays and other buffers.
#include "dtype.h"
#include "error.h"
#include "gil.h"
#include "numpy_array.h"
#include "tensor.h"

namespace byname::python {
namespace {

constexpr int kMaxDimensions = 64;
constexpr byname_device kCpu = {1, 0};

void release_owner(void* context) { drop_reference(static_cast<PyObject*>(context)); }

// Memory as a buffer or an array shows it.
struct Memory {
  void* data;
  int ndim;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // bytes
  bool read_only;
};

// Strides in elements; false if some are no multiple of the element's size.
bool element_strides(const Memory& memory, int64_t size, int64_t* out) {
  if ((size & (size - 1)) == 0) {
    const int shift = __builtin_ctzll(static_cast<uint64_t>(size));
    for (int i = 0; i < memory.ndim; ++i) {
      if ((memory.strides[i] & (size - 1)) != 0) return false;
      out[i] = memory.strides[i] >> shift;
    }
    return true;
  }
  for (int i = 0; i < memory.ndim; ++i) {
    if (memory.strides[i] % size != 0) return false;
    out[i] = memory.strides[i] / size;
  }
  return true;
}

// `owner` is taken: it keeps the memory until the tensor goes.
int wrap_memory(const Memory& memory, byname_dtype dtype, PyObject* owner, byname_any* out) {
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  int64_t strides[kMaxDimensions];
  if (memory.ndim > kMaxDimensions || !element_strides(memory, dtype.bits / 8, strides)) {
    Py_DECREF(owner);
    return 0;
  }
  byname_tensor_view view;
  view.tensor = {memory.data, kCpu, memory.ndim, dtype, reinterpret_cast<int64_t*>(memory.shape), strides, 0};
  view.flags = memory.read_only ? BYNAME_DL_READ_ONLY : 0;
  view.context = owner;
  view.release = &release_owner;
  view.dso = nullptr;
  return byname_tensor_wrap(&view, out) == 0 ? 1 : raise_error_int();
}

Memory memory_of(const Py_buffer& buffer) {
  return {buffer.buf, buffer.ndim, buffer.shape, buffer.strides, buffer.readonly != 0};
}

// Types that other packages register with NumPy, as bfloat16, have no buffers: their bits have.
int tensor_of_bits(PyObject* array, PyObject* numpy_dtype, byname_any* out) {
  PyRef native(PyObject_GetAttrString(numpy_dtype, "isnative"));
  byname_dtype dtype;
  if (!native || native.get() != Py_True || !dtype_of_numpy(numpy_dtype, &dtype) || dtype.bits % 8 != 0 ||
      dtype.lanes != 1 || dtype.bits > 64) {
    PyErr_Clear();
    return 0;
  }
  PyRef bits(PyObject_CallMethod(array, "view", "N", PyUnicode_FromFormat("uint%d", dtype.bits)));
  Py_buffer buffer;
  if (!bits || PyObject_GetBuffer(bits.get(), &buffer, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return 0;
  }
  int status = wrap_memory(memory_of(buffer), dtype, bits.leak(), out);
  if (status > 0) learn_dtype(numpy_dtype, dtype);
  PyBuffer_Release(&buffer);
  return status;
}

// An array's buffer is as good as a reference to the array itself: NumPy counts none.
int tensor_of_new_dtype(PyObject* array, byname_any* out) {
  PyRef numpy_dtype(PyObject_GetAttrString(array, "dtype"));
  if (!numpy_dtype) return -1;
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return tensor_of_bits(array, numpy_dtype.get(), out);
  }
  byname_dtype dtype;
  bool is_known = dtype_of_format(buffer.format, buffer.itemsize, &dtype);
  int status = 0;
  if (is_known) {
    learn_dtype(numpy_dtype.get(), dtype);
    status = wrap_memory(memory_of(buffer), dtype, Py_NewRef(array), out);
  }
  PyBuffer_Release(&buffer);
  return is_known ? status : tensor_of_bits(array, numpy_dtype.get(), out);
}

}  // namespace

int tensor_of_array(PyObject* array, byname_any* out) {
  const ArrayFields& fields = array_fields(array);
  byname_dtype dtype;
  if (BYNAME_UNLIKELY(!numpy_types.fields_are_known || !known_dtype(fields.dtype, &dtype))) {
    return tensor_of_new_dtype(array, out);
  }
  return wrap_memory({fields.data, fields.ndim, fields.shape, fields.strides, fields.is_read_only()}, dtype,
                     Py_NewRef(array), out);
}

int tensor_of_buffer(PyObject* object, byname_any* out) {
  if (!PyObject_CheckBuffer(object)) return 0;
  PyRef view(PyMemoryView_FromObject(object));
  if (!view) {
    PyErr_Clear();
    return 0;
  }
  const Py_buffer& buffer = *PyMemoryView_GET_BUFFER(view.get());
  byname_dtype dtype;
  if (buffer.suboffsets != nullptr || !dtype_of_format(buffer.format, buffer.itemsize, &dtype)) return 0;
  return wrap_memory(memory_of(buffer), dtype, view.leak(), out);
}

int tensor_of(PyObject* object, byname_any* out) {
  if (has_numpy() && PyType_IsSubtype(Py_TYPE(object), numpy_types.array)) return tensor_of_array(object, out);
  return tensor_of_dlpack(object, out);
}

}  // namespace byname::python
