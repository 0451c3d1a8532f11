// Tensors of DLPack producers.
#include "dlpack.h"
#include "error.h"
#include "tensor.h"

namespace byname::python {
namespace {

struct Names {
  PyObject* exchange = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  PyObject* dlpack = PyUnicode_InternFromString("__dlpack__");
  PyObject* max_version = Py_BuildValue("(s)", "max_version");
  PyObject* version = Py_BuildValue("(ii)", kDlpackMajor, 1);
};

const Names& names() {
  static const Names instance;
  return instance;
}

int finish(int status) { return status == 0 ? 1 : raise_error_int(); }

// NULL if the type offers no interface of this major version. An older or a newer one may be chained to it.
const ExchangeApi* exchange_api(PyTypeObject* type) {
  PyObject* capsule = type_attribute(type, names().exchange);
  if (capsule == nullptr || !PyCapsule_IsValid(capsule, kExchangeCapsule)) return nullptr;
  auto* header = static_cast<const ExchangeHeader*>(PyCapsule_GetPointer(capsule, kExchangeCapsule));
  while (header != nullptr && header->major != kDlpackMajor) header = header->previous;
  return reinterpret_cast<const ExchangeApi*>(header);
}

int take_from_api(const ExchangeApi& api, PyObject* object, byname_any* out) {
  byname_dl_managed_versioned* managed = nullptr;
  if (api.managed_of_object(object, &managed) != 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the DLPack producer failed and raised no exception");
    return -1;
  }
  return finish(byname_tensor_from_dlpack_versioned(managed, nullptr, out));
}

// A capsule is used up by a new name, which tells its destructor that the tensor has been taken.
int take_capsule(PyObject* capsule, byname_any* out) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    void* managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (PyCapsule_SetName(capsule, "used_dltensor_versioned") != 0) return -1;
    return finish(
        byname_tensor_from_dlpack_versioned(static_cast<byname_dl_managed_versioned*>(managed), nullptr, out));
  }
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    void* managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (PyCapsule_SetName(capsule, "used_dltensor") != 0) return -1;
    return finish(byname_tensor_from_dlpack(static_cast<byname_dl_managed*>(managed), nullptr, out));
  }
  PyErr_Format(PyExc_BufferError,
               "expected __dlpack__ to give a capsule named 'dltensor' or 'dltensor_versioned', got %R", capsule);
  return -1;
}

PyObject* ask_for_capsule(PyObject* object) {
  PyObject* arguments[] = {object, names().version};
  PyObject* capsule = PyObject_VectorcallMethod(names().dlpack, arguments, 1, names().max_version);
  // Producers from before versions know no such keyword.
  if (capsule != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return capsule;
  PyErr_Clear();
  return PyObject_CallMethodNoArgs(object, names().dlpack);
}

}  // namespace

int tensor_of_dlpack(PyObject* object, byname_any* out) {
  PyTypeObject* type = Py_TYPE(object);
  if (const ExchangeApi* api = exchange_api(type)) return take_from_api(*api, object, out);
  // A class has its instances' attribute without being a producer; it is the type of the object that counts.
  if (type_attribute(type, names().dlpack) == nullptr) return 0;
  PyRef capsule(ask_for_capsule(object));
  return capsule ? take_capsule(capsule.get(), out) : -1;
}

}  // namespace byname::python
