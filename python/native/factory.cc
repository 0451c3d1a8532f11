#include "factory.h"

#include "error.h"
#include "function.h"
#include "to_python.h"
#include "to_value.h"

namespace byname::python {
namespace {

// The arguments `prefix, variant, ...` of the functions of factories.
struct FactoryOf {
  byname_factory raw{};
  PyRef prefix;
  PyRef variant;
  bool take(PyObject* prefix_text, PyObject* variant_text) {
    return encode_name(prefix_text, &raw.prefix, &prefix) && encode_name(variant_text, &raw.variant, &variant);
  }
};

}  // namespace

PyObject* factory_create(PyObject*, PyObject* arguments) {
  PyObject *prefix, *variant, *config;
  FactoryOf factory;
  Value value;
  Value made;
  if (PyArg_UnpackTuple(arguments, "factory_create", 3, 3, &prefix, &variant, &config) == 0) return nullptr;
  if (!factory.take(prefix, variant) || to_owned(config, value.out()) != 0) return nullptr;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = byname_attach();  // may want the GIL; nothing waits then any more
  Py_END_ALLOW_THREADS;
  if (status == 0) status = byname_factory_create(factory.raw, &value.get(), made.out());
  return status == 0 ? to_python(&made.get()) : raise_error();
}

PyObject* factory_creator(PyObject*, PyObject* arguments) {
  PyObject *prefix, *variant, *type;
  FactoryOf factory;
  byname_str text{};
  PyRef keep;
  if (PyArg_UnpackTuple(arguments, "factory_creator", 3, 3, &prefix, &variant, &type) == 0) return nullptr;
  if (!factory.take(prefix, variant) || !encode_name(type, &text, &keep)) return nullptr;
  return handle_of(
      factory.raw.prefix, [&] { return byname_factory_find_attached(factory.raw, text); },
      [&] { return byname_factory_get(factory.raw, text); });
}

PyObject* factory_types(PyObject*, PyObject* arguments) {
  PyObject *prefix, *variant;
  FactoryOf factory;
  Value list;
  if (PyArg_UnpackTuple(arguments, "factory_types", 2, 2, &prefix, &variant) == 0) return nullptr;
  if (!factory.take(prefix, variant)) return nullptr;
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = byname_factory_types(factory.raw, list.out());
  Py_END_ALLOW_THREADS;
  return status == 0 ? names_list(list) : raise_error();
}

PyObject* factory_base(PyObject*, PyObject* arguments) {
  PyObject *prefix, *variant;
  FactoryOf factory;
  if (PyArg_UnpackTuple(arguments, "factory_base", 2, 2, &prefix, &variant) == 0) return nullptr;
  if (!factory.take(prefix, variant)) return nullptr;
  const byname_type_info* type;
  Py_BEGIN_ALLOW_THREADS;
  type = byname_type_get(byname_factory_base(factory.raw));
  Py_END_ALLOW_THREADS;
  return type == nullptr ? Py_NewRef(Py_None) : decode_name(type->key);
}

}  // namespace byname::python
