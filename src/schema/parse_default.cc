#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/near.h"
#include "byname/error.h"
#include "schema/default_value.h"
#include "schema/diagnostic.h"
#include "schema/parser.h"
#include "schema/type.h"

namespace byname::core {

// A constant as it is written; its value borrows from the rest.
struct Constant {
  size_t position = 0;
  OwnedValue owner;
  std::string text;
  byname_str view{};
  byname_scalar scalar{};
  byname_any& value = owner.value;
};

namespace {

byname_any float_value(double number) {
  byname_any value{BYNAME_FLOAT, 0, {0}};
  value.as_float = number;
  return value;
}

// Constants that are read by their name where a string is meant.
bool names_its_constants(const byname_type& type) {
  return type.kind == BYNAME_KIND_DTYPE || type.kind == BYNAME_KIND_LAYOUT || type.kind == BYNAME_KIND_MEMORY_FORMAT;
}

}  // namespace

void Parser::parse_default(Argument& argument) {
  const byname_type& type = without_options(*argument.type);
  argument.has_default = true;
  if (at(TokenKind::kLeftBracket)) {
    parse_list(type, argument, &argument.default_value);
    return;
  }
  Constant constant;
  parse_constant(type, constant);
  std::string reason = make_default(*argument.type, constant.value, &argument.default_value);
  if (!reason.empty()) fail(constant.position, "the default of " + quoted(argument.name) + " " + reason);
}

void Parser::parse_list(const byname_type& type, const Argument& argument, byname_any* out) {
  std::string subject = "the default of " + quoted(argument.name) + " ";
  const byname_type* element_type = list_element(type);
  if (element_type == nullptr) fail(token_.position, subject + why_no_default(type));
  advance();
  // Drops what was made so far if a later element is wrong.
  struct Elements {
    ~Elements() {
      for (byname_any& value : values) byname_any_drop(&value);
    }
    std::vector<byname_any> values;
  } elements;
  if (!at(TokenKind::kRightBracket)) {
    do {
      Constant constant;
      parse_constant(*element_type, constant);
      byname_any& element = elements.values.emplace_back();
      std::string reason = make_default(*element_type, constant.value, &element);
      if (!reason.empty()) {
        fail(constant.position, subject + "at element " + std::to_string(elements.values.size()) + " " + reason);
      }
    } while (pass(TokenKind::kComma));
  }
  expect(TokenKind::kRightBracket, "',' or ']'");
  make_list_default(type, elements.values, out);
}

void Parser::parse_constant(const byname_type& type, Constant& constant) {
  constant.position = token_.position;
  if (at(TokenKind::kString)) {
    constant.text = string_value(advance().text);
    constant.view = {constant.text.data(), constant.text.size()};
    constant.value.type_index = type.kind == BYNAME_KIND_BYTES ? BYNAME_BYTE_VIEW : BYNAME_STR_VIEW;
    constant.value.as_str = &constant.view;
  } else if (at_word("True") || at_word("False")) {
    constant.value.type_index = BYNAME_BOOL;
    constant.value.as_int = advance().text == "True" ? 1 : 0;
  } else if (at_word("None")) {
    advance();
  } else if (at(TokenKind::kNumber) || at(TokenKind::kMinus) || at_word("inf") || at_word("nan") || at_word("infj") ||
             at_word("nanj")) {
    parse_number(constant);
  } else if (at(TokenKind::kIdentifier)) {
    parse_named_constant(type, constant);
  } else {
    fail_expected("a constant");
  }
}

void Parser::parse_named_constant(const byname_type& type, Constant& constant) {
  if (!names_its_constants(type)) {
    constexpr std::string_view kConstants[] = {"True", "False", "None", "inf", "nan"};
    fail(token_.position, "unknown constant " + quoted(token_.text) + near_hint(token_.text, kConstants));
  }
  constant.text = advance().text;
  constant.view = {constant.text.data(), constant.text.size()};
  constant.value.type_index = BYNAME_STR_VIEW;
  constant.value.as_str = &constant.view;
}

// ["-"] NUM [("+" | "-") NUM "j"]
void Parser::parse_number(Constant& constant) {
  bool is_negative = pass(TokenKind::kMinus);
  double real = 0;
  double imaginary = 0;
  bool is_imaginary = false;
  if (at(TokenKind::kNumber) && token_.text.find_first_not_of("0123456789") == std::string_view::npos) {
    parse_integer(token_.text, is_negative, constant);
    if (constant.value.type_index == BYNAME_SCALAR_VIEW) {
      real = constant.scalar.approximate;
    } else {
      real = static_cast<double>(constant.value.as_int);
      if (constant.value.type_index == BYNAME_UINT) real = static_cast<double>(constant.value.as_uint);
    }
    advance();
  } else {
    real = parse_float_token(&is_imaginary);
    if (is_negative) real = -real;
    constant.value = float_value(real);
  }
  bool plus = at(TokenKind::kPlus);
  if (is_imaginary) {
    imaginary = std::exchange(real, 0);
  } else if (plus || at(TokenKind::kMinus)) {
    advance();
    size_t position = token_.position;
    imaginary = parse_float_token(&is_imaginary);
    if (!is_imaginary) fail(position, "expected an imaginary number (as in '1+2j')");
    if (!plus) imaginary = -imaginary;
    if (constant.value.type_index == BYNAME_SCALAR_VIEW && std::isinf(real)) {
      fail(constant.position, "the number " + quoted(constant.text) + " is out of range");
    }
  } else {
    return;
  }
  detail::check(byname_complex_new(real, imaginary, &constant.value));
}

double Parser::parse_float_token(bool* is_imaginary) {
  if (!at(TokenKind::kNumber) && !at(TokenKind::kIdentifier)) fail_expected("a number");
  Token token = advance();
  std::string_view text = token.text;
  *is_imaginary = text.ends_with('j');
  if (*is_imaginary) text.remove_suffix(1);
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (token.kind != TokenKind::kNumber) fail(token.position, "expected a number, got " + quoted(token.text));
  if (error != std::errc()) fail(token.position, "the number " + quoted(token.text) + " is out of range");
  return number;
}

void Parser::parse_integer(std::string_view digits, bool is_negative, Constant& constant) {
  constexpr uint64_t kLeast = uint64_t{1} << 63;
  constexpr size_t kMaxShown = 40;
  uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, magnitude);
  bool fits = error == std::errc() && (!is_negative || magnitude <= kLeast);
  if (fits) {
    bool is_wide = !is_negative && magnitude >= kLeast;
    constant.value.type_index = is_wide ? BYNAME_UINT : BYNAME_INT;
    constant.value.as_uint = is_negative ? uint64_t{0} - magnitude : magnitude;
    return;
  }
  double approximate = 0;
  if (std::from_chars(digits.data(), end, approximate).ec != std::errc()) {
    approximate = std::numeric_limits<double>::infinity();
  }
  constant.text.append(is_negative ? "-" : "").append(digits.substr(0, kMaxShown));
  if (digits.size() > kMaxShown) constant.text += "...";
  constant.scalar.approximate = is_negative ? -approximate : approximate;
  constant.scalar.text = {constant.text.data(), constant.text.size()};
  constant.value.type_index = BYNAME_SCALAR_VIEW;
  constant.value.as_scalar = &constant.scalar;
}

}  // namespace byname::core
