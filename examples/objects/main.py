"""Builds expressions by name and has the plugin work on them. Objects of C++ are opaque here and stay what they are."""

import sys

import byname

ast = byname.load(sys.argv[1]).ast

seven = ast.Add(ast.Number(3), ast.Number(4))
product = ast.Mul(seven, ast.Number(1))
print(ast.print(product), "=", ast.evaluate(product))

simple = ast.simplify(product)
print("simplified:", ast.print(simple) + ",", "the very same object" if simple is seven else "another object")
print(simple.type_key)

try:
    ast.Add(seven, "4")
except TypeError as error:
    print(f"TypeError: {error}")
