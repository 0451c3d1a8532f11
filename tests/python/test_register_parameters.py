"""The parameters of a Python function that is registered: defaults, what has no schema, schemas that were given."""

import enum
import functools
import inspect
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest

import byname


class Color(enum.Enum):
    RED = 1


MARK = object()
NAN = float("nan")
NUMBER = np.float64(1)


def numbers(a: int = True, b: float = 2, c: float = -float("inf"), d: complex = 1 - 2j, e: float = NAN, f=1j):
    return a, b, c, d, e, f


def texts(a="ünï", b: str = 'a "q" \\ \n', c: bytes = b'\x00\xff"', d=b"x"):
    return a, b, c, d


def lists(a: list[int] = [], b: list[float] = [1, 2.5], c: list[bool] | None = [True]):  # noqa: B006
    return a, b, c


def members(a: int | str = 3, b: int | str | None = "x", c: Literal["fast", "slow"] = "fast", d: Literal[1, None] = 1):
    return a, b, c, d


WRITTEN = [
    (
        numbers,
        "(int a=1, float b=2.0, float c=-inf, complex d=1.0-2.0j, float e=nan, complex f=1.0j)",
        "(1, 2.0, -inf, (1-2j), nan, 1j)",
    ),
    (
        texts,
        '(str a="ünï", str b="a \\"q\\" \\\\ \\n", bytes c="\\x00\\xff\\"", bytes d="x")',
        repr(texts()),
    ),
    (lists, "(int[] a=[], float[] b=[1.0, 2.5], bool[]? c=[True])", "([], [1.0, 2.5], [True])"),
    (members, '(Union(int, str) a=3, Union(int, str)? b="x", str c="fast", int? d=1)', repr(members())),
]


@pytest.mark.parametrize(("function", "schema", "result"), WRITTEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_default_is_written_where_a_schema_can(new_name, function, schema, result):
    name = new_name()
    byname.register(name, function)
    registered = byname.get(name)
    assert registered.schema == f"{name}{schema} -> Any"
    assert repr(registered()) == result


LEFT = [
    (lambda a={}: repr(a), 1),
    (lambda a=(1, 2): repr(a), "x"),
    (lambda a=MARK: repr(a), "x"),
    (lambda a=10**30: repr(a), "x"),
    (lambda a="\udc80": repr(a), "x"),
    (lambda a=[]: repr(a), [1]),
    (lambda a=Color.RED: repr(a), Color.RED),
    (lambda a=NUMBER: repr(a), 2.5),
]


@pytest.mark.parametrize(("function", "other"), LEFT)
def test_another_default_stays_the_functions_own(new_name, function, other):
    name = new_name()
    byname.register(name, function)
    registered = byname.get(name)
    assert registered.schema == f"{name}(Any? a=None) -> Any"
    assert registered() == registered(None) == registered(a=None) == function()
    assert registered(a=other) == repr(other)


def test_types_keywords_and_what_is_keyword_only_stay_beside_such_defaults(new_name):
    name = new_name()

    @byname.register(name)
    def function(
        a: int,
        b: tuple[int, int] = (1, 2),
        c: Sequence[int] = (),
        d: object = 3,
        *,
        e: dict[str, int] = {},  # noqa: B006
        f: int = 10**30,
        g: str,
        h: int = 4,
    ) -> object:
        return a, b, c, d, e, str(f), g, h

    registered = byname.get(name)
    assert registered.schema == (
        f"{name}(int a, (int, int)? b=None, int[]? c=None, Any? d=None, *, "
        "Dict(str, int)? e=None, int? f=None, str g, int h=4) -> Any"
    )
    assert registered(0, g="g") == (0, (1, 2), (), 3, {}, str(10**30), "g", 4)
    assert registered(0, c=[5], g="g", e={"x": 1}, h=6) == (0, (1, 2), [5], 3, {"x": 1}, str(10**30), "g", 6)
    with pytest.raises(TypeError) as error:
        registered("0", g=1, e={"x": "y"}, k=2)
    assert str(error.value) == (
        f"{name}(): unexpected keyword 'k'; argument 'a' (position 1) expects int, got str; "
        "keyword argument 'e' expects Dict(str, int)?, got dict (item 'x' is str); "
        "keyword argument 'g' expects str, got int"
    )


def test_a_default_of_none_makes_the_type_optional(new_name):
    name = new_name()

    @byname.register(name)
    def function(a: int = None, b: int | None = None, c=None, *, d: list[str] = None, e: None = None):  # noqa: RUF013
        return a, b, c, d, e

    registered = byname.get(name)
    assert registered.schema == f"{name}(int? a=None, int? b=None, Any? c=None, *, str[]? d=None, None e=None) -> Any"
    assert registered() == (None,) * 5
    assert registered(1, d=["x"]) == (1, None, None, ["x"], None)
    with pytest.raises(TypeError) as error:
        registered("1")
    assert str(error.value) == f"{name}(): argument 'a' (position 1) expects int?, got str"


def test_what_follows_the_parameters_is_taken_by_position(new_name):
    name = new_name()

    @byname.register(name)
    def function(a: int, *rest) -> int:
        return a + sum(rest)

    registered = byname.get(name)
    assert registered.schema == f"{name}(int a, ...) -> int"
    assert registered(1) == registered(a=1) == 1
    assert registered(1, 2, 3) == 6
    with pytest.raises(TypeError) as error:
        registered("1", 2)
    assert str(error.value) == f"{name}(): argument 'a' (position 1) expects int, got str"


def test_a_wrapped_function_has_the_parameters_of_the_one_inside(new_name):
    def inside(a: int, b: list[int] = []) -> int:  # noqa: B006
        return a + sum(b)

    @functools.wraps(inside)
    def wrapper(*arguments, **keywords):
        return inside(*arguments, **keywords)

    name = new_name()
    byname.register(name, wrapper)
    assert byname.get(name).schema == f"{name}(int a, int[] b=[]) -> int"
    assert byname.get(name)(1, b=[2]) == 3


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda a, **options: 1, "parameter '**options'"),
        (lambda *a, k=None, **options: 1, "keyword-only parameter 'k' behind '*a'"),
        (lambda *a, k: 1, "keyword-only parameter 'k' behind '*a'"),
        (lambda a, b=1, *c: 1, "default of parameter 'b' before '*c'"),
        (lambda größe: 1, "parameter name 'größe'"),
        (functools.partial(lambda *a, k: 1), "keyword-only parameter 'k' behind '*a'"),
    ],
)
def test_what_no_schema_can_write_is_refused(new_name, function, what):
    name = new_name()
    with pytest.raises(ValueError, match="cannot register") as error:
        byname.register(name, function)
    code = getattr(function, "__code__", None)
    site = f" ({__file__}:{code.co_firstlineno})" if code else ""
    assert str(error.value) == (
        f"cannot register '{name}'{site}: no schema can write the {what} (pass schema=, as schema='(...) -> ...')"
    )
    assert name not in byname.names()
    byname.register(name, function, schema="(...) -> ...")
    assert byname.get(name).schema == f"{name}(...) -> ..."


@pytest.mark.parametrize(
    ("function", "schema", "reason"),
    [
        (lambda a: 1, "(int x, int y) -> int", "too many positional arguments"),
        (lambda a, b, c: 1, "(int x, int y) -> int", "missing a required argument: 'c'"),
        (lambda a, *, b: 1, "(int a) -> int", "missing a required argument: 'b'"),
        (lambda a, b: 1, "(int b, *, int a) -> int", "multiple values for argument 'a'"),
        (lambda a, *, k: 1, "(int k, int a) -> int", "keyword-only parameter 'k' must come last"),
        (lambda *a, k: 1, "(*, int k, ...) -> int", "keyword-only parameter 'k' must come last"),
    ],
)
def test_a_schema_of_which_the_function_takes_no_call_is_refused(new_name, function, schema, reason):
    name = new_name()
    with pytest.raises(ValueError, match="cannot register") as error:
        byname.register(name, function, schema=schema)
    line = function.__code__.co_firstlineno
    assert str(error.value) == (
        f"cannot register '{name}' ({__file__}:{line}): the function takes no call of the schema '{schema}': {reason}"
    )
    assert name not in byname.names()


def test_a_schema_that_was_given_decides_what_goes_by_keyword(new_name):
    for function, schema, arguments, keywords, result in (
        (lambda a, *, k=1: (a, k), "(int a) -> Any", (2,), {}, (2, 1)),
        (lambda a, *, k=1: (a, k), "(int a, int k) -> Any", (2, 3), {}, (2, 3)),
        (lambda a, b: (a, b), "(int x, *, int y) -> Any", (2,), {"y": 3}, (2, 3)),
        (lambda a, b=0, c=0: (a, b, c), "(int a, *, int c) -> Any", (2,), {"c": 3}, (2, 0, 3)),
        (lambda a, **k: (a, k), "(int a, *, int b=5, int c) -> Any", (2,), {"c": 3}, (2, {"b": 5, "c": 3})),
        (lambda *a: a, "(int x, *, int y=3) -> Any", (2,), {}, (2, 3)),
        (max, "(int x, int y) -> int", (2, 3), {}, 3),
    ):
        name = new_name()
        byname.register(name, function, schema=schema)
        assert byname.get(name)(*arguments, **keywords) == result


def test_a_schema_of_another_name_is_refused(new_name):
    name = new_name()
    with pytest.raises(ValueError, match="another name") as error:
        byname.register(name, len, schema="other.name(Any x) -> int")
    assert str(error.value) == f"cannot register '{name}': the schema 'other.name(Any x) -> int' is of another name"
    byname.register(name, len, schema=f" {name} (Any x) -> int")
    assert byname.get(name)([1]) == 1
    assert inspect.signature(byname.get(name)).return_annotation is int
