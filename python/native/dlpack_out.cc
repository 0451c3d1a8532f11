// byname.Tensor as a DLPack producer.
#include "dlpack.h"
#include "error.h"
#include "gil.h"
#include "tensor.h"

namespace byname::python {
namespace {

constexpr int32_t kCpu = 1;

void destroy_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    auto* managed = static_cast<byname_dl_managed*>(PyCapsule_GetPointer(capsule, "dltensor"));
    managed->deleter(managed);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    auto* managed = static_cast<byname_dl_managed_versioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    managed->deleter(managed);
  }
}

PyObject* make_capsule(const byname_object* tensor, bool versioned, bool copied) {
  if (versioned) {
    byname_dl_managed_versioned* managed = nullptr;
    if (byname_tensor_to_dlpack_versioned(tensor, &managed) != 0) return raise_error();
    if (copied) managed->flags |= BYNAME_DL_COPIED;
    PyObject* capsule = PyCapsule_New(managed, "dltensor_versioned", &destroy_capsule);
    if (capsule == nullptr) managed->deleter(managed);
    return capsule;
  }
  byname_dl_managed* managed = nullptr;
  if (byname_tensor_to_dlpack(tensor, &managed) != 0) return raise_error();
  PyObject* capsule = PyCapsule_New(managed, "dltensor", &destroy_capsule);
  if (capsule == nullptr) managed->deleter(managed);
  return capsule;
}

struct Options {
  PyObject* stream = Py_None;
  PyObject* max_version = Py_None;
  PyObject* dl_device = Py_None;
  PyObject* copy = Py_None;
};

bool parse_options(PyObject* const* arguments, Py_ssize_t count, PyObject* names, Options* options) {
  static const char* const kNames[] = {"stream", "max_version", "dl_device", "copy"};
  PyObject** const places[] = {&options->stream, &options->max_version, &options->dl_device, &options->copy};
  if (count != 0) {
    PyErr_SetString(PyExc_TypeError, "Tensor.__dlpack__() takes keyword arguments only");
    return false;
  }
  Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    int place = 0;
    while (place < 4 && PyUnicode_CompareWithASCIIString(name, kNames[place]) != 0) ++place;
    if (place == 4) {
      PyErr_Format(PyExc_TypeError, "Tensor.__dlpack__(): unexpected keyword '%U'", name);
      return false;
    }
    *places[place] = arguments[i];
  }
  return true;
}

// 1: major version 1 or later is understood, -1 with an exception.
int wants_versioned(PyObject* max_version) {
  if (max_version == Py_None) return 0;
  long major;
  long minor;
  if (!PyArg_Parse(max_version, "(ll);max_version is a pair of ints or None", &major, &minor)) return -1;
  return major >= static_cast<long>(kDlpackMajor) ? 1 : 0;
}

bool stays_on_device(const byname_dl_tensor& tensor, PyObject* wanted) {
  if (wanted == Py_None) return true;
  int type;
  int id;
  if (!PyArg_Parse(wanted, "(ii);dl_device is a pair of ints or None", &type, &id)) return false;
  if (type == tensor.device.type && id == tensor.device.id) return true;
  PyErr_Format(PyExc_BufferError, "expected device (%d, %d), on which the tensor is, got (%d, %d)", tensor.device.type,
               tensor.device.id, type, id);
  return false;
}

int managed_of_object(void* object, byname_dl_managed_versioned** out) {
  auto* self = static_cast<PyObject*>(object);
  if (Py_TYPE(self) != &TensorType) {
    PyErr_Format(PyExc_TypeError, "expected a byname.Tensor, got %s", Py_TYPE(self)->tp_name);
    return -1;
  }
  return byname_tensor_to_dlpack_versioned(object_in(self), out) == 0 ? 0 : raise_error_int();
}

int view_of_object(void* object, byname_dl_tensor* out) {
  auto* self = static_cast<PyObject*>(object);
  if (Py_TYPE(self) != &TensorType) {
    PyErr_Format(PyExc_TypeError, "expected a byname.Tensor, got %s", Py_TYPE(self)->tp_name);
    return -1;
  }
  *out = tensor_in(self);
  return 0;
}

int object_of_managed(byname_dl_managed_versioned* managed, void** out) {
  byname_any tensor{};
  if (byname_tensor_from_dlpack_versioned(managed, nullptr, &tensor) != 0) return raise_error_int();
  *out = wrap_object(tensor.as_object);
  return *out != nullptr ? 0 : -1;
}

// Called with or without the GIL, so failures are told to `set_error`.
int allocate(byname_dl_tensor* prototype, byname_dl_managed_versioned** out, void* context,
             void (*set_error)(void* context, const char* kind, const char* message)) {
  Value tensor;
  int status = byname_tensor_new(prototype->shape, prototype->ndim, prototype->dtype, prototype->device, tensor.out());
  if (status == 0) status = byname_tensor_to_dlpack_versioned(tensor.object(), out);
  if (status == 0) return 0;
  byname_object* error = byname_error_take();
  set_error(context, byname_error_kind(error).data, byname_error_message(error).data);
  byname_object_release(error);
  return -1;
}

int current_stream(int32_t, int32_t, void** out) {
  *out = nullptr;
  return 0;
}

ExchangeApi exchange_api = {{kDlpackMajor, 1, nullptr}, &allocate,       &managed_of_object,
                            &object_of_managed,         &view_of_object, &current_stream};

}  // namespace

PyObject* tensor_dlpack(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  Options options;
  if (!parse_options(arguments, count, names, &options)) return nullptr;
  const byname_dl_tensor& tensor = tensor_in(self);
  int versioned = wants_versioned(options.max_version);
  if (versioned < 0 || !stays_on_device(tensor, options.dl_device)) return nullptr;
  int copy = options.copy == Py_None ? 0 : PyObject_IsTrue(options.copy);
  if (copy < 0) return nullptr;
  if (tensor.device.type == kCpu && options.stream != Py_None) {
    PyErr_SetString(PyExc_BufferError, "a tensor on the cpu has no stream, expected stream=None");
    return nullptr;
  }
  if (copy == 0) {
    if (versioned == 0 && is_read_only(self)) {
      PyErr_SetString(PyExc_BufferError, "a read-only tensor needs DLPack 1.0 (pass max_version=(1, 0) or copy=True)");
      return nullptr;
    }
    return make_capsule(object_in(self), versioned != 0, false);
  }
  Value copied;
  if (copy_tensor(tensor, copied.out()) != 0) return nullptr;
  return make_capsule(copied.object(), versioned != 0, true);
}

PyObject* tensor_dlpack_device(PyObject* self, PyObject*) {
  const byname_device& device = tensor_in(self).device;
  return Py_BuildValue("(ii)", device.type, device.id);
}

int init_exchange_api() {
  PyRef capsule(PyCapsule_New(&exchange_api, kExchangeCapsule, nullptr));
  if (!capsule) return -1;
  return PyDict_SetItemString(TensorType.tp_dict, "__dlpack_c_exchange_api__", capsule.get());
}

}  // namespace byname::python
