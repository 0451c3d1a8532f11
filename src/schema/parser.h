// Recursive descent over a schema's text. Use parse_schema of schema.h.
#ifndef BYNAME_SCHEMA_PARSER_H_
#define BYNAME_SCHEMA_PARSER_H_

#include <string>
#include <string_view>

#include "schema/alias.h"
#include "schema/draft.h"
#include "schema/lexer.h"

namespace byname::core {

struct Constant;

// Reads one declaration into a draft, which then shows parts of the text: it must outlive the draft.
class Parser {
 public:
  Parser(std::string_view text, SchemaDraft& draft);
  void parse(NameForm form);

 private:
  // A type and how many levels it has.
  struct Parsed {
    const byname_type* type;
    int depth;
  };

  // parser.cc: names, arguments, returns
  void parse_name(NameForm form);
  std::string_view parse_dotted(const Token& first, std::string_view* base);
  void parse_overload();
  void parse_arguments();
  void parse_argument(bool keyword_only);
  void parse_ellipsis_of_arguments();
  void parse_returns();
  void parse_return();

  // parse_type.cc
  const byname_type* parse_outer_type();
  Parsed parse_type(int level);
  Parsed parse_core(int level);
  Parsed parse_elements(uint8_t kind, size_t least, size_t most, int level);
  const byname_type* parse_size(const Parsed& element);
  Parsed parse_base();
  Parsed parse_key(const Token& first);
  Parsed wrap(uint8_t kind, const Parsed& element, int32_t fixed_size, size_t position);
  void parse_alias(Parsed& parsed);
  const byname_alias* parse_alias_sets();
  AliasSets parse_alias_set();
  void check_depth(int depth, size_t position) const;
  void check_key_type(const byname_type& key, size_t position) const;

  // parse_default.cc
  void parse_default(Argument& argument);
  void parse_list(const byname_type& type, const Argument& argument, byname_any* out);
  void parse_constant(const byname_type& type, Constant& constant);
  void parse_number(Constant& constant);
  void parse_named_constant(const byname_type& type, Constant& constant);
  double parse_float_token(bool* is_imaginary);
  void parse_integer(std::string_view digits, bool is_negative, Constant& constant);

  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::kIdentifier) && token_.text == word; }
  // Passes the token if it is one of that kind.
  bool pass(TokenKind kind);
  Token advance();
  Token expect(TokenKind kind, std::string_view what);
  std::string describe_token() const;
  [[noreturn]] void fail_expected(std::string_view what) const;
  [[noreturn]] void fail(size_t position, std::string_view what) const;

  Lexer lexer_;
  Token token_;
  SchemaDraft& draft_;
};

}  // namespace byname::core

#endif  // BYNAME_SCHEMA_PARSER_H_
