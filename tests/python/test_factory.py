"""Factories: objects by the names of their types, from C++ and Python, and from configurations."""

import asyncio
import json
import re

import pytest
from conftest import run_python

import byname


@pytest.fixture
def shapes():
    factory = byname.Factory("test.shapes")

    @factory.product("Square")
    class Square:
        """All sides alike."""

        def __init__(self, side: float):
            self.side = side

    @factory.product("Scaled", schema="(Any shape, float by=2.0) -> Any")
    def scaled(shape, by):
        return Square(shape.side * by)

    yield factory
    for name in byname.names("test.shapes."):
        byname.remove(name)


def test_objects_are_made_by_the_names_of_their_types(shapes):
    square = shapes.create("Square", side=3)
    assert square.side == 3
    assert shapes.create("Scaled", square).side == 6
    assert shapes.creator("Square")(2).side == 2
    assert byname.ns.test.shapes.Square(1).side == 1
    assert list(shapes) == shapes.types() == ["Scaled", "Square"]
    assert len(shapes) == 2
    assert "Square" in shapes
    assert "Circle" not in shapes
    assert repr(shapes) == "byname.Factory('test.shapes')"


def test_an_unknown_type_is_told_with_near_ones(shapes):
    with pytest.raises(byname.NotFound) as error:
        shapes.create("Squar", 1)
    assert str(error.value) == ("'test.shapes': unknown type 'Squar' (did you mean 'Square'? known: Scaled, Square)")


def test_objects_are_made_from_what_json_gives(shapes):
    assert shapes.create(json.loads('{"type": "Square", "side": 4}')).side == 4


def test_all_that_is_wrong_with_a_configuration_is_told(shapes):
    for config, text in (
        ({"type": "Sqare"}, "$: unknown type 'Sqare' (did you mean 'Square'? known: Scaled, Square)"),
        ({"side": 1}, "$: 'type' is missing (one of Scaled, Square)"),
        (
            {"type": "Square", "sied": 1},
            "$: test.shapes.Square(): unexpected keyword 'sied' (did you mean 'side'?); argument 'side' (position 1) "
            "is missing",
        ),
        (3, "$: expected a configuration with 'type', got int"),
        ({"type": "Square", "side": 1, 5: 1}, "$: expected names of arguments as text, got int"),
    ):
        with pytest.raises(ValueError, match=r"^cannot make an object of 'test\.shapes'") as error:
            shapes.create(config)
        assert str(error.value) == f"cannot make an object of 'test.shapes': {text}"
    with pytest.raises(TypeError, match="a configuration has all the arguments in itself"):
        shapes.create({"type": "Square"}, side=1)


class Stop(KeyboardInterrupt): ...


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, Stop, asyncio.CancelledError])
def test_what_ends_more_than_an_object_is_no_problem_of_its_configuration(shapes, error):
    @shapes.product("Ends")
    def ends():
        raise error

    with pytest.raises(error):
        shapes.create({"type": "Ends"})


def test_what_a_creator_raises_is_told_with_its_kind_and_is_the_cause(shapes):
    @shapes.product("Stored")
    def stored(path: str):
        raise FileNotFoundError(f"no {path}")

    with pytest.raises(ValueError, match="cannot make") as error:
        shapes.create({"type": "Stored", "path": "weights"})
    assert str(error.value) == "cannot make an object of 'test.shapes': $: FileNotFoundError: no weights"
    assert type(error.value.__cause__) is FileNotFoundError
    assert str(error.value.__cause__) == "no weights"


def test_what_no_value_can_be_is_told_with_its_place(shapes):
    for side, text in (
        ([1, {"a.b": (0, 2**70)}], "$.side[1]['a.b'][1]: int 1180591620717411303424 does not fit in 64 bits"),
        (
            {"a": "\ud800"},
            "$.side.a: 'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed",
        ),
    ):
        with pytest.raises(ValueError, match="cannot make") as error:
            shapes.create({"type": "Square", "side": side})
        assert str(error.value) == f"cannot make an object of 'test.shapes': {text}"


def test_a_product_needs_a_name(shapes):
    class Square: ...

    with pytest.raises(TypeError) as error:
        shapes.product(Square)
    assert str(error.value) == f"expected the type's name, as product('Blur'), got {Square!r}"
    with pytest.raises(ValueError, match=r"twice: at [^:]+test_factory\.py:\d+ and at an unknown place \(replace=True"):
        shapes.product("Square", Square)
    for name in ("x.y", "x::y"):
        with pytest.raises(
            ValueError, match=f"^expected a type's name without dots and colons, got '{re.escape(name)}'$"
        ):
            shapes.product(name, Square)
    with pytest.raises(TypeError) as error:
        byname.register(Square)
    assert str(error.value) == f"expected a full name, as register('text.shout'), got {Square!r}"


def test_the_package_imports_it_when_it_is_asked_for():
    printed = run_python("""
        import sys, byname
        print("byname._factory" in sys.modules, byname.Factory.__name__, "byname._factory" in sys.modules)
    """)
    assert printed == "False Factory True\n"
