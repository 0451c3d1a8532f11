// A plugin that registers the types of ast.h and functions over them.
#include "ast.h"

#include <sstream>

namespace {

using namespace byname::literals;
using namespace ast;

double evaluate(const Expr& expr) {
  if (const auto* number = expr.as<NumberNode>()) return number->value;
  if (const auto* add = expr.as<AddNode>()) return evaluate(add->a) + evaluate(add->b);
  const auto mul = expr.to<MulNode>();  // throws for what is none of these
  return evaluate(mul->a) * evaluate(mul->b);
}

void print_to(std::ostream& stream, const Expr& expr) {
  if (const auto* number = expr.as<NumberNode>()) {
    stream << number->value;
  } else {
    const auto binary = expr.to<BinaryNode>();
    stream << "(";
    print_to(stream, binary->a);
    stream << (expr.is_instance<AddNode>() ? " + " : " * ");
    print_to(stream, binary->b);
    stream << ")";
  }
}

std::string print(const Expr& expr) {
  std::ostringstream stream;
  print_to(stream, expr);
  return stream.str();
}

bool is_number(const Expr& expr, double value) {
  const auto* number = expr.as<NumberNode>();
  return number != nullptr && number->value == value;
}

// x + 0 and x * 1 are x.
Expr simplify(const Expr& expr) {
  const auto* binary = expr.as<BinaryNode>();
  if (binary == nullptr) return expr;
  Expr a = simplify(binary->a);
  Expr b = simplify(binary->b);
  bool is_add = expr.is_instance<AddNode>();
  if (is_number(b, is_add ? 0 : 1)) return a;
  if (a == binary->a && b == binary->b) return expr;
  if (is_add) return byname::make<AddNode>(a, b);
  return byname::make<MulNode>(a, b);
}

BYNAME_LIBRARY("ast", lib) {
  lib.type<ExprNode>("An expression.");
  lib.type<NumberNode>("A number.").init<double>({"value"_a});
  lib.type<BinaryNode>("An operator and what it is applied to.");
  lib.type<AddNode>("a + b").init<Expr, Expr>({"a"_a, "b"_a});
  lib.type<MulNode>("a * b").init<Expr, Expr>({"a"_a, "b"_a});
  lib.def("evaluate", evaluate, {"expr"_a}, "The value of an expression.");
  lib.def("print", print, {"expr"_a}, "An expression as text.");
  lib.def("simplify", simplify, {"expr"_a}, "The expression without the operators that change nothing.");
}

}  // namespace
