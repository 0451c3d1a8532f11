"""Loads the plugin that is named on the command line and calls what it registered."""

import inspect
import sys

import byname

math = byname.load(sys.argv[1]).math
print(f"{math.add.name}{inspect.signature(math.add)}: {math.add.__doc__}")
print(math.add(1, 2), math.add(1), math.add(1, b=10), sep=", ")

try:
    math.add(1, "2")
except TypeError as error:
    print(f"TypeError: {error}")
