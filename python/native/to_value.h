// From Python objects to values, by the object's own type; what a parameter wants is the core's concern.
#ifndef BYNAME_PYTHON_TO_VALUE_H_
#define BYNAME_PYTHON_TO_VALUE_H_

#include "base.h"

namespace byname::python {

// What a borrowed value points to, when it is not the argument itself.
struct Keep {
  Keep* next;
  byname_scalar scalar;
  PyObject* text;  // the scalar's digits
  byname_str bytes;
  Py_buffer buffer;  // held while obj is not NULL
};

// What is left to do after a call. Values that are objects are owned, all others borrow from the argument, from the
// side (one for each value) or from a Keep.
struct Leftovers {
  Keep* keeps = nullptr;
  bool has_objects = false;
  bool any() const { return has_objects || keeps != nullptr; }
};

// A value to call with. Fails with an exception set; nothing is left then by this one value.
int to_view(PyObject* object, byname_any* value, byname_str* side, Leftovers* left);
// The arguments from `begin` on; false with an exception set, and then nothing is left of those before either.
bool convert_rest(PyObject* const* arguments, Py_ssize_t begin, Py_ssize_t count, byname_any* values, byname_str* sides,
                  Leftovers* left);
void clean_up(byname_any* values, Py_ssize_t size, Leftovers* left);
// A value that owns what it shows. Fails with an exception set.
int to_owned(PyObject* object, byname_any* out);

// An int of one digit, which most are.
inline bool small_int(PyObject* object, int64_t* out) {
  static_assert(PY_VERSION_HEX < 0x030c0000, "the layout of int is that of CPython 3.11");
  auto* number = reinterpret_cast<PyLongObject*>(object);
  Py_ssize_t size = Py_SIZE(number);
  *out = static_cast<int64_t>(size) * static_cast<int64_t>(number->ob_digit[0]);
  return static_cast<size_t>(size + 1) <= 2;
}

constexpr Py_ssize_t kMaxSmallText = 7;

// Up to 7 characters as one word. In overlapping parts: a memcpy of unknown length is a call.
inline uint64_t small_text(const char* text, size_t size) {
  if (size >= 4) {
    uint32_t head;
    uint32_t tail;
    std::memcpy(&head, text, 4);
    std::memcpy(&tail, text + size - 4, 4);
    return head | static_cast<uint64_t>(tail) << (8 * (size - 4));
  }
  if (size == 0) return 0;
  auto character = [text](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(text[i])) << (8 * i); };
  return character(0) | character(size / 2) | character(size - 1);
}

inline void set_text(const char* text, Py_ssize_t size, byname_any* value, byname_str* side) {
  if (size <= kMaxSmallText) {
    value->type_index = BYNAME_SMALL_STR;
    value->small_size = static_cast<uint32_t>(size);
    value->as_uint = small_text(text, static_cast<size_t>(size));
    return;
  }
  *side = {text, static_cast<size_t>(size)};
  *value = {BYNAME_STR_VIEW, 0, {0}};
  value->as_str = side;
}

// The frequent cases, inlined into the call: they leave nothing to clean up.
inline bool to_plain_view(PyObject* object, byname_any* value, byname_str* side) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    int64_t number;
    bool is_small = small_int(object, &number);
    *value = {BYNAME_INT, 0, {number}};
    return is_small;
  }
  if (type == &PyFloat_Type) {
    *value = {BYNAME_FLOAT, 0, {0}};
    value->as_float = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (type == &PyUnicode_Type && PyUnicode_IS_COMPACT_ASCII(object)) {
    set_text(reinterpret_cast<const char*>(reinterpret_cast<PyASCIIObject*>(object) + 1), PyUnicode_GET_LENGTH(object),
             value, side);
    return true;
  }
  return false;
}

}  // namespace byname::python

#endif  // BYNAME_PYTHON_TO_VALUE_H_
