#include "function/call.h"

#include <cstring>

#include "function/binding.h"
#include "function/overload.h"
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
  byname_any values_[kMaxArguments];
  size_t size_ = 0;
};

// `int[2] size=1` and f(3): a sized list of a schema takes one scalar for all.
bool broadcast(const byname_any& value, const byname_type& declared, const byname_type& type, byname_any* out) {
  if (declared.kind != BYNAME_KIND_LIST || declared.fixed_size < 0 || type.kind != BYNAME_KIND_LIST) return false;
  byname_any item{};
  if (convert(value, *type.elements[0], &item) < 0) return false;
  std::vector<byname_any> items(static_cast<size_t>(declared.fixed_size), item);
  int status = byname_array_new(items.data(), items.size(), out);
  byname_any_drop(&item);
  detail::check(status);
  return true;
}

const byname_type& strip_optional(const byname_type& type) {
  return type.kind == BYNAME_KIND_OPTIONAL ? *type.elements[0] : type;
}

// Converts all arguments; tells of those that do not fit.
void convert_all(const byname_function* function, std::span<const byname_any> arguments, Converted& converted,
                 Problems& problems) {
  const Schema* schema = function->details->schema;
  for (size_t i = 0; i < arguments.size(); ++i) {
    byname_any* out = converted.push();
    const byname_type* type = parameter_type(function, schema, i);
    if (type == nullptr) {
      detail::check(byname_any_copy(&arguments[i], out));
      continue;
    }
    int rank = convert(arguments[i], *type, out);
    if (rank >= 0) continue;
    if (schema != nullptr &&
        broadcast(arguments[i], strip_optional(*schema->arguments()[i].type), strip_optional(*type), out)) {
      continue;
    }
    SchemaOf names(function);
    problems.mismatch(names->arguments()[i].name, i + 1, arguments[i], *type, rank == kOutOfRange);
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

int call_bound(byname_function* function, const CallShape& shape, byname_any* result) {
  Bound bound;
  Problems problems(function);
  if (!bind(function, shape, bound, problems)) {
    check_types(function, shape.positional.first(std::min(shape.positional.size(), bound.size)), nullptr, &problems);
    return problems.raise();
  }
  return function->thunk(function, bound.values, static_cast<int32_t>(bound.size), result);
}

}  // namespace

int safe_call(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto* function = static_cast<byname_function*>(self);
  try {
    if (__builtin_expect(num_arguments == function->arity, 1)) {
      return function->thunk(self, arguments, num_arguments, result);
    }
    if (function->arity < 0 && function->details->schema == nullptr) {
      return function->thunk(self, arguments, num_arguments, result);
    }
    return call_bound(function, {arguments_of(arguments, num_arguments), {}, {}}, result);
  } catch (...) {
    return byname_error_raise_through(function);
  }
}

int coerce(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto* function = static_cast<byname_function*>(self);
  Converted converted;
  Problems problems(function);
  std::span<const byname_any> given = arguments_of(arguments, num_arguments);
  convert_all(function, given, converted, problems);
  if (!problems.empty()) return problems.raise();
  if (function->thunk == &call_callback) {
    const auto* callback = static_cast<const Callback*>(byname_function_closure(function));
    return callback->function(callback->context, converted.data(), converted.size(), result);
  }
  if (!changed_something(given, converted)) {
    problems.other("an argument's Convert<>::load refuses what its kType promises");
    return problems.raise();
  }
  return function->thunk(self, converted.data(), converted.size(), result);
}

int call_named(byname_function* function, const byname_any* arguments, int32_t num_arguments, const byname_str* names,
               int32_t num_names, byname_any* result) {
  if (num_names == 0) return function->safe_call(function, arguments, num_arguments, result);
  size_t num_positional = static_cast<size_t>(num_arguments - num_names);
  std::span<const byname_any> all = arguments_of(arguments, num_arguments);
  CallShape shape{all.first(num_positional), all.subspan(num_positional), {names, static_cast<size_t>(num_names)}};
  if (!byname_is_own(&function->header)) {
    Problems problems(function);
    problems.other("takes no keywords");
    return problems.raise();
  }
  try {
    if (function->flags & BYNAME_OVERLOADS) return call_overloads(function, shape, result);
    return call_bound(function, shape, result);
  } catch (...) {
    return byname_error_raise_through(function);
  }
}

}  // namespace byname::core
