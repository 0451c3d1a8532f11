// Tensors of NumPy arrays and other buffers.
#include "dtype.h"
#include "error.h"
#include "gil.h"
#include "number.h"
#include "tensor.h"

namespace byname::python {
namespace {

constexpr int kMaxDimensions = 64;
constexpr byname_device kCpu = {1, 0};

void release_owner(void* context) { drop_reference(static_cast<PyObject*>(context)); }

// Strides in elements; false if some are no multiple of the element's size.
bool element_strides(const Py_buffer& buffer, int64_t* out) {
  auto size = static_cast<uint64_t>(buffer.itemsize);
  if ((size & (size - 1)) == 0) {
    const int shift = __builtin_ctzll(size);
    for (int i = 0; i < buffer.ndim; ++i) {
      if ((static_cast<uint64_t>(buffer.strides[i]) & (size - 1)) != 0) return false;
      out[i] = buffer.strides[i] >> shift;
    }
    return true;
  }
  for (int i = 0; i < buffer.ndim; ++i) {
    if (buffer.strides[i] % buffer.itemsize != 0) return false;
    out[i] = buffer.strides[i] / buffer.itemsize;
  }
  return true;
}

// `owner` is taken: it keeps the memory until the tensor goes.
int wrap_buffer(const Py_buffer& buffer, byname_dtype dtype, PyObject* owner, byname_any* out) {
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  int64_t strides[kMaxDimensions];
  if (buffer.ndim > kMaxDimensions || buffer.suboffsets != nullptr || !element_strides(buffer, strides)) {
    Py_DECREF(owner);
    return 0;
  }
  byname_tensor_view view{};
  view.tensor.data = buffer.buf;
  view.tensor.device = kCpu;
  view.tensor.ndim = buffer.ndim;
  view.tensor.dtype = dtype;
  view.tensor.shape = reinterpret_cast<int64_t*>(buffer.shape);
  view.tensor.strides = strides;
  view.flags = buffer.readonly != 0 ? BYNAME_DL_READ_ONLY : 0;
  view.context = owner;
  view.release = &release_owner;
  return byname_tensor_wrap(&view, out) == 0 ? 1 : raise_error_int();
}

// An array whose buffer is as good as a reference to the array itself, which is how NumPy's are.
bool releases_nothing(PyObject* exporter) { return Py_TYPE(exporter)->tp_as_buffer->bf_releasebuffer == nullptr; }

// Types that other packages register with NumPy, as bfloat16, have no buffers: their bits have.
int tensor_of_bits(PyObject* array, byname_any* out) {
  PyRef dtype_object(PyObject_GetAttrString(array, "dtype"));
  PyRef native(dtype_object ? PyObject_GetAttrString(dtype_object.get(), "isnative") : nullptr);
  byname_dtype dtype;
  if (!native || native.get() != Py_True || !dtype_of_numpy(dtype_object.get(), &dtype) || dtype.bits % 8 != 0 ||
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
  int status = wrap_buffer(buffer, dtype, bits.leak(), out);
  PyBuffer_Release(&buffer);
  return status;
}

}  // namespace

int tensor_of_array(PyObject* array, byname_any* out) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return tensor_of_bits(array, out);
  }
  byname_dtype dtype;
  if (BYNAME_LIKELY(dtype_of_format(buffer.format, buffer.itemsize, &dtype) && releases_nothing(buffer.obj))) {
    // The buffer's own reference to the array passes to the tensor.
    return wrap_buffer(buffer, dtype, buffer.obj, out);
  }
  PyBuffer_Release(&buffer);
  return tensor_of_bits(array, out);
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
  if (!dtype_of_format(buffer.format, buffer.itemsize, &dtype)) return 0;
  return wrap_buffer(buffer, dtype, view.leak(), out);
}

int tensor_of(PyObject* object, byname_any* out) {
  if (has_numpy() && PyType_IsSubtype(Py_TYPE(object), numpy_types.array)) return tensor_of_array(object, out);
  return tensor_of_dlpack(object, out);
}

}  // namespace byname::python
