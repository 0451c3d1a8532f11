"""C++ calls a Python function of one int."""

from .harness import Row, Side


def echo(i):
    return i


def side(module):
    return Side(batch=lambda count: module.call_many(echo, count))


ROWS = [Row("py.callback", side, side, lambda module: module.call_many(echo, 10) == 45)]
