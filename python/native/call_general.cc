#include "call.h"
#include "direct.h"
#include "error.h"
#include "to_python.h"

namespace byname::python {
namespace {

// What a call of any size needs, in one piece of memory.
class Arguments {
 public:
  Arguments(Py_ssize_t count, Py_ssize_t named) : count_(count) {
    size_t size = static_cast<size_t>(count) * (sizeof(byname_any) + sizeof(byname_str)) +
                  static_cast<size_t>(named) * sizeof(byname_str);
    values_ = static_cast<byname_any*>(PyMem_Malloc(size));
    if (values_ == nullptr) {
      PyErr_NoMemory();
      return;
    }
    sides_ = reinterpret_cast<byname_str*>(values_ + count);
    names_ = sides_ + count;
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    if (left_.any()) clean_up(values_, converted_, &left_);
    PyMem_Free(values_);
  }

  bool convert(PyObject* const* arguments) {
    if (values_ == nullptr) return false;
    for (; converted_ < count_; ++converted_) {
      if (to_view(arguments[converted_], &values_[converted_], &sides_[converted_], &left_) != 0) return false;
    }
    return true;
  }
  bool name(PyObject* names) {
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
      Py_ssize_t size;
      const char* text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(names, i), &size);
      if (text == nullptr) return false;
      names_[i] = {text, static_cast<size_t>(size)};
    }
    return true;
  }
  const byname_any* values() const { return values_; }
  const byname_str* names() const { return names_; }

 private:
  Py_ssize_t count_;
  Py_ssize_t converted_ = 0;
  byname_any* values_ = nullptr;
  byname_str* sides_ = nullptr;
  byname_str* names_ = nullptr;
  Leftovers left_;
};

// Lets other Python threads run while C++ works.
class ReleaseGil {
 public:
  explicit ReleaseGil(bool wanted) : state_(wanted ? PyEval_SaveThread() : nullptr) {}
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;
  ~ReleaseGil() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

bool may_block(const byname_function* cell) {
  return byname_is_own(&cell->header) && (cell->flags & BYNAME_BLOCKING) != 0;
}

int call_cell_named(byname_function* cell, const Arguments& arguments, int32_t count, int32_t named,
                    byname_any* result) {
  ReleaseGil release(may_block(cell));
  return byname_function_call_named(&cell->header, arguments.values(), count, arguments.names(), named, result);
}

// Keeps the message of the TypeError that is set, with which the function refused an argument of a type.
void keep_mismatch(FunctionObject* self, const byname_function* cell, size_t position, PyTypeObject* type) {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) return;
  KeepException keep;
  PyRef error = keep.share();
  PyRef message(error ? PyObject_Str(error.get()) : nullptr);
  if (!message) return PyErr_Clear();
  // Python code that ran meanwhile may have called another function by this handle.
  if (self->parameters.cell != cell) return;
  ParametersOf::Mismatch& mismatch = self->parameters.mismatches[position];
  PyRef old(std::exchange(mismatch.message, message.leak()));
  mismatch.type = type;
}

}  // namespace

byname_guard begin_use(const FunctionObject* self) {
  if (self->entry == nullptr) return {self->value, 0};
  byname_guard guard = byname_protect(self->entry);
  if (guard.cell != nullptr) return guard;
  byname_entry_raise_removed(self->entry);
  raise_error();
  return guard;
}

int call_cell(byname_function* cell, const byname_any* values, int32_t count, byname_any* result) {
  ReleaseGil release(may_block(cell));
  return cell->safe_call(cell, values, count, result);
}

Py_ssize_t place_keywords(ParametersOf& parameters, PyObject* const* arguments, Py_ssize_t positional, PyObject* names,
                          PyObject** placed) {
  PyObject* known = parameters.names;
  Py_ssize_t named = PyTuple_GET_SIZE(names);
  Py_ssize_t count = positional + named;
  // The core binds what only a keyword may give.
  if (known == nullptr || count > parameters.num_positional) return -1;
  if (count > PyTuple_GET_SIZE(known) || count > kMaxDirect) return -1;
  for (Py_ssize_t i = 0; i < count; ++i) placed[i] = i < positional ? arguments[i] : nullptr;
  bool is_straight = count == PyTuple_GET_SIZE(known);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    // Names of keywords in source are interned, as the parameters' are, and mostly come in their order.
    Py_ssize_t place = positional + i;
    if (PyTuple_GET_ITEM(known, place) != name) {
      place = positional;
      while (place < count && PyTuple_GET_ITEM(known, place) != name) ++place;
      if (place == count) return -1;
      is_straight = false;
    }
    if (placed[place] != nullptr) return -1;
    placed[place] = arguments[positional + i];
  }
  if (is_straight) {
    PyRef old(std::exchange(parameters.straight, Py_NewRef(names)));
    parameters.before_straight = positional;
  }
  return count;
}

PyObject* call_general(FunctionObject* self, PyObject* const* arguments, Py_ssize_t positional, PyObject* names) {
  Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
  Py_ssize_t count = positional + named;
  if (count > INT32_MAX) return PyErr_Format(PyExc_TypeError, "%zd arguments are too many", count);
  byname_any result{};
  int status;
  {
    Arguments converted(count, named);
    if (!converted.convert(arguments) || !converted.name(names)) return nullptr;
    byname_guard guard = begin_use(self);
    byname_function* cell = guard.cell;
    if (cell == nullptr) return nullptr;
    status = call_cell_named(cell, converted, static_cast<int32_t>(count), static_cast<int32_t>(named), &result);
    end_use(self, guard);
  }
  return status == 0 ? take_value(&result) : raise_error_of(self);
}

PyObject* raise_mismatch(FunctionObject* self, PyObject* const* arguments, size_t count, size_t position,
                         const void* signature_id) {
  const byname_function* current = __atomic_load_n(&self->entry->cell, __ATOMIC_ACQUIRE);
  PyTypeObject* type = Py_TYPE(arguments[position]);
  if (BYNAME_LIKELY(current == self->parameters.cell && self->parameters.mismatches[position].type == type)) {
    PyErr_SetObject(PyExc_TypeError, self->parameters.mismatches[position].message);
    return nullptr;
  }
  byname_guard guard = begin_use(self);
  byname_function* cell = guard.cell;
  if (cell == nullptr) return nullptr;
  // Another function may take the argument, or raise a TypeError of its own.
  if (cell->signature_id != signature_id || cell->flags != 0) {
    end_use(self, guard);
    return call_handle(reinterpret_cast<PyObject*>(self), arguments, count, nullptr);
  }
  if (cell != self->parameters.cell) learn_parameters(self, cell);
  byname_any values[kMaxDirect];
  byname_str sides[kMaxDirect];
  Leftovers left;
  byname_any result{};
  auto size = static_cast<Py_ssize_t>(count);
  if (!convert_rest(arguments, 0, size, values, sides, &left)) {
    end_use(self, guard);
    return nullptr;
  }
  int status = call_cell(cell, values, static_cast<int32_t>(count), &result);
  clean_up(values, size, &left);
  PyObject* object = status == 0 ? take_value(&result) : raise_error_of(self);
  if (status != 0) keep_mismatch(self, cell, position, type);
  end_use(self, guard);
  return object;
}

}  // namespace byname::python
