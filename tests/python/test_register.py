"""Python functions under names of their own."""

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import pytest
from conftest import run_python

import byname


def test_registering_returns_the_function(new_name):
    name = new_name()

    @byname.register(name)
    def function(a, b=2):
        """The documentation."""
        return a, b

    assert function(1) == (1, 2)
    registered = byname.get(name)
    assert registered(1) == (1, 2)
    assert registered(a=1, b=3) == (1, 3)
    assert registered.__doc__ == "The documentation."
    described = registered.describe()
    assert described["file"] == __file__
    assert described["line"] == inspect.getsourcelines(function)[1]
    other = new_name()
    assert byname.register(other, function, doc="Other words.") is function
    assert byname.get(other).__doc__ == "Other words."


SIGNATURES = [
    (lambda: 1, "() -> Any"),
    (lambda a, b: 1, "(Any a, Any b) -> Any"),
    (lambda a=1, b=2.5, c="x", d=True: 1, '(Scalar a=1, Scalar b=2.5, str c="x", bool d=True) -> Any'),
    (lambda a, *, b=3: 1, "(Any a, *, Scalar b=3) -> Any"),
    (lambda *a: 1, "(...) -> Any"),
    (lambda a, *b: 1, "(Any a, ...) -> Any"),
    (lambda a, b=None: 1, "(Any a, Any? b=None) -> Any"),
]


@pytest.mark.parametrize(("function", "schema"), SIGNATURES, ids=lambda value: str(value)[:30])
def test_a_schema_is_made_of_names_and_defaults(new_name, function, schema):
    name = new_name()
    byname.register(name, function)
    assert byname.get(name).schema == name + schema


def annotated(
    a: int,
    b: float,
    c: str,
    d: bytes,
    e: bool,
    f: complex,
    g: list[int],
    h: dict[str, float],
    i: tuple[int, str],
    j: Optional[int],  # noqa: UP045
    k: str | None,
    m: Union[int, str],  # noqa: UP007
    n: Any,
    o: np.ndarray,
    p: byname.Tensor,
    q: Callable[[int], int],
    r: Sequence[list[int]],
    s: Mapping[str, int],
    t: "int",
    u: object,
    v: "no such name",  # noqa: F722
    w: int = 3,
    x: str | None = None,
    y: float = -1.5,
    z: str = 'a "quoted" word',
) -> list[str]:
    return []


def test_a_schema_is_made_of_annotations(new_name):
    name = new_name()
    byname.register(name, annotated)
    expected = (
        "(int a, float b, str c, bytes d, bool e, complex f, int[] g, Dict(str, float) h, (int, str) i, int? j, "
        "str? k, Union(int, str) m, Any n, Tensor o, Tensor p, Function q, int[][] r, Dict(str, int) s, int t, Any u, "
        'Any v, int w=3, str? x=None, float y=-1.5, str z="a \\"quoted\\" word") -> str[]'
    )
    assert byname.get(name).schema == name + expected


def test_annotations_are_checked_before_the_call(new_name):
    name = new_name()
    byname.register(name, lambda a: a, schema="(int8 a) -> int")
    function = byname.get(name)
    assert function(3) == 3
    with pytest.raises(OverflowError):
        function(300)
    with pytest.raises(TypeError) as error:
        function("x")
    assert str(error.value) == f"{name}(): argument 'a' (position 1) expects int8, got str"


# Fault: a default is computed once
def test_defaults_are_computed_once_at_definition(new_name):
    name = new_name()
    made = []

    def default():
        made.append(object())
        return made[-1]

    def function(a, b=default()):  # noqa: B008
        return b

    byname.register(name, function)
    assert byname.get(name)(0) is byname.get(name)(0) is function(0)
    assert len(made) == 1


def test_schemas_are_given_with_or_without_the_name(new_name):
    name = new_name()
    byname.register(name, lambda a, b: (a, b), schema="(int a, int b=7) -> (int, int)")
    assert byname.get(name)(1) == (1, 7)
    other = new_name()
    byname.register(other, lambda *, b: b, schema=f"{other}(*, int b=7) -> int")
    assert byname.get(other)() == 7
    assert byname.get(other)(b=8) == 8


def test_a_bad_schema_registers_nothing(new_name):
    name = new_name()
    with pytest.raises(ValueError, match="cannot register") as error:
        byname.register(name, lambda a: a, schema="(int a, -> int")
    line = inspect.currentframe().f_lineno - 1
    column = len(f"{name}(int a, ") + 1
    assert str(error.value) == (
        f"cannot register '{name}' ({__file__}:{line}): 1:{column}: expected a type, got '->'\n"
        f"{name}(int a, -> int\n{' ' * (column - 1)}^"
    )
    assert name not in byname.names()


# Fault: the same definition twice
def test_a_name_that_is_taken_is_refused_with_both_places(new_name):
    name = new_name()

    def first():
        return 1

    def second():
        return 2

    byname.register(name, first)
    hint = "(replace=True removes the old one first)"
    for function in (first, second):
        with pytest.raises(ValueError, match="is registered twice") as error:
            byname.register(name, function)
        sites = [f"at {__file__}:{inspect.getsourcelines(site)[1]}" for site in (first, function)]
        assert str(error.value) == f"'{name}' is registered twice: {' and '.join(sites)} {hint}"
    assert byname.get(name)() == 1


def test_a_function_takes_the_place_of_another_if_asked(new_name):
    name = new_name()
    for result in (1, 2):  # as a cell of a notebook that is run again

        @byname.register(name, replace=True)
        def function(result=result):
            return result

        assert byname.get(name)() == result
    handle = byname.get(name)
    byname.register(name, lambda a: -a, schema="(int a) -> int", replace=True)
    assert handle(3) == -3
    overload = f"{name.replace('.', '::')}.named"
    for result in (1, 2):
        byname.register(overload, lambda a, b, result=result: result, schema="(int a, int b) -> int", replace=True)
        assert byname.get(name)(1, 2) == result
    assert byname.get(name)(3) == -3
    byname.remove(overload)


def test_what_cannot_take_the_place_leaves_it(new_name):
    name = new_name()
    byname.register(name, lambda: 1)
    for function, keywords in (
        (lambda **k: 2, {}),
        (lambda: 2, {"schema": "(int"}),
        (lambda: 2, {"schema": "(int a) -> ()"}),
    ):
        with pytest.raises(ValueError, match=f"^cannot register '{name}'"):
            byname.register(name, function, replace=True, **keywords)
    assert byname.get(name)() == 1


# Fault: importing and loading again
def test_importing_again_is_harmless(tmp_path, monkeypatch):
    (tmp_path / "registers.py").write_text('import byname\n\n@byname.register("registers.f")\ndef f():\n    return 1\n')
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("registers")
    assert importlib.import_module("registers") is module
    with pytest.raises(ValueError, match="is registered twice") as error:
        importlib.reload(module)
    sites = " and ".join([f"at {tmp_path / 'registers.py'}:3"] * 2)
    assert str(error.value) == f"'registers.f' is registered twice: {sites} (replace=True removes the old one first)"
    assert byname.get("registers.f")() == 1
    byname.remove("registers.f")
    importlib.reload(module)
    assert byname.get("registers.f")() == 1
    byname.remove("registers.f")
    del sys.modules["registers"]


def test_callables_of_all_kinds_can_be_registered(new_name):
    class Class:
        def __init__(self, a: int = 5):
            self.a = a

        def __call__(self, b):
            return self.a + b

        def method(self, c: int) -> int:
            return self.a * c

    for callable_, arguments, result in (
        (Class(), (1,), 6),
        (Class().method, (3,), 15),
        (functools.partial(lambda a, b: a - b, 10), (4,), 6),
        (len, ([1, 2],), 2),
        (max, (1, 2, 3), 3),
    ):
        name = new_name()
        byname.register(name, callable_)
        assert byname.get(name)(*arguments) == result
    name = new_name()
    byname.register(name, Class)
    assert byname.get(name)(7).a == 7
    assert byname.get(name)().a == 5
    with pytest.raises(TypeError) as error:
        byname.register(new_name(), 3)
    assert str(error.value) == "expected a callable, got int"


def test_a_removed_function_is_let_go(new_name):
    import gc
    import weakref

    name = new_name()

    def function():
        return 1

    byname.register(name, function)
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is not None
    byname.remove(name)
    byname.collect()
    gc.collect()
    assert gone() is None


# Fault: a removal from inside of a removal
def test_a_function_that_goes_may_remove_the_next():
    class Removing:
        def __init__(self, following):
            self.following = following

        def __call__(self):
            return self.following

        def __del__(self):
            if self.following in byname.names(self.following):
                byname.remove(self.following)

    for i in range(1000):
        byname.register(f"tests.chain.f{i}", Removing(f"tests.chain.f{i + 1}"))
    assert byname.get("tests.chain.f0")() == "tests.chain.f1"
    byname.remove("tests.chain.f0")
    byname.collect()
    assert byname.names("tests.chain") == []


# Fault: parsing what was printed
def test_a_schema_that_was_printed_registers_the_same(values, calls, callbacks, new_name):
    for function in (annotated, *(function for function, _ in SIGNATURES)):
        byname.register(new_name(), function)
    names = [name for prefix in ("values.", "calls.", "callbacks.", "tests") for name in byname.names(prefix)]
    functions = [byname.get(name) for name in names]
    schemas = [function.schema for function in functions if function.describe()["kind"] == "function"]
    assert len(schemas) > 60
    for schema in schemas:
        name, parameters = schema[: schema.index("(")], schema[schema.index("(") :]
        again = new_name()
        byname.register(again, lambda *arguments: None, schema=parameters)
        assert byname.get(again).schema == again + parameters, name


def test_removing_what_is_not_there():
    with pytest.raises(byname.NotFound) as error:
        byname.remove("tests.never.registered")
    assert "tests.never.registered" in str(error.value)


def test_names_are_listed_by_prefix(new_name):
    name = new_name("a")
    byname.register(name, lambda: 1)
    assert byname.names(name) == [name]
    assert byname.names(prefix=name[:-1]) == [name]
    assert name in byname.names()
    assert byname.names(name.encode()) == [name]
    for arguments, keywords in ((("a", "b"), {}), ((), {"suffix": "a"})):
        with pytest.raises(TypeError, match=r"^byname\.names\(\) takes one argument, 'prefix'$"):
            byname.names(*arguments, **keywords)
    with pytest.raises(TypeError) as error:
        byname.get(3)
    assert str(error.value) == "expected a name as str or bytes, got int"


def test_names_of_any_bytes(new_name):
    name = b"tests.\xff\xfe"
    byname.register(name, lambda: 1)
    try:
        assert byname.get(name)() == 1
        (listed,) = byname.names(b"tests.\xff")
        assert byname.get(listed)() == 1
        assert listed.encode("utf-8", "surrogateescape") == name
    finally:
        byname.remove(name)


def test_cpp_calls_what_python_registered(callbacks, new_name):
    name = new_name()
    byname.register(name, lambda x: x + 1)
    assert callbacks.look_up_and_call(name, 4) == 5
    with pytest.raises(byname.NotFound):
        callbacks.look_up_and_call(name + "x", 4)


def test_nothing_heavy_is_imported_to_register():
    printed = run_python("""
        import sys
        before = set(sys.modules)
        import byname
        byname.register("t.f", lambda x, y=1: x)
        byname.get("t.f")(1)
        print(sorted(set(sys.modules) - before))
    """)
    new = set(eval(printed))
    assert new <= {"byname", "byname._native", "byname._register", "byname._types", "types", "atexit"}
