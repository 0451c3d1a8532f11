#include "function/describe.h"

#include <string>
#include <vector>

#include "byname/convert.h"
#include "function/overload.h"
#include "schema/type.h"
#include "value/value.h"

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
  void put_texts(std::string_view key, const std::vector<std::string>& texts) {
    detail::OwnedSide list;
    detail::check(make_texts(texts, &list.value));
    put(key, list.value);
  }
  byname_any release() { return std::exchange(map_, byname_any{}); }

 private:
  byname_any map_{};
};

byname_any boolean(bool value) { return {BYNAME_BOOL, 0, {value ? 1 : 0}}; }

void put_parameters(MapBuilder& map, const byname_function* function) {
  SchemaOf schema(function);
  OwnedItems parameters;
  for (const Argument& argument : schema->arguments()) {
    MapBuilder parameter;
    parameter.put_text("name", argument.name);
    parameter.put_text("type", print_type(*argument.type));
    parameter.put("keyword_only", boolean(argument.keyword_only));
    if (argument.has_default) parameter.put("default", argument.default_value);
    parameters.push(parameter.release());
  }
  detail::OwnedSide list;
  detail::check(parameters.make_array(&list.value));
  map.put("parameters", list.value);
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
  std::vector<std::string> flags;
  if ((function->flags & BYNAME_BLOCKING) != 0) flags.emplace_back("blocking");
  map.put_texts("flags", flags);
  std::vector<std::string> overloads;
  if (is_set) {
    for (const FunctionRef& overload : overloads_of(function)) overloads.push_back(print_function(overload.get()));
  }
  map.put_texts("overloads", overloads);
  put_parameters(map, function);
  return map.release();
}

}  // namespace byname::core
