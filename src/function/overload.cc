#include "function/overload.h"

#include <atomic>
#include <memory>

#include "function/call.h"
#include "schema/type.h"

namespace byname::core {
namespace {

std::atomic<MissHook> miss_hook{[](const byname_function*) { return FunctionRef(); }};

struct OverloadSet {
  std::vector<FunctionRef> functions;
  std::vector<SchemaOf> schemas;  // of each; calls infer none
};

const OverloadSet& set_of(const byname_function* function) {
  return *static_cast<const OverloadSet*>(byname_function_closure(function));
}

struct Candidate {
  byname_function* function;
  const Schema* schema;
  Bound bound;
  int ranks[kMaxParameters];  // by the call's arguments: positional, then named
};

// Ranks a function for a call; tells `problems` why not, if it does not fit.
bool rank_candidate(Candidate& candidate, const CallShape& shape, Problems& problems) {
  const Schema& schema = *candidate.schema;
  if (!bind(schema, shape, candidate.bound, problems)) return false;
  int by_parameter[kMaxParameters];
  if (!check_types(candidate.function, schema, candidate.bound, by_parameter, problems)) return false;
  size_t num_positional = shape.positional.size();
  for (size_t i = 0; i < num_positional; ++i) candidate.ranks[i] = by_parameter[i];
  for (size_t i = 0; i < shape.names.size(); ++i) {
    auto arguments = schema.arguments();
    size_t place = 0;
    while (arguments[place].name != detail::from_c(shape.names[i])) ++place;
    candidate.ranks[num_positional + i] = by_parameter[place];
  }
  return true;
}

bool fits_better(const Candidate& a, const Candidate& b, size_t num_arguments) {
  bool better = false;
  for (size_t i = 0; i < num_arguments; ++i) {
    if (a.ranks[i] > b.ranks[i]) return false;
    if (a.ranks[i] < b.ranks[i]) better = true;
  }
  return better;
}

std::string call_words(const CallShape& shape) {
  std::string text = "(";
  for (const byname_any& value : shape.positional) {
    if (text.size() > 1) text += ", ";
    text += detail::from_c(byname_any_type_name(&value));
  }
  for (size_t i = 0; i < shape.names.size(); ++i) {
    if (text.size() > 1) text += ", ";
    text.append(detail::from_c(shape.names[i]))
        .append("=")
        .append(detail::from_c(byname_any_type_name(&shape.named[i])));
  }
  return text + ")";
}

int raise_no_match(byname_function* function, const CallShape& shape) {
  std::string text(name_of(function));
  text += "(): no overload takes " + call_words(shape);
  const OverloadSet& set = set_of(function);
  for (size_t i = 0; i < set.functions.size(); ++i) {
    byname_function* overload = set.functions[i].get();
    Candidate candidate{overload, &*set.schemas[i], {}, {}};
    Problems problems(overload);
    rank_candidate(candidate, shape, problems);
    text += "\n  " + print_function(overload) + ": " + problems.text();
  }
  return byname_error_raise(detail::to_c("TypeError"), detail::to_c(text));
}

int raise_ambiguous(byname_function* function, const CallShape& shape, const Candidate& a, const Candidate& b) {
  std::string text(name_of(function));
  const bool are_variants = (a.function->flags & b.function->flags & BYNAME_VARIANT) != 0;
  text += "(): " + call_words(shape) + " fits two overloads equally well (" +
          (are_variants ? "say which, by its full name" : "convert an argument") + ")\n  " +
          print_function(a.function) + "\n  " + print_function(b.function);
  return byname_error_raise(detail::to_c("TypeError"), detail::to_c(text));
}

int call_ranked(void* self, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  CallShape shape{{arguments, static_cast<size_t>(num_arguments)}, {}, {}};
  return call_overloads(static_cast<byname_function*>(self), shape, result);
}

}  // namespace

FunctionRef make_overloads(std::vector<FunctionRef> functions, byname_class* owner) {
  OverloadSet set{std::move(functions), {}};
  set.schemas.reserve(set.functions.size());
  for (const FunctionRef& function : set.functions) set.schemas.emplace_back(function.get());
  byname_definition definition{};
  definition.closure_size = sizeof(OverloadSet);
  definition.closure_alignment = alignof(OverloadSet);
  definition.closure = &set;
  definition.closure_move = [](void* to, void* from) {
    ::new (to) OverloadSet(std::move(*static_cast<OverloadSet*>(from)));
  };
  definition.closure_destroy = [](void* closure) { static_cast<OverloadSet*>(closure)->~OverloadSet(); };
  return make_core_function({&call_ranked, &call_overloads}, BYNAME_OVERLOADS, definition, owner);
}

void set_miss_hook(MissHook hook) { miss_hook.store(hook, std::memory_order_release); }

std::span<const FunctionRef> overloads_of(const byname_function* function) { return set_of(function).functions; }

int call_overloads(byname_function* function, const CallShape& shape, byname_any* result) {
  size_t num_arguments = shape.positional.size() + shape.named.size();
  const OverloadSet& set = set_of(function);
  std::vector<Candidate> candidates;
  candidates.reserve(set.functions.size());
  for (size_t i = 0; i < set.functions.size(); ++i) {
    candidates.push_back({set.functions[i].get(), &*set.schemas[i], {}, {}});
    Problems problems(set.functions[i].get());
    if (!rank_candidate(candidates.back(), shape, problems)) candidates.pop_back();
  }
  if (candidates.empty()) {
    FunctionRef renewed = miss_hook.load(std::memory_order_acquire)(function);
    return renewed.get() == nullptr ? raise_no_match(function, shape) : call_overloads(renewed.get(), shape, result);
  }
  const Candidate* best = &candidates[0];
  for (const Candidate& candidate : candidates) {
    if (fits_better(candidate, *best, num_arguments)) best = &candidate;
  }
  for (const Candidate& candidate : candidates) {
    if (&candidate != best && !fits_better(*best, candidate, num_arguments)) {
      return raise_ambiguous(function, shape, *best, candidate);
    }
  }
  return call_in_place(best->function, best->bound, result);
}

bool is_same_parameters(const byname_function* a, const byname_function* b) {
  SchemaOf first(a);
  SchemaOf second(b);
  auto left = first->arguments();
  auto right = second->arguments();
  if (left.size() != right.size() || first->is_vararg() != second->is_vararg()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    const byname_type* left_type = parameter_type(a, &*first, i);
    const byname_type* right_type = parameter_type(b, &*second, i);
    if (!is_same_real_type(*left_type, *right_type)) return false;
    if (left[i].keyword_only != right[i].keyword_only) return false;
    if (left[i].keyword_only && left[i].name != right[i].name) return false;
  }
  return true;
}

}  // namespace byname::core
