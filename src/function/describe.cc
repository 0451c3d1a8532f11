#include "function/describe.h"

#include <vector>

#include "byname/convert.h"
#include "function/overload.h"
#include "schema/type.h"

namespace byname::core {
namespace {

// A Map under construction; owns it until released.
class MapBuilder {
 public:
  MapBuilder() { detail::check(byname_map_new(8, &map_)); }
  MapBuilder(const MapBuilder&) = delete;
  MapBuilder& operator=(const MapBuilder&) = delete;
  ~MapBuilder() { byname_any_drop(&map_); }

  void put(std::string_view key, const byname_any& value) {
    detail::OwnedSide name;
    detail::check(byname_string_new(detail::to_c(key), &name.value));
    detail::check(byname_map_put(map_.as_object, &name.value, &value));
  }
  void put_text(std::string_view key, std::string_view text) {
    detail::OwnedSide value;
    detail::check(byname_string_new(detail::to_c(text), &value.value));
    put(key, value.value);
  }
  byname_any release() { return std::exchange(map_, byname_any{}); }

 private:
  byname_any map_{};
};

class ListBuilder {
 public:
  ListBuilder() = default;
  ListBuilder(const ListBuilder&) = delete;
  ListBuilder& operator=(const ListBuilder&) = delete;
  ~ListBuilder() {
    for (byname_any& item : items_) byname_any_drop(&item);
  }
  void push(byname_any owned) { items_.push_back(owned); }
  void push_text(std::string_view text) {
    byname_any value{};
    detail::check(byname_string_new(detail::to_c(text), &value));
    items_.push_back(value);
  }
  void put_into(MapBuilder& map, std::string_view key) {
    detail::OwnedSide list;
    detail::check(byname_array_new(items_.data(), items_.size(), &list.value));
    map.put(key, list.value);
  }

 private:
  std::vector<byname_any> items_;
};

byname_any boolean(bool value) { return {BYNAME_BOOL, 0, {value ? 1 : 0}}; }

void put_parameters(MapBuilder& map, const byname_function* function) {
  SchemaOf schema(function);
  ListBuilder parameters;
  for (const Argument& argument : schema->arguments()) {
    MapBuilder parameter;
    parameter.put_text("name", argument.name);
    parameter.put_text("type", print_type(*argument.type));
    parameter.put("keyword_only", boolean(argument.keyword_only));
    if (argument.has_default) parameter.put("default", argument.default_value);
    parameters.push(parameter.release());
  }
  parameters.put_into(map, "parameters");
  map.put("variadic", boolean(schema->is_vararg()));
}

}  // namespace

std::string doc_of(const byname_function* function) {
  std::string text(detail::from_c(function->details->doc));
  if ((function->flags & BYNAME_OVERLOADS) == 0) return text;
  for (const FunctionRef& overload : overloads_of(function)) {
    text.append(text.empty() ? "" : "\n\n").append(print_function(overload.get()));
    std::string own = doc_of(overload.get());
    if (!own.empty()) text.append("\n").append(own);
  }
  return text;
}

byname_any describe(const byname_function* function, std::string_view module) {
  const byname_details& details = *function->details;
  const bool is_set = (function->flags & BYNAME_OVERLOADS) != 0;
  MapBuilder map;
  map.put_text("name", name_of(function));
  map.put_text("kind", is_set ? "overloads" : (function->flags & BYNAME_ALIAS) != 0 ? "alias" : "function");
  map.put_text("schema", print_function(function));
  map.put_text("doc", doc_of(function));
  map.put_text("module", module);
  map.put_text("file", details.file == nullptr ? "" : details.file);
  map.put("line", {BYNAME_INT, 0, {details.line}});
  ListBuilder flags;
  if ((function->flags & BYNAME_BLOCKING) != 0) flags.push_text("blocking");
  flags.put_into(map, "flags");
  ListBuilder overloads;
  if (is_set) {
    for (const FunctionRef& overload : overloads_of(function)) overloads.push_text(print_function(overload.get()));
  }
  overloads.put_into(map, "overloads");
  put_parameters(map, function);
  return map.release();
}

}  // namespace byname::core
