#include "function/cell.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/struct_size.h"
#include "function/call.h"
#include "function/problems.h"
#include "function/signature_id.h"
#include "object/class.h"
#include "object/pool.h"
#include "schema/type.h"
#include "value/convert.h"
#include "value/error_trace.h"

namespace byname::core {
namespace {

constexpr size_t kAlignment = 16;
constexpr size_t round_up(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

// Name texts that stand for no parameter.
constexpr std::string_view kKeywordOnly = "*";

byname_details* details_of(byname_function* function) { return const_cast<byname_details*>(function->details); }

void destroy_function(void* object) {
  auto* function = static_cast<byname_function*>(object);
  byname_details* details = details_of(function);
  if (details->closure_destroy != nullptr) details->closure_destroy(byname_function_closure(function));
  delete details->schema;
}

void destroy_callback(void* closure) {
  auto* callback = static_cast<Callback*>(closure);
  if (callback->context_deleter != nullptr) callback->context_deleter(callback->context);
}

// An array that may be empty, without the marker of keyword-only parameters.
std::vector<byname_parameter> parameters_of(const byname_definition& definition) {
  std::vector<byname_parameter> parameters;
  parameters.reserve(definition.num_parameters);
  bool keyword_only = false;
  for (size_t i = 0; i < definition.num_parameters; ++i) {
    byname_parameter parameter = definition.parameters[i];
    if (detail::from_c(parameter.name) == kKeywordOnly) {
      if (keyword_only) throw Error("ValueError", "keyword_only stands twice in the list of parameters");
      keyword_only = true;
      continue;
    }
    if (keyword_only) parameter.keyword_only = 1;
    parameters.push_back(parameter);
  }
  return parameters;
}

bool is_schema(std::string_view text) { return text.find('(') != std::string_view::npos; }

[[noreturn]] void throw_contradiction(const Schema& schema, const byname_signature& signature, std::string_view why) {
  std::string text = "schema '" + print_schema(schema) + "' does not fit the function's signature '";
  text += print_signature(infer_schema(signature, {}, "f"));
  throw Error("ValueError", text.append("': ").append(why));
}

// Names alone, without defaults and keyword-only parameters, are kept as they are: most functions are never asked for
// their schema, which is several times as large.
bool is_names_alone(const byname_definition& definition, NameForm form, std::span<const byname_parameter> parameters) {
  return form == NameForm::kBlock && definition.signature != nullptr &&
         std::ranges::none_of(parameters, [](const byname_parameter& p) { return p.has_default || p.keyword_only; });
}

std::span<const byname_str> names_of(const byname_details& details) {
  return {reinterpret_cast<const byname_str*>(&details + 1), details.num_names};
}

// The schema that the definition gives; nullptr if there is only the signature, with names or without, to tell.
std::unique_ptr<const Schema> declared_schema(const byname_definition& definition, NameForm form,
                                              std::span<const byname_parameter> parameters) {
  std::string_view text = detail::from_c(definition.text);
  if (is_schema(text)) {
    if (definition.num_parameters > 0) {
      throw Error("ValueError", "a list of parameters beside a schema, which names them already");
    }
    auto schema = std::make_unique<const Schema>(parse_schema(text, form));
    if (definition.signature != nullptr) {
      std::optional<std::string> why = compare_schema(*schema, *definition.signature);
      if (why) throw_contradiction(*schema, *definition.signature, *why);
    }
    return schema;
  }
  if (definition.num_parameters == 0) return nullptr;
  if (definition.signature == nullptr) {
    throw Error("ValueError", "a list of parameters without a signature (give a schema)");
  }
  std::string_view name = text.empty() ? std::string_view("function") : text;
  if (is_names_alone(definition, form, parameters)) {
    check_inferred_schema(*definition.signature, parameters, name, form);
    return nullptr;
  }
  return std::make_unique<const Schema>(infer_schema(*definition.signature, parameters, name, form));
}

int32_t arity_of(const byname_definition& definition, const Schema* schema) {
  if (definition.signature != nullptr) return definition.signature->arity;
  if (schema == nullptr || schema->is_vararg() || schema->is_bare()) return -1;
  return static_cast<int32_t>(schema->arguments().size());
}

void check_size(const byname_definition& definition, const Schema* schema) {
  size_t size = schema != nullptr ? schema->arguments().size() : 0;
  if (definition.signature != nullptr) size = std::max<size_t>(size, std::max(definition.signature->arity, 0));
  if (size <= kMaxParameters) return;
  throw Error("ValueError", "expected a function of at most " + std::to_string(kMaxParameters) + " parameters, got " +
                                std::to_string(size));
}

bool has_keyword_only(const Schema* schema) {
  return schema != nullptr && std::ranges::any_of(schema->arguments(), &Argument::keyword_only);
}

// An argument that only a keyword may give would pass by position where calls count arguments and nothing else. So such
// a function is one of no certain number, whose calls are bound by its schema.
void bind_every_call(byname_function* function) {
  function->arity = -1;
  function->signature_id = nullptr;
}

FunctionRef allocate_function(const byname_definition& definition, byname_class* owner,
                              std::span<const byname_parameter> named = {}) {
  size_t closure_size = definition.closure_size;
  if (definition.closure_alignment > kAlignment) {
    throw Error("ValueError", "a closure with an alignment above 16 (keep a pointer to it)");
  }
  size_t extra = round_up(closure_size) + sizeof(byname_details) + named.size() * sizeof(byname_str);
  void* memory = allocate(owner, extra);
  if (memory == nullptr) detail::throw_raised();
  auto* function = static_cast<byname_function*>(memory);
  std::memset(function, 0, sizeof(byname_function));
  auto* details =
      ::new (static_cast<char*>(byname_function_closure(function)) + round_up(closure_size)) byname_details{};
  details->doc = definition.doc;
  details->file = definition.file;
  details->line = definition.line;
  details->num_names = static_cast<uint16_t>(named.size());
  auto* name = reinterpret_cast<byname_str*>(details + 1);
  for (const byname_parameter& parameter : named) ::new (name++) byname_str(parameter.name);
  function->details = details;
  function->safe_call = &safe_call;
  function->flags = definition.flags;
  function->signature = definition.signature;
  function->direct = definition.direct;
  byname_object_init(function, BYNAME_FUNCTION);
  return FunctionRef(function);
}

void give_schema(byname_function* function, std::unique_ptr<const Schema> schema) {
  details_of(function)->is_given = schema != nullptr;
  details_of(function)->schema = schema.release();
}

// Errors tell which functions they passed.
FunctionSite site_of(const byname_function* function) {
  if (!byname_is_own(&function->header)) return {};
  return {name_of(function), function->details->file, function->details->line};
}

[[maybe_unused]] const bool hook_is_set = (set_function_site_hook(&site_of), true);

// Replaces a result by what it converts to.
int convert_result(const byname_function* function, const byname_type& type, byname_any* result) {
  if (passes(*result, type)) return 0;
  byname_any converted{};
  int rank = convert(*result, type, &converted);
  int status = 0;
  if (rank < 0) {
    Problems problems(function);
    problems.wrong_result(*result, type, rank == kOutOfRange);
    status = problems.raise();
  }
  byname_any old = std::exchange(*result, converted);
  byname_any_drop(&old);
  return status;
}

// A callback's result must be what the schema declares.
int check_result(const byname_function* function, const Schema& schema, byname_any* result) {
  std::span<const Return> returns = schema.returns();
  if (schema.is_bare() || schema.is_varret()) return 0;
  if (returns.size() == 1) return convert_result(function, *returns[0].type, result);
  byname_type several{};
  several.kind = returns.empty() ? BYNAME_KIND_NONE : BYNAME_KIND_TUPLE;
  several.fixed_size = -1;
  std::vector<const byname_type*> elements;
  for (const Return& one : returns) elements.push_back(one.type);
  several.num_elements = static_cast<int32_t>(elements.size());
  several.elements = elements.data();
  return convert_result(function, several, result);
}

}  // namespace

int call_callback(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  const auto* function = static_cast<const byname_function*>(self);
  const Schema* schema = given_schema(function);
  if (schema != nullptr) {
    auto declared = schema->arguments();
    size_t checked = std::min<size_t>(declared.size(), static_cast<size_t>(num_arguments));
    for (size_t i = 0; i < checked; ++i) {
      if (!passes(arguments[i], *declared[i].type)) return coerce(self, arguments, num_arguments, result);
    }
  }
  return run_callback(function, arguments, num_arguments, result);
}

int run_callback(const byname_function* function, const byname_any* arguments, int32_t num_arguments,
                 byname_any* result) {
  const auto* callback = static_cast<const Callback*>(byname_function_closure(function));
  int status = callback->function(callback->context, arguments, num_arguments, result);
  if (__builtin_expect(status == 0, 1)) {
    const Schema* schema = given_schema(function);
    return schema == nullptr ? 0 : check_result(function, *schema, result);
  }
  if (byname_this_thread.error == nullptr) {
    raise("SystemError", std::string(name_of(function)).append("() failed without an error"));
  }
  FunctionSite site = site_of(function);
  pass_error(byname_this_thread.error, site.name, site.file, site.line);
  return -1;
}

FunctionRef make_core_function(CoreCalls calls, uint32_t flags, const byname_definition& description,
                               byname_class* owner) {
  FunctionRef function = allocate_function(description, owner);
  function->thunk = calls.thunk;
  details_of(function.get())->call_named = calls.named;
  function->flags |= flags;
  function->arity = -1;
  description.closure_move(byname_function_closure(function.get()), description.closure);
  details_of(function.get())->closure_destroy = description.closure_destroy;
  return function;
}

FunctionRef make_function(byname_definition& definition, NameForm form, byname_class* owner) {
  check_struct_size(definition.struct_size, sizeof(byname_definition), "byname_definition");
  if (definition.signature == nullptr && definition.callback == nullptr) {
    throw Error("ValueError", "a definition without a callback");
  }
  std::vector<byname_parameter> parameters = parameters_of(definition);
  std::unique_ptr<const Schema> schema = declared_schema(definition, form, parameters);
  check_size(definition, schema.get());
  if (definition.signature == nullptr) {
    Callback callback{definition.callback, definition.context, definition.context_deleter};
    byname_definition described = definition;
    described.closure_size = sizeof(Callback);
    described.closure = &callback;
    described.closure_move = [](void* to, void* from) { ::new (to) Callback(*static_cast<Callback*>(from)); };
    described.closure_destroy = &destroy_callback;
    int32_t arity = arity_of(definition, schema.get());
    FunctionRef function = make_core_function({&call_callback, nullptr}, 0, described, owner);
    definition.context_deleter = nullptr;
    function->arity = arity;
    if (has_keyword_only(schema.get())) bind_every_call(function.get());
    give_schema(function.get(), std::move(schema));
    return function;
  }
  if (schema != nullptr) parameters.clear();  // it has their names
  FunctionRef function = allocate_function(definition, owner, parameters);
  function->thunk = definition.signature->thunk;
  function->arity = definition.signature->arity;
  function->signature_id = signature_id(*definition.signature);
  if (definition.closure_size > 0) {
    definition.closure_move(byname_function_closure(function.get()), definition.closure);
    details_of(function.get())->closure_destroy = definition.closure_destroy;
  }
  if (has_keyword_only(schema.get())) bind_every_call(function.get());
  give_schema(function.get(), std::move(schema));
  return function;
}

byname_class* function_class(byname_dso* dso) {
  return register_class(
      {sizeof(byname_class_decl), BYNAME_FUNCTION, sizeof(byname_function), kAlignment, &destroy_function, dso});
}

namespace {

// Keeps a schema with its function; the first of several threads wins.
const Schema* keep_schema(const byname_function* function, Schema inferred) {
  auto made = std::make_unique<const Schema>(std::move(inferred));
  const Schema* there = nullptr;
  if (!__atomic_compare_exchange_n(&details_of(const_cast<byname_function*>(function))->schema, &there, made.get(),
                                   false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return there;
  }
  return made.release();
}

// Made when first needed, by one of the threads that need it. Not under a lock, which a child could find locked.
const Schema& schema_of_anything() {
  static constinit std::atomic<const Schema*> known{nullptr};
  const Schema* there = known.load(std::memory_order_acquire);
  if (there != nullptr) return *there;
  auto made = std::make_unique<const Schema>(parse_schema("function(...) -> ..."));
  return known.compare_exchange_strong(there, made.get()) ? *made.release() : *there;
}

}  // namespace

SchemaOf::SchemaOf(const byname_function* function)
    : schema_(__atomic_load_n(&function->details->schema, __ATOMIC_ACQUIRE)) {
  if (schema_ != nullptr) return;
  if (function->signature == nullptr) {
    schema_ = &schema_of_anything();
    return;
  }
  std::vector<byname_parameter> parameters;
  for (const byname_str& name : names_of(*function->details)) parameters.push_back({name, {}, 0, 0});
  schema_ = keep_schema(function, infer_schema(*function->signature, parameters, "function"));
}

std::string_view name_of(const byname_function* function) {
  if (!byname_is_own(&function->header)) return "function";
  if (function->entry != nullptr) return {function->entry->name, function->entry->name_size};
  const Schema* schema = given_schema(function);
  return schema != nullptr ? schema->name() : std::string_view("function");
}

std::string print_function(const byname_function* function) {
  std::string text(name_of(function));
  return text += byname_is_own(&function->header) ? print_signature(*SchemaOf(function)) : std::string("(...) -> ...");
}

}  // namespace byname::core
