// Tensors: in from NumPy, buffers and DLPack, out as byname.Tensor, which offers the same three. No copies but where
// the caller asks for one.
#ifndef BYNAME_PYTHON_TENSOR_H_
#define BYNAME_PYTHON_TENSOR_H_

#include "object.h"

namespace byname::python {

// These return 1 and an owned tensor; 0, and no exception, if the object has no form as one; -1 with an exception.
int tensor_of_array(PyObject* array, byname_any* out);    // a NumPy array
int tensor_of_buffer(PyObject* object, byname_any* out);  // of any exporter
int tensor_of_dlpack(PyObject* object, byname_any* out);  // of any producer
int tensor_of(PyObject* object, byname_any* out);         // an array or a producer

inline const byname_dl_tensor& tensor_in(PyObject* self) {
  return reinterpret_cast<const byname_tensor*>(object_in(self))->dl;
}
inline bool is_read_only(PyObject* self) { return (byname_tensor_flags(object_in(self)) & BYNAME_DL_READ_ONLY) != 0; }

// Methods of byname.Tensor that other files define.
PyObject* tensor_dlpack(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* tensor_dlpack_device(PyObject* self, PyObject*);
// An own, row-major copy in new memory. Fails with an exception set.
int copy_tensor(const byname_dl_tensor& from, byname_any* out);
extern PyBufferProcs tensor_buffer_procs;
// Adds __dlpack_c_exchange_api__ to the type.
int init_exchange_api();
int init_tensor();

}  // namespace byname::python

#endif  // BYNAME_PYTHON_TENSOR_H_
