// Builds expressions, has a plugin work on them, and takes apart what comes back.
#include <iostream>

#include "ast.h"

using namespace ast;
using byname::make;

int main(int, char** argv) {
  byname::load(argv[1]);
  auto print = byname::get<std::string(Expr)>("ast.print");

  // Made here or by name: the same types.
  Expr seven = make<AddNode>(make<NumberNode>(3), make<NumberNode>(4));
  auto product = byname::get("ast.Mul")(seven, make<NumberNode>(1)).to<Expr>();
  std::cout << print(product) << " = " << byname::get("ast.evaluate")(product) << "\n";

  auto simple = byname::get("ast.simplify")(product).to<Expr>();
  std::cout << "simplified: " << print(simple) << ", " << (simple == seven ? "the very same" : "another")
            << " object\n";

  // as gives a pointer or nullptr; to and downcast a reference or an error.
  std::cout << simple->type_key() << " is a Binary: " << simple.is_instance<BinaryNode>()
            << ", a Mul: " << simple.is_instance<MulNode>() << "\n";
  if (const auto* add = byname::as<AddNode>(simple)) std::cout << "its first operand is " << print(add->a) << "\n";
  try {
    byname::downcast<MulNode>(simple);
  } catch (const byname::Error& error) {
    std::cout << error.kind() << ": " << error.what() << "\n";
  }
  try {
    byname::get("ast.evaluate")(make<ExprNode>());
  } catch (const byname::Error& error) {
    std::cout << error.kind() << ": " << error.what() << "\n";
  }
}
