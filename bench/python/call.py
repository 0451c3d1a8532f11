"""Calls from Python: no argument, ints, floats, text, keywords, an array."""

import numpy

from .harness import Row, Side

ARRAY = numpy.zeros(1000, dtype=numpy.float32)


def statement(text, attribute):
    """The statement `text` about `f`, which is the module's function `attribute`."""
    return lambda module: Side(text, {"f": getattr(module, attribute), "x": ARRAY})


def row(name, text, attribute, result, floor_text=""):
    """A row whose call must give `result`, however it is written."""

    def check(module):
        scope = {"f": getattr(module, attribute), "x": ARRAY}
        return eval(text if not floor_text or module.takes_keywords else floor_text, scope) == result

    return Row(name, statement(floor_text or text, attribute), statement(text, attribute), check)


ROWS = [
    row("py.call.0", "f()", "nothing", None),
    row("py.call.int2", "f(1, 2)", "add", 3),
    row("py.call.float4", "f(1.0, 2.0, 3.0, 4.0)", "sum4", 10.0),
    row("py.call.str", "f('hello', 3)", "text", 5 + ord("h") + 3),
    row("py.call.keywords", "f(a=1, b=2)", "add_named", 3, floor_text="f(1, 2)"),
    row("py.call.numpy", "f(x)", "size", 1000),
]
