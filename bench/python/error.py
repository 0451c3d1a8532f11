"""Errors that reach Python: an argument of a wrong type, and an exception thrown in C++."""

from .harness import Row, Side

CAUGHT = "try:\n    f('x')\nexcept TypeError:\n    pass"
RAISED = "try:\n    raise TypeError('f() expects int, got str')\nexcept TypeError:\n    pass"
THROWN = "try:\n    f(1)\nexcept RuntimeError:\n    pass"


def raises(kind, function, argument):
    try:
        function(argument)
    except kind:
        return True
    return False


ROWS = [
    Row(
        "py.error.argument",
        lambda module: Side(RAISED),
        lambda module: Side(CAUGHT, {"f": module.throw}),
        lambda module: module.is_floor or raises(TypeError, module.throw, "x"),
    ),
    Row(
        "py.error.thrown",
        lambda module: Side(THROWN, {"f": module.throw}),
        lambda module: Side(THROWN, {"f": module.throw}),
        lambda module: raises(RuntimeError, module.throw, 1),
    ),
]
