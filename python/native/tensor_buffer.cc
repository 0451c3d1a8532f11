// byname.Tensor as an exporter of the buffer protocol, and copies of tensors.
#include "dtype.h"
#include "error.h"
#include "tensor.h"

namespace byname::python {
namespace {

constexpr int32_t kCpu = 1;
constexpr int kMaxDimensions = 64;  // the core refuses more

// What an empty tensor without memory shows: a buffer has an address.
char no_memory[16];

struct Layout {
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // bytes
  Py_ssize_t length;    // bytes
  bool c_contiguous;
  bool f_contiguous;
};

int refuse(const char* reason) {
  PyErr_SetString(PyExc_BufferError, reason);
  return -1;
}

bool is_contiguous(const byname_dl_tensor& tensor, bool fortran) {
  int64_t expected = 1;
  bool contiguous = true;
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    int32_t axis = fortran ? i : tensor.ndim - 1 - i;
    if (tensor.shape[axis] == 0) return true;
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected) contiguous = false;
    expected *= tensor.shape[axis];
  }
  return contiguous;
}

int make_layout(const byname_dl_tensor& tensor, Layout* layout) {
  auto ndim = static_cast<size_t>(tensor.ndim);
  auto* memory = static_cast<Py_ssize_t*>(PyMem_Malloc((2 * ndim + 1) * sizeof(Py_ssize_t)));
  if (memory == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  int64_t size = item_size(tensor.dtype);
  *layout = {memory, memory + ndim, size, is_contiguous(tensor, false), is_contiguous(tensor, true)};
  for (size_t i = 0; i < ndim; ++i) {
    layout->shape[i] = tensor.shape[i];
    layout->strides[i] = tensor.strides[i] * size;
    layout->length *= tensor.shape[i];
  }
  return 0;
}

int check_layout(const Layout& layout, int flags) {
  auto wants = [flags](int wanted) { return (flags & wanted) == wanted; };
  if (wants(PyBUF_C_CONTIGUOUS) && !layout.c_contiguous)
    return refuse("the tensor is not contiguous in row-major order");
  if (wants(PyBUF_F_CONTIGUOUS) && !layout.f_contiguous)
    return refuse("the tensor is not contiguous in column-major order");
  if (wants(PyBUF_ANY_CONTIGUOUS) && !layout.c_contiguous && !layout.f_contiguous)
    return refuse("the tensor is not contiguous");
  if (!wants(PyBUF_STRIDES) && !layout.c_contiguous) return refuse("the tensor is not contiguous in row-major order");
  return 0;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const byname_dl_tensor& tensor = tensor_in(self);
  const char* format = format_of_dtype(tensor.dtype);
  if (tensor.device.type != kCpu) return refuse("a buffer shows memory of the cpu, and the tensor is elsewhere");
  if (format == nullptr) return refuse("the tensor's dtype has no buffer format (use DLPack)");
  bool read_only = is_read_only(self);
  if (read_only && (flags & PyBUF_WRITABLE) != 0) return refuse("the tensor is read-only");
  Layout layout;
  if (make_layout(tensor, &layout) != 0) return -1;
  if (check_layout(layout, flags) != 0) {
    PyMem_Free(layout.shape);
    return -1;
  }
  view->buf = tensor.data != nullptr ? static_cast<char*>(tensor.data) + tensor.byte_offset : no_memory;
  view->obj = Py_NewRef(self);
  view->len = layout.length;
  view->itemsize = item_size(tensor.dtype);
  view->readonly = read_only;
  view->ndim = tensor.ndim;
  view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
  view->shape = (flags & PyBUF_ND) != 0 ? layout.shape : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? layout.strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = layout.shape;
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) { PyMem_Free(view->internal); }

// Elements in row-major order, to memory that is so.
void copy_elements(const byname_dl_tensor& from, char* to) {
  auto size = static_cast<size_t>(item_size(from.dtype));
  const char* data = static_cast<const char*>(from.data) + from.byte_offset;
  int64_t index[kMaxDimensions] = {};
  for (;;) {
    int64_t offset = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): tensors have at most 64 dimensions
    for (int32_t i = 0; i < from.ndim; ++i) offset += index[i] * from.strides[i];
    std::memcpy(to, data + offset * static_cast<int64_t>(size), size);
    to += size;
    int32_t axis = from.ndim - 1;
    while (axis >= 0 && ++index[axis] == from.shape[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

}  // namespace

PyBufferProcs tensor_buffer_procs = {&get_buffer, &release_buffer};

int copy_tensor(const byname_dl_tensor& from, byname_any* out) {
  if (from.device.type != kCpu) return refuse("only a tensor on the cpu can be copied");
  if (from.dtype.bits % 8 != 0) return refuse("a tensor of packed elements cannot be copied");
  // Looks at the description first: a borrowed one may be anything.
  if (byname_tensor_new(from.shape, from.ndim, from.dtype, from.device, out) != 0) return raise_error_int();
  byname_dl_tensor source = from;
  int64_t strides[kMaxDimensions];
  if (from.strides == nullptr) {
    int64_t stride = 1;
    for (int32_t i = from.ndim - 1; i >= 0; --i) {
      strides[i] = stride;
      stride *= from.shape[i];
    }
    source.strides = strides;
  }
  bool is_empty = false;
  for (int32_t i = 0; i < from.ndim; ++i) is_empty = is_empty || from.shape[i] == 0;
  if (!is_empty && from.data == nullptr) return refuse("a tensor without data cannot be copied");
  if (!is_empty) copy_elements(source, static_cast<char*>(object_as<byname_tensor>(*out)->dl.data));
  return 0;
}

}  // namespace byname::python
