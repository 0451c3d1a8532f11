#include "schema/parser.h"

#include <algorithm>

#include "schema/diagnostic.h"
#include "schema/type.h"

namespace byname::core {

Parser::Parser(std::string_view text, SchemaDraft& draft) : lexer_(text), token_(lexer_.next()), draft_(draft) {}

void Parser::parse(NameForm form) {
  parse_name(form);
  if (at(TokenKind::kEnd)) {
    draft_.is_bare = true;
    return;
  }
  parse_arguments();
  expect(TokenKind::kArrow, "'->'");
  parse_returns();
  if (!at(TokenKind::kEnd)) fail_expected("the end");
}

void Parser::parse_name(NameForm form) {
  Token first = expect(TokenKind::kIdentifier, "a name");
  if (form == NameForm::kBlock && at(TokenKind::kDot)) {
    // Whether the dot belongs to a namespace or an overload shows behind it.
    Lexer ahead = lexer_;
    Token token = ahead.next();
    while (token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kDot) token = ahead.next();
    if (token.kind != TokenKind::kColons) {
      draft_.name.base = first.text;
      parse_overload();
      return;
    }
  }
  std::string_view base;
  std::string_view dotted = parse_dotted(first, &base);
  if (pass(TokenKind::kColons)) {
    draft_.name.space = dotted;
    draft_.name.base = expect(TokenKind::kIdentifier, "a name").text;
    parse_overload();
    if (at(TokenKind::kColons)) fail(token_.position, "a second '::' in a name");
  } else {
    draft_.name.base = base;
    if (dotted.size() > base.size()) draft_.name.space = dotted.substr(0, dotted.size() - base.size() - 1);
  }
}

// The identifier that was passed and what follows it with dots, without white space; `base` becomes the last part.
std::string_view Parser::parse_dotted(const Token& first, std::string_view* base) {
  Token last = first;
  size_t size = first.text.size();
  Lexer replay = lexer_;  // what follows the first dot
  while (pass(TokenKind::kDot)) {
    last = expect(TokenKind::kIdentifier, "a name after the dot");
    size += 1 + last.text.size();
  }
  *base = last.text;
  size_t end = last.position + last.text.size();
  if (end - first.position == size) return lexer_.text().substr(first.position, size);

  char* joined = draft_.make<char>(size);
  char* place = std::ranges::copy(first.text, joined).out;
  while (place < joined + size) {
    *place++ = '.';
    place = std::ranges::copy(replay.next().text, place).out;
    replay.next();
  }
  *base = {joined + size - last.text.size(), last.text.size()};
  return {joined, size};
}

void Parser::parse_overload() {
  if (!pass(TokenKind::kDot)) return;
  Token name = expect(TokenKind::kIdentifier, "an overload name");
  if (is_reserved_overload(name.text)) fail(name.position, "overload name " + quoted(name.text) + " is reserved");
  draft_.name.overload = name.text;
}

void Parser::parse_arguments() {
  expect(TokenKind::kLeftParen, "'('");
  if (pass(TokenKind::kRightParen)) return;
  bool keyword_only = false;
  do {
    if (at(TokenKind::kEllipsis)) {
      parse_ellipsis_of_arguments();
    } else if (at(TokenKind::kStar)) {
      if (keyword_only) fail(token_.position, "a second '*'");
      keyword_only = true;
      size_t position = advance().position;
      bool more = pass(TokenKind::kComma) && !at(TokenKind::kEllipsis);
      if (!more) fail(position, "'*' must be followed by an argument");
      parse_argument(true);
    } else {
      parse_argument(keyword_only);
    }
  } while (pass(TokenKind::kComma));
  expect(TokenKind::kRightParen, "',' or ')'");
}

void Parser::parse_ellipsis_of_arguments() {
  Token ellipsis = advance();
  draft_.is_vararg = true;
  if (at(TokenKind::kComma)) fail(ellipsis.position, "'...' must be last");
  auto with_default = std::ranges::find(draft_.arguments, true, &Argument::has_default);
  if (with_default == draft_.arguments.end()) return;
  fail(ellipsis.position,
       "no argument may have a default beside '...', but " + quoted(with_default->name) + " has one");
}

void Parser::parse_argument(bool keyword_only) {
  Argument argument{};
  argument.keyword_only = keyword_only;
  argument.type = parse_outer_type();
  Token name = expect(TokenKind::kIdentifier, "an argument name");
  argument.name = name.text;
  if (pass(TokenKind::kEquals)) parse_default(argument);
  std::string reason = draft_.append(argument);
  if (reason.empty()) return;
  byname_any_drop(&argument.default_value);
  fail(name.position, reason);
}

void Parser::parse_returns() {
  if (pass(TokenKind::kEllipsis)) {
    draft_.is_varret = true;
    return;
  }
  if (!pass(TokenKind::kLeftParen)) {
    parse_return();
    return;
  }
  if (pass(TokenKind::kRightParen)) return;
  do {
    if (at(TokenKind::kEllipsis)) {
      size_t position = advance().position;
      if (at(TokenKind::kComma)) fail(position, "'...' must be last");
      draft_.is_varret = true;
    } else {
      parse_return();
    }
  } while (pass(TokenKind::kComma));
  expect(TokenKind::kRightParen, "',' or ')'");
}

void Parser::parse_return() {
  Return ret{};
  ret.type = parse_outer_type();
  size_t position = token_.position;
  if (at(TokenKind::kIdentifier)) ret.name = advance().text;
  if (at(TokenKind::kEquals)) fail(token_.position, "a return has no default");
  std::string reason = draft_.append(ret);
  if (!reason.empty()) fail(position, reason);
}

Token Parser::advance() {
  Token passed = token_;
  token_ = lexer_.next();
  return passed;
}

bool Parser::pass(TokenKind kind) {
  if (token_.kind != kind) return false;
  token_ = lexer_.next();
  return true;
}

Token Parser::expect(TokenKind kind, std::string_view what) {
  if (token_.kind != kind) fail_expected(what);
  return advance();
}

std::string Parser::describe_token() const {
  if (at(TokenKind::kEnd)) return "the end";
  if (at(TokenKind::kLineBreak)) return "a line break";
  return quoted(token_.text);
}

void Parser::fail_expected(std::string_view what) const {
  fail(token_.position, "expected " + std::string(what) + ", got " + describe_token());
}

void Parser::fail(size_t position, std::string_view what) const { fail_at(lexer_.text(), position, what); }

Schema parse_schema(std::string_view text, NameForm form) {
  if (text.size() > kMaxText) fail_at(text, 0, "the schema is longer than " + std::to_string(kMaxText) + " bytes");
  SchemaDraft draft;
  Parser(text, draft).parse(form);
  return draft.finish();
}

}  // namespace byname::core
