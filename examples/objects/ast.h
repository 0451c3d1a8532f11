// The node types of a small language of sums and products. Whoever includes this, plugin or program, means the same
// types.
#ifndef AST_H_
#define AST_H_

#include <byname/byname.h>

namespace ast {

struct ExprNode : byname::Derive<ExprNode, byname::Object, "ast.Expr"> {};
using Expr = byname::Ref<ExprNode>;

struct NumberNode : byname::Derive<NumberNode, ExprNode, "ast.Number"> {
  explicit NumberNode(double value) : value(value) {}
  double value;
};

struct BinaryNode : byname::Derive<BinaryNode, ExprNode, "ast.Binary"> {
  BinaryNode(Expr a, Expr b) : a(std::move(a)), b(std::move(b)) {}
  Expr a, b;
};

struct AddNode : byname::Derive<AddNode, BinaryNode, "ast.Add"> {
  using Derive::Derive;
};

struct MulNode : byname::Derive<MulNode, BinaryNode, "ast.Mul"> {
  using Derive::Derive;
};

}  // namespace ast

#endif  // AST_H_
