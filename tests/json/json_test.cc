// The json plugin: values of texts, texts of values, and what it refuses, in which words.
#include <byname/byname.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "../error_of.h"

namespace byname {
namespace {

class Json : public testing::Test {
 protected:
  Any parse(std::string_view text, bool comments = false) const { return get("json.parse")(text, comments); }
  std::string print(const Any& value, int64_t indent = -1) const {
    return get("json.print")(value, indent).to<std::string>();
  }
  Module module_ = load(BYNAME_TEST_PLUGIN_DIR "/../../plugins/json/libbyname_json.so");
};

TEST_F(Json, texts_become_maps_lists_text_numbers_booleans_and_none) {
  EXPECT_EQ(parse(R"({"a": [1, -2.5, "x\u00e4", true, null], "b": {}, "c": []})").print(),
            "{'a': [1, -2.5, 'xä', True, None], 'b': {}, 'c': []}");
  EXPECT_EQ(parse("3").to<int64_t>(), 3);
  EXPECT_EQ(parse("-9223372036854775808").to<int64_t>(), INT64_MIN);
  EXPECT_EQ(parse("1e3").to<double>(), 1000);
  EXPECT_EQ(parse(R"({"a": 1, "a": 2})").print(), "{'a': 2}") << "of equal keys the last one counts";
  EXPECT_EQ(parse("[1, /* two */ 2] // three", true).print(), "[1, 2]");
}

TEST_F(Json, values_become_texts) {
  std::string text = R"({"a":[1,-2.5,"xä",true,null],"b":{},"c":[]})";
  EXPECT_EQ(print(parse(text)), text);
  EXPECT_EQ(print(parse(R"({"b": 1, "a": [2]})"), 2), "{\n  \"b\": 1,\n  \"a\": [\n    2\n  ]\n}");
  EXPECT_EQ(print(Any(std::tuple<int64_t, bool>(1, true))), "[1,true]");
}

TEST_F(Json, depth_has_no_limit_in_a_text_and_one_in_a_value) {
  std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  Any value = parse(deep);
  EXPECT_EQ(error_of([&] { print(value); }), "ValueError: nested more than 1000 deep");
}

TEST_F(Json, what_is_no_json_is_told_with_its_place) {
  EXPECT_EQ(error_of([&] { parse("{\"a\": 1,\n \"b\" 2}"); }),
            "ValueError: parse error at line 2, column 6: syntax error while parsing object separator - unexpected "
            "number literal; expected ':'");
  EXPECT_EQ(error_of([&] { parse(""); }),
            "ValueError: parse error at line 1, column 1: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal");
  EXPECT_EQ(error_of([&] { parse("18446744073709551615"); }),
            "OverflowError: the number 18446744073709551615 is beyond int64");
  EXPECT_EQ(error_of([&] { parse("[-9223372036854775809]"); }),
            "OverflowError: the number -9223372036854775809 is beyond int64");
}

TEST_F(Json, what_json_has_no_word_for_is_told) {
  EXPECT_EQ(error_of([&] { print(Any(std::nan(""))); }), "ValueError: JSON has no nan");
  EXPECT_EQ(error_of([&] { print(Any(Bytes("x"))); }), "ValueError: JSON has nothing for b'x'");
  EXPECT_EQ(error_of([&] { print(Any(Map<int64_t, int64_t>{{1, 2}})); }), "ValueError: JSON has text as keys, got 1");
  EXPECT_EQ(error_of([&] { print(Any(std::string_view("\xff"))); }), "ValueError: invalid UTF-8 byte at index 0: 0xFF");
}

TEST_F(Json, files_are_read_and_told_in_errors) {
  std::string path = testing::TempDir() + "byname_json_test.json";
  std::ofstream(path) << "[1, 2";
  EXPECT_EQ(error_of([&] { get("json.read")(path); }),
            "ValueError: " + path +
                ": parse error at line 1, column 6: syntax error while parsing array - unexpected end of input; "
                "expected ']'");
  std::ofstream(path) << "[1, 2]";
  EXPECT_EQ(get("json.read")(path).print(), "[1, 2]");
  std::ofstream{path};
  EXPECT_EQ(
      error_of([&] { get("json.read")(path); }),
      "ValueError: " + path +
          ": parse error at line 1, column 1: syntax error while parsing value - unexpected end of input; expected "
          "'[', '{', or a literal");
  EXPECT_EQ(error_of([&] { get("json.read")(path + std::string(1, '\0') + ".png"); }),
            "ValueError: a path with a NUL character in it");
  std::remove(path.c_str());
  EXPECT_EQ(error_of([&] { get("json.read")(path); }),
            "OSError: [Errno 2] No such file or directory: cannot read '" + path + "'");
  EXPECT_EQ(error_of([&] { get("json.read")("/tmp"); }), "OSError: [Errno 21] Is a directory: cannot read '/tmp'");
}

}  // namespace
}  // namespace byname
