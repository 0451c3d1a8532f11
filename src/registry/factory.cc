#include "registry/factory.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/fork.h"
#include "base/near.h"
#include "byname/protect.h"
#include "function/binding.h"
#include "function/call.h"
#include "registry/attach.h"
#include "registry/registry.h"
#include "value/convert.h"
#include "value/value.h"

namespace byname::core {
namespace {

struct Declared {
  Factory factory;
  const byname_module* module;
};
struct Factories {
  std::mutex mutex;  // guards by_type
  std::map<int32_t, Declared> by_type;
};
Factories& factories() {
  static Factories* instance = [] {
    auto* made = new Factories();
    unlock_in_children(made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool is_made = (factories(), true);

std::string key_of(int32_t type_index) { return std::string(detail::from_c(byname_type_get(type_index)->key)); }

// "$.layers[2]", whose steps are appended and taken back.
class Path {
 public:
  explicit Path(std::string& text) : text_(text), size_(text.size()) {}
  Path(std::string& text, std::string_view member) : Path(text) { text_.append(".").append(member); }
  Path(std::string& text, int64_t index) : Path(text) { text_.append("[").append(std::to_string(index)).append("]"); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  ~Path() { text_.resize(size_); }

 private:
  std::string& text_;
  size_t size_;
};

// Of products in a value.
enum class Made { kNothing, kAll, kNotAll };

// The keywords of one product, and which of them could not be made.
struct Keywords {
  std::vector<byname_str> names;
  std::vector<OwnedAny> owned;  // nested products, by the order of the names that have one
  std::vector<byname_any> values;
  std::vector<bool> failed;
  bool is_whole = true;
};

class Creation {
 public:
  // Makes what the map says into *out; or notes what is wrong and returns false.
  bool create(std::string_view prefix, const byname_any& config, byname_any* out) {
    if (++depth_ > kMaxDepth) {
      note("nested more than " + std::to_string(kMaxDepth) + " deep");
      return false;
    }
    bool is_made = create_inside(prefix, config, out);
    --depth_;
    return is_made;
  }
  [[noreturn]] void raise(std::string_view prefix) {
    std::string text = "cannot make an object of '" + std::string(prefix) + "': ";
    if (problems_.size() > 1) text += std::to_string(problems_.size()) + " problems";
    for (const std::string& problem : problems_) text += (problems_.size() > 1 ? "\n  " : "") + problem;
    throw Error("ValueError", text);
  }

 private:
  static constexpr int kMaxDepth = 200;

  bool create_inside(std::string_view prefix, const byname_any& config, byname_any* out) {
    if (config.type_index != BYNAME_MAP) {
      note("expected a configuration with 'type', got " + std::string(type_name(config)));
      return false;
    }
    FunctionRef creator = creator_of(prefix, *config.as_object);
    if (!creator) return false;
    return create_by(creator.get(), config.as_object, out);
  }
  void note(std::string_view what) { problems_.push_back(path_ + ": " + std::string(what)); }
  void note_raised() {
    Error error(byname_error_take());
    note(error.message());
  }

  FunctionRef creator_of(std::string_view prefix, const byname_object& config) {
    OwnedAny key;
    detail::check(byname_string_new({"type", 4}, &key.value));
    const byname_any* type = byname_map_get(&config, &key.value);
    byname_str text{};
    if (type == nullptr || !byname_any_text(type, &text)) {
      note(type == nullptr ? "'type' is missing (one of " + known(prefix) + ")"
                           : "'type' is to be text, got " + std::string(type_name(*type)));
      return {};
    }
    std::string name(prefix);
    bool is_overload = detail::from_c(text).find('.') != std::string_view::npos;
    name.append(is_overload ? "::" : ".").append(detail::from_c(text));
    if (FunctionRef found = function_at(name)) return found;
    note("unknown type '" + std::string(detail::from_c(text)) + "'" + near(prefix, detail::from_c(text)));
    return {};
  }
  static FunctionRef function_at(const std::string& name) {
    const byname_entry* entry = byname_find_attached(detail::to_c(name));
    if (entry == nullptr) return {};
    detail::Protected protector(entry);
    if (protector.cell() == nullptr) return {};
    byname_object_retain(&protector.cell()->header);
    return FunctionRef(protector.cell());
  }
  static std::vector<std::string> types_below(std::string_view prefix) {
    std::vector<std::string> types;
    std::string below = std::string(prefix) + ".";
    Registry::instance().table().for_each([&](const Entry* entry) {
      if (entry->cell() == nullptr || !entry->name().starts_with(below)) return;
      std::string_view rest = entry->name().substr(below.size());
      if (rest.find('.') == std::string_view::npos) types.emplace_back(rest);
    });
    std::ranges::sort(types);
    return types;
  }
  static std::string known(std::string_view prefix) {
    std::string text;
    for (const std::string& type : types_below(prefix)) text += (text.empty() ? "" : ", ") + type;
    return text.empty() ? "none: nothing is registered under '" + std::string(prefix) + ".'" : text;
  }
  static std::string near(std::string_view prefix, std::string_view type) {
    std::string hint = near_hint(type, types_below(prefix));
    return hint.empty() ? " (known: " + known(prefix) + ")" : hint;
  }

  bool create_by(byname_function* creator, const byname_object* config, byname_any* out) {
    SchemaOf schema(creator);
    Keywords keywords = keywords_of(creator, *schema, config);
    if (keywords.is_whole) {
      auto count = static_cast<int32_t>(keywords.values.size());
      if (call_named(creator, keywords.values.data(), count, keywords.names.data(), count, out) == 0) return true;
      note_raised();
      return false;
    }
    note_others(creator, *schema, keywords);
    return false;
  }

  Keywords keywords_of(const byname_function* creator, const Schema& schema, const byname_object* config) {
    Keywords keywords;
    keywords.owned = std::vector<OwnedAny>(byname_map_size(config));
    const byname_any* key = nullptr;
    const byname_any* value = nullptr;
    size_t used = 0;
    for (size_t cursor = 0; byname_map_next(config, &cursor, &key, &value) != 0;) {
      byname_str name{};
      if (!byname_any_text(key, &name)) {
        note("expected names of arguments as text, got " + std::string(type_name(*key)));
        keywords.is_whole = false;
        continue;
      }
      if (detail::from_c(name) == "type") continue;
      Path step(path_, detail::from_c(name));
      OwnedAny& made = keywords.owned[used++];
      const byname_type* type = type_of(creator, schema, detail::from_c(name));
      Made done = type == nullptr ? Made::kNothing : make(*value, *type, &made.value);
      keywords.names.push_back(name);
      keywords.values.push_back(done == Made::kAll ? made.value : *value);
      keywords.failed.push_back(done == Made::kNotAll);
      keywords.is_whole = keywords.is_whole && done != Made::kNotAll;
    }
    return keywords;
  }
  static const byname_type* type_of(const byname_function* creator, const Schema& schema, std::string_view name) {
    auto arguments = schema.arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name == name) return parameter_type(creator, &schema, i);
    }
    return nullptr;
  }

  // What is wrong with the arguments beside those that could not be made.
  void note_others(const byname_function* creator, const Schema& schema, const Keywords& keywords) {
    Bound bound;
    Problems problems(creator);
    bind(schema, {{}, keywords.values, keywords.names}, bound, problems);
    auto arguments = schema.arguments();
    for (size_t i = 0; i < keywords.names.size(); ++i) {
      if (!keywords.failed[i]) continue;
      auto place = std::ranges::find(arguments, detail::from_c(keywords.names[i]), &Argument::name);
      if (place != arguments.end()) bound.given &= ~(uint64_t{1} << (place - arguments.begin()));
    }
    check_types(creator, schema, bound, nullptr, problems);
    if (problems.empty()) return;
    problems.raise();
    note_raised();
  }

  // Makes the products in a value that is to be a `type`; if all could be made, *out is the value with them.
  Made make(const byname_any& value, const byname_type& declared, byname_any* out) {
    const byname_type& type = strip_optional(declared);
    switch (type.kind) {
      case BYNAME_KIND_OBJECT:
        return make_object(value, type, out);
      case BYNAME_KIND_LIST:
        return value.type_index == BYNAME_ARRAY ? make_list(value, *type.elements[0], out) : Made::kNothing;
      case BYNAME_KIND_DICT:
        return value.type_index == BYNAME_MAP ? make_dict(value, *type.elements[1], out) : Made::kNothing;
      default:
        return Made::kNothing;
    }
  }
  Made make_object(const byname_any& value, const byname_type& type, byname_any* out) {
    if (value.type_index != BYNAME_MAP || type.key.size == 0) return Made::kNothing;
    const byname_type_info* info = byname_type_find(type.key);
    std::string prefix = info == nullptr ? std::string() : factory_of(info->type_index);
    if (prefix.empty()) return Made::kNothing;
    return create(prefix, value, out) ? Made::kAll : Made::kNotAll;
  }
  Made make_list(const byname_any& value, const byname_type& element, byname_any* out) {
    const auto* array = object_as<byname_array>(value);
    std::vector<OwnedAny> made(static_cast<size_t>(array->size));
    std::vector<byname_any> items(array->data, array->data + array->size);
    Made whole = Made::kNothing;
    for (size_t i = 0; i < items.size(); ++i) {
      Path step(path_, static_cast<int64_t>(i));
      Made done = make(items[i], element, &made[i].value);
      whole = std::max(whole, done);
      if (done == Made::kAll) items[i] = made[i].value;
    }
    if (whole == Made::kAll) detail::check(byname_array_new(items.data(), items.size(), out));
    return whole;
  }
  Made make_dict(const byname_any& value, const byname_type& element, byname_any* out) {
    Made whole = Made::kNothing;
    OwnedAny map;
    detail::check(byname_map_new(byname_map_size(value.as_object), &map.value));
    const byname_any* key = nullptr;
    const byname_any* item = nullptr;
    for (size_t cursor = 0; byname_map_next(value.as_object, &cursor, &key, &item) != 0;) {
      byname_str name{};
      Path step(path_, byname_any_text(key, &name) != 0 ? detail::from_c(name) : std::string_view("?"));
      OwnedAny made;
      Made done = make(*item, element, &made.value);
      whole = std::max(whole, done);
      detail::check(byname_map_put(map.value.as_object, key, done == Made::kAll ? &made.value : item));
    }
    if (whole == Made::kAll) *out = map.take();
    return whole;
  }

  std::string path_ = "$";
  int depth_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace

void check_factory(const Factory& factory, const byname_module* module, const byname_module* replaced) {
  std::lock_guard lock(factories().mutex);
  auto there = factories().by_type.find(factory.type_index);
  if (there == factories().by_type.end() || there->second.module == module) return;
  if (replaced != nullptr && there->second.module == replaced) return;
  const Factory& other = there->second.factory;
  throw Error("ValueError", "type '" + key_of(factory.type_index) + "' has a factory already: '" + other.prefix +
                                "' at " + other.file + ":" + std::to_string(other.line) + ", declared again at " +
                                factory.file + ":" + std::to_string(factory.line));
}

void add_factories(const std::vector<Factory>& declared, const byname_module* module) {
  std::lock_guard lock(factories().mutex);
  for (const Factory& factory : declared) factories().by_type[factory.type_index] = {factory, module};
}

void remove_factories(const byname_module* module) {
  std::lock_guard lock(factories().mutex);
  std::erase_if(factories().by_type, [module](const auto& one) { return one.second.module == module; });
}

std::string factory_of(int32_t type_index) {
  std::lock_guard lock(factories().mutex);
  auto there = factories().by_type.find(type_index);
  return there == factories().by_type.end() ? std::string() : there->second.factory.prefix;
}

void create(std::string_view prefix, const byname_any& config, byname_any* out) {
  attach_waiting();
  Creation creation;
  if (!creation.create(prefix, config, out)) creation.raise(prefix);
}

}  // namespace byname::core
