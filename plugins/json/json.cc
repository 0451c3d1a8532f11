// JSON by name: text to values and back, with nlohmann-json.
#include <byname/byname.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

namespace {
using namespace byname::literals;
using byname::Any, byname::AnyView, byname::Array, byname::Map, byname::String;
using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 1000;  // of what is printed: the printer recurses

// What the library says, without "[json.exception.parse_error.101] ".
std::string words_of(const std::exception& error) {
  std::string text = error.what();
  size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

// Builds values as the parser goes through the text.
class Reader : public nlohmann::json_sax<Json> {
 public:
  Any take() { return std::move(root_); }

  bool null() override { return put(Any()); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(int64_t value) override { return put(value); }
  bool number_unsigned(uint64_t value) override {
    if (value > INT64_MAX) throw_beyond(std::to_string(value));
    return put(static_cast<int64_t>(value));
  }
  // Also of integers that the parser has no type for.
  bool number_float(double value, const std::string& text) override {
    if (text.find_first_of(".eE") == std::string::npos) throw_beyond(text);
    return put(value);
  }
  bool string(std::string& value) override { return put(String(value)); }
  bool binary(Json::binary_t&) override { return false; }  // no text has it
  bool start_object(size_t) override { return start(Map<String, Any>()); }
  bool key(std::string& key) override {
    levels_.back().key = String(key);
    return true;
  }
  bool end_object() override {
    return end([](Level& level) { return Any(std::move(std::get<0>(level.content))); });
  }
  bool start_array(size_t) override { return start(Array<Any>()); }
  bool end_array() override {
    return end([](Level& level) { return Any(std::move(std::get<1>(level.content))); });
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    throw std::invalid_argument(words_of(error));
  }

 private:
  [[noreturn]] static void throw_beyond(const std::string& number) {
    throw std::overflow_error("the number " + number + " is beyond int64");
  }
  struct Level {
    std::variant<Map<String, Any>, Array<Any>> content;
    String key;  // of what comes next in a map
  };
  bool put(Any value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else if (auto* map = std::get_if<0>(&levels_.back().content)) {
      map->set(levels_.back().key, value);
    } else {
      std::get<1>(levels_.back().content).push_back(std::move(value));
    }
    return true;
  }
  template <class Container>
  bool start(Container container) {
    levels_.push_back({std::move(container), String()});
    return true;
  }
  template <class Take>
  bool end(Take take) {
    Any done = take(levels_.back());
    levels_.pop_back();
    return put(std::move(done));
  }
  std::vector<Level> levels_;
  Any root_;
};

Any parse(std::string_view text, bool comments) {
  Reader reader;
  Json::sax_parse(text, &reader, Json::input_format_t::json, true, comments);
  return reader.take();
}

Any read_file(const std::filesystem::path& path, bool comments) {
  errno = 0;
  std::ostringstream text;
  std::ifstream file(path, std::ios::binary);
  if (!(text << file.rdbuf()) && errno != 0) {  // an empty file fails, too
    throw std::system_error(errno, std::generic_category(), "cannot read '" + path.string() + "'");
  }
  try {
    return parse(text.view(), comments);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path.string() + ": " + error.what());
  }
}

Json json_of(AnyView value, int depth) {
  if (depth > kMaxDepth) throw std::invalid_argument("nested more than " + std::to_string(kMaxDepth) + " deep");
  if (value.is<bool>()) return value.to<bool>();
  if (value.is<int64_t>()) return value.to<int64_t>();
  if (value.is<std::string_view>()) return std::string(value.to<std::string_view>());
  switch (value.raw().type_index) {
    case BYNAME_NONE:
      return nullptr;
    case BYNAME_FLOAT:
      if (std::isfinite(value.to<double>())) return value.to<double>();
      throw std::invalid_argument("JSON has no " + value.print());
    case BYNAME_ARRAY:
    case BYNAME_TUPLE: {
      const auto* array = reinterpret_cast<const byname_array*>(value.raw().as_object);
      Json list = Json::array();
      for (int64_t i = 0; i < array->size; ++i) list.push_back(json_of(array->data[i], depth + 1));
      return list;
    }
    case BYNAME_MAP: {
      Json object = Json::object();
      const byname_any *key, *item;
      for (size_t cursor = 0; byname_map_next(value.raw().as_object, &cursor, &key, &item) != 0;) {
        if (!AnyView(*key).is<std::string_view>()) {
          throw std::invalid_argument("JSON has text as keys, got " + AnyView(*key).print());
        }
        auto& members = object.get_ref<Json::object_t&>();  // adding by key would search it each time
        members.emplace_back(std::string(AnyView(*key).to<std::string_view>()), json_of(*item, depth + 1));
      }
      return object;
    }
    default:
      throw std::invalid_argument("JSON has nothing for " + value.print());
  }
}

std::string print(AnyView value, int64_t indent) {
  Json json = json_of(value, 0);
  try {
    return json.dump(indent < 0 ? -1 : static_cast<int>(std::min<int64_t>(indent, 100)));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(words_of(error));
  }
}
}  // namespace

BYNAME_LIBRARY("json", lib) {
  const byname::Arg comments = "comments"_a = false;
  lib.def("parse", parse, {"text"_a, comments},
          "The value of a JSON text: maps, lists, text, numbers, booleans, None. With comments, // and /* */ are left "
          "out.\n\n"
          "Raises ValueError that tells the line and column, OverflowError for an integer beyond int64.");
  lib.def("read", read_file, {"path"_a, comments}, "The same of a file. Raises OSError, too.", byname::blocking);
  lib.def("print", print, {"value"_a, "indent"_a = -1},
          "The JSON text of a value; with an indent of 0 or more, on several lines.\n\n"
          "Raises ValueError for what JSON has no word for.");
}
