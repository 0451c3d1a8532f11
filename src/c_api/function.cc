// Functions and their calls behind the C interface.
#include <algorithm>

#include "base/protect.h"
#include "function/call.h"
#include "function/cell.h"
#include "function/describe.h"
#include "function/overload.h"
#include "function/problems.h"
#include "function/signature_id.h"
#include "object/class.h"
#include "registry/library.h"
#include "registry/module.h"
#include "value/convert.h"
#include "value/error.h"

using namespace byname;

namespace {

const byname_function* function_in(const byname_object* object) {
  return reinterpret_cast<const byname_function*>(object);
}

void give_function(core::FunctionRef function, byname_any* out) {
  *out = {BYNAME_FUNCTION, 0, {0}};
  out->as_object = &function.leak()->header;
}

// Of overloads, the module that all of them are of; NULL if there is none.
const byname_module* module_of(const byname_function* function) {
  auto owner = [](const byname_function* one) { return byname_object_prefix(&one->header)->owner->module; };
  if ((function->flags & BYNAME_OVERLOADS) == 0) return owner(function);
  auto overloads = core::overloads_of(function);
  const byname_module* module = owner(overloads[0].get());
  bool is_of_all = std::ranges::all_of(overloads, [&](const auto& one) { return owner(one.get()) == module; });
  return is_of_all ? module : nullptr;
}

int give_text(std::string_view text, byname_any* out) { return byname_string_new(detail::to_c(text), out); }

}  // namespace

int byname_function_new(const byname_definition* definition, byname_any* out) {
  return core::guarded([&] {
    byname_definition taken = *definition;
    core::ContextGuard guard(taken);
    byname_class* owner = core::function_class(core::dso_of(*definition));
    give_function(core::make_function(taken, core::NameForm::kFull, owner), out);
    return 0;
  });
}

int byname_function_call_named(byname_object* function, const byname_any* arguments, int32_t num_arguments,
                               const byname_str* names, int32_t num_names, byname_any* result) {
  return core::call_named(reinterpret_cast<byname_function*>(function), arguments, num_arguments, names, num_names,
                          result);
}

int byname_function_coerce(void* function, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  return core::guarded([&] { return core::coerce(function, arguments, num_arguments, result); });
}

int byname_function_schema(const byname_object* function, byname_any* out) {
  return core::guarded([&] { return give_text(core::print_function(function_in(function)), out); });
}

int byname_function_doc(const byname_object* function, byname_any* out) {
  return core::guarded([&] {
    std::string doc = byname_is_own(function) ? core::doc_of(function_in(function)) : std::string();
    return give_text(doc, out);
  });
}

int byname_function_name(const byname_object* function, byname_any* out) {
  const byname_function* cell = function_in(function);
  std::string_view name;
  if (byname_is_own(function) && cell->entry != nullptr) name = core::name_of(cell);
  return give_text(name, out);
}

int byname_function_describe(const byname_object* function, byname_any* out) {
  return core::guarded([&] {
    if (!byname_is_own(function)) throw Error("TypeError", "nothing is known of a function of another runtime");
    const byname_module* module = module_of(function_in(function));
    *out = core::describe(function_in(function), module == nullptr ? std::string_view() : module->path);
    return 0;
  });
}

const void* byname_signature_id(byname_signature* signature) { return core::signature_id(*signature); }

int byname_any_convert(const byname_any* value, const byname_type* type, byname_any* out) {
  return core::guarded([&] {
    int rank = core::convert(*value, *type, out);
    if (rank >= 0) return 0;
    std::string text = "expected " + core::expected_got(*value, *type, rank == core::kOutOfRange);
    throw Error(rank == core::kOutOfRange ? "OverflowError" : "TypeError", text);
  });
}

int byname_function_refuse_result(byname_str name, const byname_any* result, const byname_type* type) {
  return core::guarded([&] {
    int rank = core::convert(*result, *type, nullptr);
    core::Problems problems(detail::from_c(name));
    problems.wrong_result(*result, *type, rank == core::kOutOfRange);
    return problems.raise();
  });
}

void byname_foreign_converter_set(byname_foreign_converter converter, void* context) {
  core::set_foreign_converter(converter, context);
}

byname_guard byname_protect_slow(const byname_entry* entry) { return core::protect_slow(entry); }

void byname_unprotect_slow(void) { core::unprotect_slow(); }
