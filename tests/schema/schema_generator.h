// Random schemas, each as canonical text and in another layout.
#ifndef BYNAME_TESTS_SCHEMA_SCHEMA_GENERATOR_H_
#define BYNAME_TESTS_SCHEMA_SCHEMA_GENERATOR_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace byname::core {

// Writes schemas by the grammar, not by the printer: what it says of the canonical text is a second opinion.
class SchemaGenerator {
 public:
  explicit SchemaGenerator(uint64_t seed) : random_(seed) {}

  struct Texts {
    std::string canonical;
    std::string other;  // other blanks, comments, line breaks and spellings, the same schema
  };

  Texts next() {
    texts_ = {};
    brackets_ = 0;
    name();
    if (chance(30)) return texts_;
    token("(");
    arguments();
    token(")");
    space("");
    token("->");
    space("");
    returns();
    return texts_;
  }

  size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random_); }
  // One time in `times`.
  bool chance(size_t times) { return below(times) == 0; }

 private:
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  // Adds a token; the other layout may have blanks before it.
  void token(std::string_view text) { token(text, text); }
  void token(std::string_view canonical, std::string_view other) {
    if (chance(6)) blanks();
    texts_.canonical += canonical;
    texts_.other += other;
    if (canonical == "(" || canonical == "[") ++brackets_;
    if (canonical == ")" || canonical == "]") --brackets_;
  }
  // A space in the canonical text.
  void space(std::string_view other = " ") {
    texts_.canonical += ' ';
    texts_.other += other;
  }
  void blanks() {
    for (size_t i = below(3); i > 0; --i) {
      texts_.other += brackets_ > 0 ? one_of<std::string_view>({" ", "\t", "\n", "\r\n", "# a (comment \n", "  "})
                                    : one_of<std::string_view>({" ", "\t", "  "});
    }
  }
  void separator(bool& is_first) {
    if (!is_first) {
      token(",");
      space("");
    }
    is_first = false;
  }

  std::string identifier() {
    std::string text(1, one_of({'a', 'b', 'x', '_', 'T'}));
    for (size_t i = below(6); i > 0; --i) text += one_of({'a', 'n', '_', '0', '9', 'Z'});
    // `as` and the like; overloads may not begin with two underscores.
    return "v" + text;
  }

  void name() {
    if (chance(3)) {
      token(identifier());
      for (size_t i = below(3); i > 0; --i) {
        token(".");
        token(identifier());
      }
      token("::");
    }
    token(identifier());
    if (chance(3)) {
      token(".");
      token(identifier());
    }
  }

  void arguments() {
    bool is_first = true;
    bool is_keyword = false;
    bool is_vararg = chance(8);
    bool had_default = false;
    size_t count = below(7);
    for (size_t i = 0; i < count; ++i) {
      separator(is_first);
      if (!is_keyword && chance(5)) {
        is_keyword = true;
        token("*");
        token(",");
        space("");
      }
      bool needs_default = had_default && !is_keyword;
      std::string_view default_kind = outer_type(needs_default);
      space();
      token("n" + std::to_string(i) + identifier());
      if (default_kind.empty() || is_vararg || !(needs_default || chance(2))) {
        is_vararg = is_vararg && !needs_default;
        continue;
      }
      token("=");
      constant_or_list(default_kind);
      had_default = had_default || !is_keyword;
    }
    if (!is_vararg || had_default_anywhere()) return;
    separator(is_first);
    token("...");
  }

  bool had_default_anywhere() const { return texts_.canonical.find('=') != std::string::npos; }

  void returns() {
    size_t count = below(4);
    bool is_varret = chance(8);
    bool is_named = chance(2);
    bool needs_brackets = count + (is_varret ? 1 : 0) != 1;
    if (needs_brackets) token("(");
    bool is_first = true;
    for (size_t i = 0; i < count; ++i) {
      separator(is_first);
      // A type that begins with a bracket would be read as several returns.
      if (!needs_brackets && chance(4)) {
        token("(");
        tuple(3);
        token(")");
        return;
      }
      if (needs_brackets || count != 1) {
        outer_type(false);
      } else {
        simple_type();
      }
      if (is_named) {
        space();
        token("r" + std::to_string(i));
      }
    }
    if (is_varret) {
      separator(is_first);
      token("...");
    }
    if (needs_brackets) token(")");
  }

  // Returns which constants a default of the type may be, see constant_or_list; empty if it has none.
  std::string_view outer_type(bool needs_default) {
    if (needs_default || chance(2)) return type_with_default();
    type(4);
    if (chance(8)) size_suffix();
    return "";
  }

  void size_suffix() {
    token("[");
    token(std::to_string(below(5)));
    token("]");
    alias();
    if (chance(3)) token("?");
  }

  std::string_view type_with_default() {
    std::string_view word =
        one_of<std::string_view>({"int",          "int8",   "uint64",    "float",  "float32", "bool",       "complex",
                                  "str",          "bytes",  "Scalar",    "SymInt", "Device",  "ScalarType", "Layout",
                                  "MemoryFormat", "Tensor", "Generator", "Shape",  "Any",     "ast.Add"});
    bool takes_list = word == "int" || word == "int8" || word == "uint64" || word == "SymInt" || word == "float" ||
                      word == "float32" || word == "bool" || word == "complex";
    token(word);
    alias();
    if (word == "Any" || word == "ast.Add") {
      token("?");
      return "None";
    }
    if (takes_list && chance(2)) {
      token("[");
      if (chance(2)) token(std::to_string(below(4)));
      token("]");
      alias();
      if (chance(3)) token("?");
      list_word_ = std::string(word) + "[]";
      return list_word_;
    }
    if (chance(4)) {
      token("?");
      if (chance(2)) return "None";
    }
    return word;
  }

  void type(int depth) {
    size_t choice = depth == 0 ? 9 : below(14);
    switch (choice) {
      case 0:
        tuple(depth);
        break;
      case 1:
        elements("Future", 1, depth);
        break;
      case 2:
        token("Dict");
        token("(");
        token(one_of<std::string_view>({"str", "int", "Tensor", "Any", "ast.Key"}));
        token(",");
        space("");
        type(depth - 1);
        token(")");
        alias();
        break;
      case 3:
        elements("Union", 1 + below(3), depth);
        alias();
        break;
      default:
        simple_type();
    }
    while (chance(4)) {
      if (chance(2)) {
        token("?");
      } else {
        token("[");
        token("]");
        alias();
      }
    }
  }

  void simple_type() {
    using Spelling = std::pair<std::string_view, std::string_view>;
    Spelling word = one_of<Spelling>({{"int", "int64"},
                                      {"float", "float64"},
                                      {"Tensor", "Tensor"},
                                      {"str", "str"},
                                      {"uint16", "uint16"},
                                      {"int32", "int32"},
                                      {"None", "None"},
                                      {"Any", "Any"},
                                      {"Function", "Function"},
                                      {"Object", "Object"},
                                      {"Chain", "Chain"},
                                      {"ast.Add", "ast . Add"},
                                      {"a.b.c", "a.b . c"},
                                      {"Pointer", "Pointer"}});
    token(word.first, chance(3) ? word.second : word.first);
    alias();
  }

  void elements(std::string_view word, size_t count, int depth) {
    token(word);
    token("(");
    bool is_first = true;
    for (size_t i = 0; i < count; ++i) {
      separator(is_first);
      type(depth - 1);
    }
    token(")");
  }

  void tuple(int depth) { elements("", below(4), depth); }

  void alias() {
    if (!chance(6)) return;
    if (chance(4)) {
      token("!");
      return;
    }
    token("(");
    alias_set("a");
    if (chance(2)) token("!");
    if (chance(4)) {
      space("");
      token("->");
      space("");
      alias_set("b");  // another set: an equal one would not be printed
    }
    token(")");
  }

  void alias_set(std::string_view first) {
    token(chance(5) && first == "b" ? "*" : first);
    for (size_t i = 0; chance(4) && i < 3; ++i) {
      token("|");
      token("s" + std::to_string(i));
    }
  }

  void constant_or_list(std::string_view kind) {
    if (!kind.ends_with("[]")) {
      constant(kind);
      return;
    }
    token("[");
    bool is_first = true;
    for (size_t i = below(4); i > 0; --i) {
      separator(is_first);
      constant(kind.substr(0, kind.size() - 2));
    }
    token("]");
  }

  void constant(std::string_view kind) {
    if (kind == "Scalar") kind = one_of<std::string_view>({"int", "float", "bool", "complex"});
    if (kind == "int" || kind == "SymInt") {
      signed_number(std::to_string(below(2) == 0 ? below(100) : random_() >> 1));
    } else if (kind == "int8") {
      signed_number(std::to_string(below(128)));
    } else if (kind == "uint64") {
      token(std::to_string(random_()));
    } else if (kind == "float" || kind == "float32") {
      using Spelling = std::pair<std::string_view, std::string_view>;
      auto [canonical, other] = one_of<Spelling>({{"1.0", "1."},
                                                  {"0.5", ".5"},
                                                  {"100000.0", "1E5"},
                                                  {"1e-05", "0.00001"},
                                                  {"1e+16", "1e16"},
                                                  {"inf", "inf"},
                                                  {"nan", "nan"},
                                                  {"3.25", "325e-2"}});
      if (canonical != "nan" && chance(3)) token("-");
      token(canonical, chance(2) ? other : canonical);
    } else if (kind == "bool") {
      token(one_of<std::string_view>({"True", "False"}));
    } else if (kind == "complex") {
      using Spelling = std::pair<std::string_view, std::string_view>;
      auto [canonical, other] = one_of<Spelling>({{"2.0j", "2j"},
                                                  {"-0.5j", "-.5j"},
                                                  {"1.0+0.0j", "1+0j"},
                                                  {"-1.5-infj", "- 1.5 - infj"},
                                                  {"inf+nanj", "inf +nanj"}});
      token(canonical, other);
    } else if (kind == "str" || kind == "bytes") {
      using Spelling = std::pair<std::string_view, std::string_view>;
      auto [canonical, other] = one_of<Spelling>({{R"("")", "''"},
                                                  {R"("a b")", R"('\x61 b')"},
                                                  {R"("\x00")", R"("\0")"},
                                                  {R"("\"'\\")", R"('"\'\\')"},
                                                  {R"("\n\t(")", R"("\x0a\x09(")"},
                                                  {R"("a longer text # 1")", R"('a longer text # 1')"}});
      token(canonical, other);
    } else if (kind == "Device") {
      token(one_of<std::string_view>({"\"cpu\"", "\"cuda:1\""}));
    } else if (kind == "ScalarType") {
      using Spelling = std::pair<std::string_view, std::string_view>;
      auto [canonical, other] = one_of<Spelling>({{"float32", "float"}, {"bfloat16", "bfloat16"}, {"int64", "long"}});
      token(canonical, other);
    } else if (kind == "Layout") {
      token("strided");
    } else if (kind == "MemoryFormat") {
      token("contiguous_format");
    } else if (kind == "Shape") {
      token("[");
      token("3");
      token("]");
    } else {
      token("None");
    }
  }

  void signed_number(const std::string& digits) {
    if (digits != "0" && chance(3)) token("-");
    token(digits);
  }

  std::mt19937_64 random_;
  Texts texts_;
  int brackets_ = 0;
  std::string list_word_;
};

}  // namespace byname::core

#endif  // BYNAME_TESTS_SCHEMA_SCHEMA_GENERATOR_H_
