// Element types: DLPack's codes and the buffer protocol's formats.
#ifndef BYNAME_PYTHON_DTYPE_H_
#define BYNAME_PYTHON_DTYPE_H_

#include "base.h"

namespace byname::python {

enum DTypeCode : uint8_t {
  kIntCode = 0,
  kUintCode = 1,
  kFloatCode = 2,
  kBfloatCode = 4,
  kComplexCode = 5,
  kBoolCode = 6,
};

// The element type of a buffer of native byte order; false if there is none for it.
bool dtype_of_format(const char* format, Py_ssize_t item_size, byname_dtype* out);
// NULL if the buffer protocol has no format for the type.
const char* format_of_dtype(byname_dtype dtype);
// "float32"; a new reference.
PyObject* dtype_text(byname_dtype dtype);
// The same type under a NumPy dtype object's name, which registers types that the buffer protocol has no format for.
// False without an exception.
bool dtype_of_numpy(PyObject* numpy_dtype, byname_dtype* out);

// The bytes of an element that is not packed.
inline int64_t item_size(byname_dtype dtype) { return (static_cast<int64_t>(dtype.bits) * dtype.lanes + 7) / 8; }

}  // namespace byname::python

#endif  // BYNAME_PYTHON_DTYPE_H_
