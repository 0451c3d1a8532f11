#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "base/near.h"
#include "schema/alias.h"
#include "schema/diagnostic.h"
#include "schema/parser.h"
#include "schema/type.h"

namespace byname::core {

namespace {

// Of `int[n]`: a default of one element becomes n of them.
constexpr int32_t kMaxListSize = 65536;
constexpr size_t kMaxAliasNames = 64;
constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

// What other languages call types that are called otherwise here.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"double", "float"},    {"string", "str"},   {"long", "int"},   {"size_t", "uint64"},
    {"boolean", "bool"},    {"void", "()"},      {"List", "T[]"},   {"list", "T[]"},
    {"dict", "Dict(K, V)"}, {"tuple", "(A, B)"}, {"Optional", "T?"}};

std::string type_hint(std::string_view wanted) {
  for (const auto& [word, meant] : kOtherWords) {
    if (wanted == word) return " (did you mean '" + std::string(meant) + "'?)";
  }
  NearNames near(wanted);
  for (const NamedType& named : named_types()) near.consider(named.name);
  for (std::string_view word : {"Dict", "Union", "Future"}) near.consider(word);
  std::string hint = near.hint();
  return hint.empty() ? " (an object type is named by its dotted key)" : hint;
}

}  // namespace

const byname_type* Parser::parse_outer_type() {
  Parsed parsed = parse_type(1);
  if (!at(TokenKind::kLeftBracket)) return parsed.type;
  return parse_size(parsed);
}

// type = core { "[" "]" [alias] | "?" }; stops before the "[" of a size.
Parser::Parsed Parser::parse_type(int level) {
  Parsed parsed = parse_core(level);
  for (;;) {
    size_t position = token_.position;
    if (pass(TokenKind::kQuestion)) {
      parsed = wrap(BYNAME_KIND_OPTIONAL, parsed, -1, position);
      if (at(TokenKind::kLeftParen) || at(TokenKind::kBang)) fail(token_.position, "an alias may not follow '?'");
      continue;
    }
    if (!at(TokenKind::kLeftBracket)) return parsed;
    Lexer before = lexer_;
    advance();
    if (at(TokenKind::kNumber)) {
      if (level > 1) fail(position, "only the outermost list may have a size");
      lexer_ = before;
      token_ = {TokenKind::kLeftBracket, position, {}};
      return parsed;
    }
    expect(TokenKind::kRightBracket, "']' or a size");
    parsed = wrap(BYNAME_KIND_LIST, parsed, -1, position);
    parse_alias(parsed);
  }
}

// sized = "[" NUM "]" [alias] ["?"]
const byname_type* Parser::parse_size(const Parsed& element) {
  size_t position = advance().position;
  Token number = expect(TokenKind::kNumber, "a size");
  int32_t size = 0;
  const char* end = number.text.data() + number.text.size();
  auto [stop, error] = std::from_chars(number.text.data(), end, size);
  if (stop != end || error != std::errc() || size > kMaxListSize) {
    fail(number.position,
         "the size of a list is a whole number up to " + std::to_string(kMaxListSize) + ", got " + quoted(number.text));
  }
  expect(TokenKind::kRightBracket, "']'");
  Parsed parsed = wrap(BYNAME_KIND_LIST, element, size, position);
  parse_alias(parsed);
  position = token_.position;
  if (pass(TokenKind::kQuestion)) parsed = wrap(BYNAME_KIND_OPTIONAL, parsed, -1, position);
  if (at(TokenKind::kLeftBracket)) fail(token_.position, "only the outermost list may have a size");
  return parsed.type;
}

Parser::Parsed Parser::parse_core(int level) {
  check_depth(level, token_.position);
  if (at(TokenKind::kLeftParen)) return parse_elements(BYNAME_KIND_TUPLE, 0, kAnyNumber, level);
  if (at_word("Future")) {
    advance();
    return parse_elements(BYNAME_KIND_FUTURE, 1, 1, level);
  }
  bool is_dict = at_word("Dict");
  if (!is_dict && !at_word("Union")) return parse_base();
  advance();
  Parsed parsed =
      is_dict ? parse_elements(BYNAME_KIND_DICT, 2, 2, level) : parse_elements(BYNAME_KIND_UNION, 1, kAnyNumber, level);
  parse_alias(parsed);
  return parsed;
}

// "(" [type {"," type}] ")"
Parser::Parsed Parser::parse_elements(uint8_t kind, size_t least, size_t most, int level) {
  size_t position = token_.position;
  expect(TokenKind::kLeftParen, "'('");
  std::pmr::vector<const byname_type*> elements(&draft_.memory);
  int depth = 0;
  if (!at(TokenKind::kRightParen)) {
    do {
      size_t element_position = token_.position;
      Parsed element = parse_type(level + 1);
      depth = std::max(depth, element.depth);
      if (kind == BYNAME_KIND_DICT && elements.empty()) check_key_type(*element.type, element_position);
      elements.push_back(element.type);
    } while (pass(TokenKind::kComma));
  }
  expect(TokenKind::kRightParen, "',' or ')'");
  size_t wanted = elements.size() < least ? least : most;
  if (elements.size() < least || elements.size() > most) {
    std::string_view word = kind == BYNAME_KIND_DICT ? "Dict" : kind == BYNAME_KIND_UNION ? "Union" : "Future";
    fail(position, std::string(word) + " expects " + (least == most ? "" : "at least ") + std::to_string(wanted) +
                       (wanted == 1 ? " type, got " : " types, got ") + std::to_string(elements.size()));
  }
  check_depth(depth + 1, position);
  const byname_type** copies = draft_.make<const byname_type*>(elements.size());
  std::ranges::copy(elements, copies);
  auto* type = draft_.make<byname_type>();
  *type = compound_type(kind, {copies, elements.size()});
  return {type, depth + 1};
}

Parser::Parsed Parser::parse_base() {
  Token word = expect(TokenKind::kIdentifier, "a type");
  if (at(TokenKind::kDot)) return parse_key(word);
  Parsed parsed{find_named_type(word.text), 1};
  if (parsed.type == nullptr) fail(word.position, "unknown type " + quoted(word.text) + type_hint(word.text));
  parse_alias(parsed);
  return parsed;
}

Parser::Parsed Parser::parse_key(const Token& first) {
  std::string_view last;
  std::string_view key = parse_dotted(first, &last);
  auto* type = draft_.make<byname_type>();
  *type = leaf_type(BYNAME_KIND_OBJECT);
  type->key = {key.data(), key.size()};
  Parsed parsed{type, 1};
  parse_alias(parsed);
  return parsed;
}

Parser::Parsed Parser::wrap(uint8_t kind, const Parsed& element, int32_t fixed_size, size_t position) {
  check_depth(element.depth + 1, position);
  const byname_type** elements = draft_.make<const byname_type*>();
  *elements = element.type;
  auto* type = draft_.make<byname_type>();
  *type = compound_type(kind, {elements, 1}, fixed_size);
  return {type, element.depth + 1};
}

// alias = "!" | "(" set ["!"] ["->" set] ")"
void Parser::parse_alias(Parsed& parsed) {
  const byname_alias* alias = nullptr;
  if (at(TokenKind::kLeftParen)) {
    alias = parse_alias_sets();
  } else if (pass(TokenKind::kBang)) {
    alias = new (draft_.make<byname_alias>()) byname_alias{{}, {}, true};
  } else {
    return;
  }
  auto* type = draft_.make<byname_type>();
  *type = *parsed.type;
  type->alias = alias;
  parsed.type = type;
}

const byname_alias* Parser::parse_alias_sets() {
  advance();
  AliasSets before = parse_alias_set();
  bool is_write = pass(TokenKind::kBang);
  AliasSets after = before;
  if (pass(TokenKind::kArrow)) after = parse_alias_set();
  expect(TokenKind::kRightParen, "')' after an alias");
  return new (draft_.make<byname_alias>()) byname_alias{before, after, is_write};
}

// set = ("*" | ID) {"|" ID}
AliasSets Parser::parse_alias_set() {
  AliasSets sets;
  std::pmr::vector<std::string_view> names(&draft_.memory);
  sets.is_wildcard = pass(TokenKind::kStar);
  if (!sets.is_wildcard) names.push_back(expect(TokenKind::kIdentifier, "an alias name or '*'").text);
  while (pass(TokenKind::kBar)) {
    if (names.size() == kMaxAliasNames) {
      fail(token_.position, "too many alias names: at most " + std::to_string(kMaxAliasNames));
    }
    names.push_back(expect(TokenKind::kIdentifier, "an alias name").text);
  }
  auto* copies = draft_.make<std::string_view>(names.size());
  std::ranges::copy(names, copies);
  sets.names = {copies, names.size()};
  return sets;
}

void Parser::check_depth(int depth, size_t position) const {
  if (depth <= kMaxTypeDepth) return;
  fail(position, "the type is nested too deeply: at most " + std::to_string(kMaxTypeDepth) + " levels");
}

void Parser::check_key_type(const byname_type& key, size_t position) const {
  if (!is_hashable_type(key))
    fail(position, "the key of a Dict may not be " + quoted(print_type(key)) + ", which has no hash");
}

}  // namespace byname::core
