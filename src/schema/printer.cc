#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "byname/error.h"
#include "schema/default_value.h"
#include "schema/lexer.h"
#include "schema/schema.h"
#include "schema/type.h"

namespace byname::core {

namespace {

// The shortest digits that read back as the same number, laid out as Python does it: always with a dot or an exponent.
void print_float(double number, std::string& out) {
  if (std::isnan(number)) {
    out += "nan";
    return;
  }
  if (std::isinf(number)) {
    out += number < 0 ? "-inf" : "inf";
    return;
  }
  double magnitude = std::abs(number);
  bool is_plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char digits[32];
  char* end = std::to_chars(digits, std::end(digits), number,
                            is_plain ? std::chars_format::fixed : std::chars_format::scientific)
                  .ptr;
  std::string_view text(digits, static_cast<size_t>(end - digits));
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void print_complex(const byname_complex& number, std::string& out) {
  bool has_real = number.real != 0 || std::signbit(number.real);
  if (has_real) {
    print_float(number.real, out);
    if (std::isnan(number.imag) || !std::signbit(number.imag)) out += '+';
  }
  print_float(number.imag, out);
  out += 'j';
}

void print_list(const byname_type& element, const byname_any& value, std::string& out);

// Text that the core printed into a value.
std::string text_of(int status, const byname_any& value) {
  detail::check(status);
  byname_str text{};
  byname_any_text(&value, &text);
  return std::string(detail::from_c(text));
}

void print_value(const byname_type& type, const byname_any& value, std::string& out) {
  byname_str text{};
  OwnedValue printed;
  switch (value.type_index) {
    case BYNAME_NONE:
      out += "None";
      break;
    case BYNAME_BOOL:
      out += value.as_int != 0 ? "True" : "False";
      break;
    case BYNAME_INT:
      out += std::to_string(value.as_int);
      break;
    case BYNAME_UINT:
      out += std::to_string(value.as_uint);
      break;
    case BYNAME_SCALAR_VIEW:
      out += detail::from_c(value.as_scalar->text);
      break;
    case BYNAME_FLOAT:
      print_float(value.as_float, out);
      break;
    case BYNAME_COMPLEX:
      print_complex(*reinterpret_cast<const byname_complex*>(value.as_object), out);
      break;
    case BYNAME_DTYPE:
      out += text_of(byname_dtype_print(value.as_dtype, &printed.value), printed.value);
      break;
    case BYNAME_DEVICE:
      print_string(text_of(byname_device_print(value.as_device, &printed.value), printed.value), false, out);
      break;
    case BYNAME_SHAPE:
    case BYNAME_ARRAY:
      print_list(*list_element(type), value, out);
      break;
    default:
      if (byname_any_bytes(&value, &text) != 0) {
        print_string(detail::from_c(text), true, out);
      } else if (byname_any_text(&value, &text) != 0) {
        bool is_constant = type.kind == BYNAME_KIND_LAYOUT || type.kind == BYNAME_KIND_MEMORY_FORMAT;
        if (is_constant) {
          out += detail::from_c(text);
        } else {
          print_string(detail::from_c(text), false, out);
        }
      }
  }
}

void print_list(const byname_type& element, const byname_any& value, std::string& out) {
  out += '[';
  if (value.type_index == BYNAME_SHAPE) {
    const auto& shape = *reinterpret_cast<const byname_shape*>(value.as_object);
    for (size_t i = 0; i < shape.size; ++i) out.append(i > 0 ? ", " : "").append(std::to_string(shape.data[i]));
  } else {
    const auto& list = *reinterpret_cast<const byname_array*>(value.as_object);
    for (int64_t i = 0; i < list.size; ++i) {
      if (i > 0) out += ", ";
      print_value(element, list.data[i], out);
    }
  }
  out += ']';
}

void print_arguments(const Schema& schema, std::string& out) {
  out += '(';
  bool is_first = true;
  auto begin_item = [&] {
    if (!is_first) out += ", ";
    is_first = false;
  };
  bool after_star = false;
  for (const Argument& argument : schema.arguments()) {
    begin_item();
    if (argument.keyword_only && !after_star) {
      out += "*, ";
      after_star = true;
    }
    print_type(*argument.type, out);
    out.append(1, ' ').append(argument.name);
    if (argument.has_default) out.append(1, '=').append(print_default(*argument.type, argument.default_value));
  }
  if (schema.is_vararg()) {
    begin_item();
    out += "...";
  }
  out += ')';
}

void print_return(const Return& ret, std::string& out) {
  print_type(*ret.type, out);
  if (!ret.name.empty()) out.append(1, ' ').append(ret.name);
}

void print_returns(const Schema& schema, std::string& out) {
  if (schema.returns().empty() && schema.is_varret()) {
    out += "...";
    return;
  }
  std::string items;
  for (const Return& ret : schema.returns()) {
    if (!items.empty()) items += ", ";
    print_return(ret, items);
  }
  if (schema.is_varret()) items += ", ...";
  // One return stands alone, unless it begins as a list of returns would.
  bool is_alone = schema.returns().size() == 1 && !schema.is_varret() && items[0] != '(';
  out += is_alone ? items : "(" + items + ")";
}

}  // namespace

std::string print_default(const byname_type& type, const byname_any& value) {
  std::string text;
  print_value(without_options(type), value, text);
  return text;
}

std::string print_signature(const Schema& schema) {
  std::string text;
  if (schema.is_bare()) return text;
  print_arguments(schema, text);
  text += " -> ";
  print_returns(schema, text);
  return text;
}

std::string print_schema(const Schema& schema) { return std::string(schema.name()) + print_signature(schema); }

}  // namespace byname::core
