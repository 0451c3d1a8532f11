// Making objects from configurations.
#include <algorithm>
#include <cctype>
#include <optional>

#include "byname/protect.h"
#include "function/binding.h"
#include "function/call.h"
#include "registry/attach.h"
#include "registry/factory.h"
#include "value/convert.h"
#include "value/error.h"
#include "value/print.h"
#include "value/value.h"

namespace byname::core {
namespace {

// Whether a name stands for itself behind a dot.
bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; }) &&
         !name.empty();
}

// "$.layers[2]['a.b']", whose steps are appended and taken back.
class Path {
 public:
  explicit Path(std::string& text) : text_(text), size_(text.size()) {}
  Path(std::string& text, std::string_view member) : Path(text) {
    if (is_plain(member)) {
      text_.append(".").append(member);
    } else {
      text_ += '[';
      append_quoted(text_, member);
      text_ += ']';
    }
  }
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
  bool create(const byname_factory& factory, const byname_any& config, byname_any* out) {
    if (++depth_ > kMaxDepth) {
      note("nested more than " + std::to_string(kMaxDepth) + " deep");
      return false;
    }
    bool is_made = create_inside(factory, config, out);
    --depth_;
    return is_made;
  }
  [[noreturn]] void raise(const byname_factory& factory) {
    std::string text = "cannot make an object of " + quoted(factory) + ": ";
    if (num_problems_ > 1) text += std::to_string(num_problems_) + " problems";
    for (const std::string& problem : problems_) text += (problems_.size() > 1 ? "\n  " : "") + problem;
    if (num_problems_ > problems_.size())
      text += "\n  and " + std::to_string(num_problems_ - problems_.size()) + " more";
    throw Error(make_error("ValueError", text, cause_ ? cause_->object() : nullptr));
  }

 private:
  static constexpr int kMaxDepth = 200;
  static constexpr size_t kMaxProblems = 50;  // that are told

  bool create_inside(const byname_factory& factory, const byname_any& config, byname_any* out) {
    if (config.type_index != BYNAME_MAP) {
      note("expected a configuration with 'type', got " + std::string(type_name(config)));
      return false;
    }
    FunctionRef creator = creator_of(factory, *config.as_object);
    if (!creator) return false;
    return create_by(creator.get(), config.as_object, out);
  }
  void note(std::string_view what) {
    ++num_problems_;
    if (!is_full()) problems_.push_back(path_ + ": " + std::string(what));
  }
  bool is_full() const { return problems_.size() >= kMaxProblems; }
  void note_raised() {
    Error error(byname_error_take());
    // What ends more than this object is no problem of the configuration.
    if (!error.is("Exception") || error.is("MemoryError")) throw Error(error);
    std::string text(error.message());
    // What says no more than that an argument is no good.
    const bool is_usual = error.kind() == "ValueError" || error.kind() == "TypeError";
    if (text.empty() || !is_usual) text = std::string(error.kind()) + (text.empty() ? "" : ": ") + text;
    note(text);
    if (!cause_) cause_ = error;
  }

  FunctionRef creator_of(const byname_factory& factory, const byname_object& config) {
    OwnedAny key;
    detail::check(byname_string_new({"type", 4}, &key.value));
    const byname_any* type = byname_map_get(&config, &key.value);
    byname_str text{};
    if (type == nullptr || !byname_any_text(type, &text)) {
      note(type == nullptr ? "'type' is missing (one of " + known_types(factory) + ")"
                           : "'type' is to be text, got " + std::string(type_name(*type)));
      return {};
    }
    if (FunctionRef found = function_in(find_creator(factory, detail::from_c(text)))) return found;
    note(is_full() ? std::string() : unknown_type(factory, detail::from_c(text)));
    return {};
  }
  static FunctionRef function_in(const byname_entry* entry) {
    if (entry == nullptr) return {};
    detail::Protected protector(entry);
    if (protector.cell() == nullptr) return {};
    byname_object_retain(&protector.cell()->header);
    return FunctionRef(protector.cell());
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
    if (&type != &declared && value.type_index == BYNAME_NONE) return Made::kNothing;
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
  // What is neither an object of the type nor a configuration is told here, where its place is known.
  Made make_object(const byname_any& value, const byname_type& type, byname_any* out) {
    if (type.key.size == 0) return Made::kNothing;
    const byname_type_info* info = byname_type_find(type.key);
    FactoryName name = info == nullptr ? FactoryName() : factory_of(info->type_index);
    if (name.prefix.empty()) return Made::kNothing;
    if (value.type_index != BYNAME_MAP) {
      if (value.type_index >= BYNAME_OBJECT) return Made::kNothing;
      note("expected " + std::string(detail::from_c(type.key)) + " or a configuration of one, got " +
           std::string(type_name(value)));
      return Made::kNotAll;
    }
    byname_factory factory = {detail::to_c(name.prefix), detail::to_c(name.variant)};
    return create(factory, value, out) ? Made::kAll : Made::kNotAll;
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
  size_t num_problems_ = 0;
  std::optional<Error> cause_;  // the first that was raised
};

}  // namespace

void create(const byname_factory& factory, const byname_any& config, byname_any* out) {
  attach_waiting();
  OwnedAny kept;  // a creator may drop what its caller has
  if (copy_value(config, &kept.value) != 0) detail::throw_raised();
  Creation creation;
  if (!creation.create(factory, kept.value, out)) creation.raise(factory);
}

}  // namespace byname::core
