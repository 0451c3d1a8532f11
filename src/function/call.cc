#include "function/call.h"

#include <cstring>

#include "function/binding.h"
#include "value/convert.h"

namespace byname::core {
namespace {

std::span<const byname_any> arguments_of(const byname_any* arguments, int32_t size) {
  return {arguments, static_cast<size_t>(size)};
}

// Converted arguments, dropped at the end of the call.
class Converted {
 public:
  Converted() = default;
  Converted(const Converted&) = delete;
  Converted& operator=(const Converted&) = delete;
  ~Converted() {
    for (size_t i = 0; i < size_; ++i) byname_any_drop(&values_[i]);
  }
  byname_any* push() {
    values_[size_] = {};
    return &values_[size_++];
  }
  const byname_any* data() const { return values_; }
  int32_t size() const { return static_cast<int32_t>(size_); }

 private:
  byname_any values_[kMaxParameters];
  size_t size_ = 0;
};

// Converts all arguments; tells of those that do not fit.
void convert_all(const byname_function* function, std::span<const byname_any> arguments, Converted& converted,
                 Problems& problems) {
  const Schema* schema = given_schema(function);
  for (size_t i = 0; i < arguments.size(); ++i) {
    int rank = convert_argument(function, schema, i, arguments[i], converted.push());
    if (rank >= 0) continue;
    SchemaOf names(function);
    problems.mismatch(names->arguments()[i], i, arguments[i], *parameter_type(function, schema, i),
                      rank == kOutOfRange);
  }
}

bool is_same(const byname_any& a, const byname_any& b) { return std::memcmp(&a, &b, sizeof(byname_any)) == 0; }

// A thunk that refuses what was converted for it would be asked for ever.
bool changed_something(std::span<const byname_any> before, const Converted& after) {
  for (size_t i = 0; i < before.size(); ++i) {
    if (!is_same(before[i], after.data()[i])) return true;
  }
  return before.empty();
}

// Thunks of functions that take any number of arguments convert none, so what their schema declares is seen to here.
bool takes_any_number(const byname_function* function) {
  return function->signature != nullptr && function->signature->arity < 0;
}

bool declared_ones_pass(const Schema& schema, const Bound& bound) {
  auto declared = schema.arguments();
  for (size_t i = 0; i < declared.size(); ++i) {
    if (!passes(bound.values[i], *declared[i].type)) return false;
  }
  return true;
}

int raise_negative(int32_t num_arguments) {
  return byname_error_raisef("ValueError", "expected a number of arguments, got %d", num_arguments);
}

int call_bound(byname_function* function, const CallShape& shape, byname_any* result) {
  Bound bound;
  Problems problems(function);
  SchemaOf schema(function);
  if (!bind(*schema, shape, bound, problems)) {
    check_types(function, *schema, bound, nullptr, problems);
    return problems.raise();
  }
  return call_in_place(function, bound, result);
}

}  // namespace

int safe_call(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto* function = static_cast<byname_function*>(self);
  if (__builtin_expect(num_arguments < 0, 0)) return raise_negative(num_arguments);
  try {
    if (__builtin_expect(num_arguments == function->arity, 1)) {
      return function->thunk(self, arguments, num_arguments, result);
    }
    if (function->arity < 0 && given_schema(function) == nullptr) {
      return function->thunk(self, arguments, num_arguments, result);
    }
    return call_bound(function, {arguments_of(arguments, num_arguments), {}, {}}, result);
  } catch (...) {
    return byname_error_raise_through(function);
  }
}

int coerce(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto* function = static_cast<byname_function*>(self);
  if (num_arguments < 0) return raise_negative(num_arguments);
  Converted converted;
  Problems problems(function);
  if (static_cast<size_t>(num_arguments) > kMaxParameters) {
    problems.too_many(static_cast<size_t>(num_arguments));
    return problems.raise();
  }
  std::span<const byname_any> given = arguments_of(arguments, num_arguments);
  convert_all(function, given, converted, problems);
  if (!problems.empty()) return problems.raise();
  byname_call_fn thunk = own_thunk(function);
  if (thunk == &call_callback) return run_callback(function, converted.data(), converted.size(), result);
  if (!takes_any_number(function) && !changed_something(given, converted)) {
    problems.other("an argument's Convert<>::load refuses what its kType promises");
    return problems.raise();
  }
  return thunk(self, converted.data(), converted.size(), result);
}

int call_in_place(byname_function* function, const Bound& bound, byname_any* result) {
  auto size = static_cast<int32_t>(bound.size);
  try {
    const Schema* schema = given_schema(function);
    if (takes_any_number(function) && schema != nullptr && !declared_ones_pass(*schema, bound)) {
      return coerce(function, bound.values, size, result);
    }
    return function->thunk(function, bound.values, size, result);
  } catch (...) {
    return byname_error_raise_through(function);
  }
}

int call_named(byname_function* function, const byname_any* arguments, int32_t num_arguments, const byname_str* names,
               int32_t num_names, byname_any* result) {
  if (num_names == 0) return function->safe_call(function, arguments, num_arguments, result);
  if (num_arguments < 0) return raise_negative(num_arguments);
  if (num_names < 0 || num_names > num_arguments) {
    return byname_error_raisef("ValueError", "%d names for %d arguments", num_names, num_arguments);
  }
  size_t num_positional = static_cast<size_t>(num_arguments - num_names);
  std::span<const byname_any> all = arguments_of(arguments, num_arguments);
  CallShape shape{all.first(num_positional), all.subspan(num_positional), {names, static_cast<size_t>(num_names)}};
  if (!byname_is_own(&function->header)) {
    Problems problems(function);
    problems.other("takes no keywords");
    return problems.raise();
  }
  try {
    NamedCall named = function->details->call_named;
    return named != nullptr ? named(function, shape, result) : call_bound(function, shape, result);
  } catch (...) {
    return byname_error_raise_through(function);
  }
}

}  // namespace byname::core
