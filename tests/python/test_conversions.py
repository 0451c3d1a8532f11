"""What Python objects become in C++, and what comes back."""

import collections
import datetime
import enum
import os
import pathlib
import types

import pytest


class Number:
    def __index__(self):
        return 7


class Path:
    def __fspath__(self):
        return "/some/path"


class Color(enum.Enum):
    RED = 3
    NAME = "red"


class Level(enum.IntEnum):
    HIGH = 9


class Pair(collections.namedtuple("Pair", "a b")):
    pass


ROUND_TRIPS = [
    (None, "None"),
    (True, "bool"),
    (0, "int"),
    (-1, "int"),
    (2**62, "int"),
    (2**63 - 1, "int"),
    (-(2**63), "int"),
    (2**63, "int"),
    (2**64 - 1, "int"),
    (1.5, "float"),
    (float("inf"), "float"),
    (2 + 3j, "complex"),
    ("", "str"),
    ("short", "str"),
    ("longer than seven", "str"),
    ("é€😀", "str"),
    (b"", "bytes"),
    (b"seven77", "bytes"),
    (b"longer than seven", "bytes"),
    ([], "list"),
    ([1, "x", None, [2.5]], "list"),
    ((), "tuple"),
    ((1, ("x", b"y")), "tuple"),
    ({}, "dict"),
    ({"a": 1, 2: "b", (1, 2): [3], None: {}, b"k": ()}, "dict"),
]


@pytest.mark.parametrize(("value", "name"), ROUND_TRIPS, ids=lambda value: repr(value)[:20])
def test_values_come_back_as_they_went(values, value, name):
    assert values.type_name(value) == name
    back = values.echo(value)
    assert back == value
    assert type(back) is type(value)


# Fault: a NUL inside of text, bytes and names
def test_a_nul_inside_text_bytes_and_names_survives(values, new_name):
    import byname

    assert values.echo("a\0b") == "a\0b"
    assert values.str("a\0b") == "a\0b"
    assert values.bytes(b"a\0b") == b"a\0b"
    assert values.text_size("a\0b") == 3
    name = new_name("a\0b")
    byname.register(name, lambda: 1)
    assert byname.get(name)() == 1
    assert byname.names(name) == [name]
    assert byname.get(name).__name__ == "a\0b"


# Fault: a lone surrogate
def test_a_lone_surrogate_is_refused_and_leaves_no_error_behind(values):
    for text in ("\ud800", "a" * 20 + "\udfff"):
        for function in (values.echo, values.str, values.text_size):
            with pytest.raises(UnicodeEncodeError):
                function(text)
            assert values.str("fine") == "fine"
        with pytest.raises(UnicodeEncodeError):
            values.echo([1, text])
        with pytest.raises(UnicodeEncodeError):
            values.echo({text: 1})
    assert values.int64(1) == 1


def test_text_of_cpp_that_is_no_utf8_is_refused(values):
    with pytest.raises(UnicodeDecodeError):
        values.not_utf8()


# Fault: a name of ten thousand characters, and one that begins another
def test_ten_thousand_characters_and_a_prefix_are_distinct_names(new_name):
    import byname

    long = new_name("x" * 10000)
    byname.register(long, lambda: "long")
    byname.register(long[:-1], lambda: "prefix")
    assert byname.get(long)() == "long"
    assert byname.get(long[:-1])() == "prefix"
    byname.remove(long[:-1])
    assert byname.get(long)() == "long"


# Fault: an integer beyond its type is an OverflowError and never wraps
def test_an_int_beyond_int64_is_refused_and_never_wraps(values):
    cases = {
        2**63: "9223372036854775808",
        -(2**63) - 1: "-9223372036854775809",
        2**64: "18446744073709551616",
        10**60 - 1: "9" * 60,
        10**100: "1" + "0" * 59 + "...",
    }
    for number, text in cases.items():
        with pytest.raises(OverflowError) as error:
            values.int64(number)
        assert str(error.value) == f"values.int64(): argument 'x' (position 1) expects int, got {text} (out of range)"
    assert values.uint64(2**64 - 1) == 2**64 - 1
    for number in (-1, 2**64):
        with pytest.raises(OverflowError):
            values.uint64(number)
    for number in (10**5000, -(10**5000)):  # more digits than Python writes in decimals
        with pytest.raises(OverflowError):
            values.int64(number)
    with pytest.raises(OverflowError) as error:
        values.echo(2**64)
    assert str(error.value) == "int 18446744073709551616 does not fit in 64 bits"


def test_narrow_ints_check_their_range(values):
    assert values.int8(-128) == -128
    assert values.uint8(255) == 255
    for function, number in ((values.int8, 128), (values.uint8, 256), (values.uint8, -1), (values.int32, 2**31)):
        with pytest.raises(OverflowError):
            function(number)
    with pytest.raises(OverflowError) as error:
        values.int8(200)
    assert str(error.value) == "values.int8(): argument 'x' (position 1) expects int8, got 200 (out of range)"


def test_an_int_beyond_64_bits_is_a_float_where_one_is_wanted(values):
    assert values.float64(2**70) == 2.0**70
    assert values.float64(-(2**70)) == -(2.0**70)
    with pytest.raises(OverflowError):
        values.float64(10**400)


def test_kinds_of_numbers_do_not_mix_in_silence(values):
    assert values.int64(True) == 1
    for call, text in (
        (lambda: values.int64(1.5), "values.int64(): argument 'x' (position 1) expects int, got float"),
        (lambda: values.bool(1), "values.bool(): argument 'x' (position 1) expects bool, got int"),
        (lambda: values.float64(True), "values.float64(): argument 'x' (position 1) expects float, got bool"),
        (lambda: values.float64("1"), "values.float64(): argument 'x' (position 1) expects float, got str"),
        (lambda: values.str(b"x"), "values.str(): argument 'x' (position 1) expects str, got bytes"),
        (lambda: values.bytes("x"), "values.bytes(): argument 'x' (position 1) expects bytes, got str"),
    ):
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == text


# Fault: a bool picks the bool overload, an int the int one
def test_bool_picks_the_bool_overload_and_int_the_int_one(values):
    assert values.kind(True) == "bool"
    assert values.kind(1) == "int"
    assert values.kind(1.0) == "float"


# Fault: None among items where none is declared
# Fault: None is taken only where it is declared, by functions and methods
def test_none_is_taken_only_where_it_is_declared(values):
    assert values.optional_int(None) is None
    assert values.optional_int(3) == 3
    for call, text in (
        (lambda: values.int64(None), "values.int64(): argument 'x' (position 1) expects int, got None"),
        (
            lambda: values.list_of_int([1, None]),
            "values.list_of_int(): argument 'x' (position 1) expects int[], got list (item 1 is None)",
        ),
        (
            lambda: values.list_of_list([["a"], ["b", None]]),
            "values.list_of_list(): argument 'x' (position 1) expects str[][], "
            "got list (item 1 is list (item 1 is None))",
        ),
    ):
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == text


# Fault: None is taken only where it is declared, by functions and methods
def test_methods_take_none_only_where_it_is_declared(values):
    cell = values.Cell()
    values.Cell.set(cell, 3)
    for call, text in (
        (lambda: values.Cell.set(cell, None), "values.Cell.set(): argument 'value' (position 2) expects int, got None"),
        (
            lambda: values.Cell.set(None, 3),
            "values.Cell.set(): argument 'self' (position 1) expects values.Cell, got None",
        ),
    ):
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == text
    assert values.Cell.get(cell) == 3
    values.Cell.set_or_not(cell, None)
    assert values.Cell.get(cell) is None


def test_objects_that_stand_for_ints_are_ints(values):
    assert values.int64(Number()) == 7
    assert values.float64(Number()) == 7.0
    assert values.list_of_int([1, Number()]) == [1, 7]
    assert values.int64(Color.RED) == 3
    assert values.int64(Level.HIGH) == 9
    assert values.str(Color.NAME) == "red"
    with pytest.raises(TypeError):
        values.int64(Color.NAME)


def test_an_index_that_fails_gives_its_own_exception(values):
    class Bad:
        def __index__(self):
            raise ZeroDivisionError("no index today")

    with pytest.raises(ZeroDivisionError, match="no index today"):
        values.int64(Bad())


def test_an_index_beyond_64_bits_is_refused_or_a_float(values):
    class Big:
        def __init__(self, number):
            self.number = number

        def __index__(self):
            return self.number

    class Choice(enum.Enum):
        BIG = 2**70

    for function, argument, wanted, got in (
        (values.int8, Big(2**70), "int8", "1180591620717411303424"),
        (values.int64, Big(2**70), "int", "1180591620717411303424"),
        (values.int64, Big(-(2**70)), "int", "-1180591620717411303424"),
        (values.uint64, Big(2**70), "uint64", "1180591620717411303424"),
        (values.optional_int, Big(2**70), "int?", "1180591620717411303424"),
        (values.float64, Big(10**400), "float", "1" + "0" * 59 + "..."),
        (values.int64, Choice.BIG, "int", "1180591620717411303424"),
    ):
        with pytest.raises(OverflowError) as error:
            function(argument)
        assert (
            str(error.value)
            == f"{function.name}(): argument 'x' (position 1) expects {wanted}, got {got} (out of range)"
        )
    assert values.float64(Big(2**70)) == 2.0**70
    assert values.float32(Big(-(2**70))) == -(2.0**70)


def test_paths_and_durations(values):
    assert values.path(Path()) == "/some/path"
    assert values.path(pathlib.PurePath("/a/b")) == "/a/b"
    assert values.path("/a") == "/a"
    with pytest.raises(TypeError) as error:
        values.str(pathlib.PurePath("/a"))
    assert (
        str(error.value)
        == f"values.str(): argument 'x' (position 1) expects str, got {type(pathlib.PurePath()).__name__}"
    )
    assert values.seconds(datetime.timedelta(minutes=1, milliseconds=500)) == 60.5
    assert values.seconds(2) == 2.0
    with pytest.raises(TypeError):
        values.float64(datetime.timedelta(seconds=1))


def test_bytes_like_objects_are_bytes(values):
    import array

    for data in (
        b"some bytes",
        bytearray(b"some bytes"),
        memoryview(b"some bytes"),
        memoryview(bytearray(b"some bytes")),
    ):
        assert values.bytes(data) == b"some bytes"
        assert values.echo(data) == b"some bytes"
    assert values.bytes(array.array("H", [0x6161, 0x6262])) == b"aabb"
    assert values.bytes(memoryview(b"abcdef")[::2]) == b"ace"


def test_a_bytearray_cannot_be_resized_while_cpp_has_it(callbacks, values):
    data = bytearray(b"0123456789")

    def grow(shown):
        assert shown == b"0123456789"
        with pytest.raises(BufferError):
            data.extend(b"x")
        return 1

    import byname

    byname.register("tests.grow", grow, schema="(bytes x) -> int")
    try:
        assert byname.get("tests.grow")(data) == 1
    finally:
        byname.remove("tests.grow")
    data.extend(b"x")


def test_sequences_sets_and_mappings_are_taken_where_they_are_wanted(values):
    assert values.list_of_int(range(3)) == [0, 1, 2]
    assert values.list_of_int((1, 2)) == [1, 2]
    assert values.list_of_int(collections.UserList([4])) == [4]
    assert values.set_of_int({2, 1}) == [1, 2]
    assert values.set_of_int(frozenset([2])) == [2]
    assert values.set_of_int({1: None}.keys()) == [1]
    assert values.dict(types.MappingProxyType({"a": 1})) == {"a": 1}
    assert values.dict(collections.OrderedDict(b=2)) == {"b": 2}
    assert values.tuple(Pair(1, "x")) == (1, "x")
    for call in (
        lambda: values.list_of_int("12"),
        lambda: values.list_of_int(b"12"),
        lambda: values.list_of_int(iter([1])),
    ):
        with pytest.raises(TypeError):
            call()


def test_keys_that_are_lists_in_cpp_are_tuples(values):
    assert values.nested_map() == {(1, 2): "list", 3: [1, None, "x"]}


def test_shapes_dtypes_and_devices(values):
    assert values.shape((2, 3)) == (2, 3)
    assert values.shape([]) == ()
    assert values.dtype("float32") == "float32"
    assert values.device("cpu") == "cpu"
    assert values.device("cuda:1") == "cuda:1"
    with pytest.raises(TypeError) as error:
        values.dtype("float33")
    assert str(error.value) == (
        "values.dtype(): argument 'x' (position 1) expects ScalarType, got 'float33' "
        "(such as 'float32', 'int8x4' or 'bool')"
    )
    with pytest.raises(TypeError) as error:
        values.device("gpu")
    assert str(error.value) == (
        "values.device(): argument 'x' (position 1) expects Device, got 'gpu' (such as 'cpu' or 'cuda:1')"
    )


# Fault: every slice of a dtype's name
def test_every_slice_of_a_dtype_is_a_dtype_or_an_error(values):
    for whole in ("int32x4", "float8_e4m3fn", "complex128x16"):
        for begin in range(len(whole) + 1):
            for end in range(begin, len(whole) + 1):
                part = whole[begin:end]
                try:
                    assert values.dtype(part) == part
                except TypeError as error:
                    assert str(error) == (
                        f"values.dtype(): argument 'x' (position 1) expects ScalarType, got {part!r} "
                        "(such as 'float32', 'int8x4' or 'bool')"
                    )


def test_pointers_are_addresses(values):
    assert values.pointer(None) is None


def test_objects_of_unknown_classes_come_back_as_the_same(values):
    class Thing:
        pass

    for thing in (Thing(), object(), iter([]), slice(1), os.environ):
        assert values.echo(thing) is thing
        assert values.echo([thing])[0] is thing
        values.keep(thing)
        assert values.kept() is thing
    values.keep(None)
    thing = Thing()
    assert values.type_name(thing) == "Thing"
    assert values.echo({thing: 1}) == {thing: 1}
    with pytest.raises(TypeError) as error:
        values.int64(thing)
    assert str(error.value) == "values.int64(): argument 'x' (position 1) expects int, got Thing"


def test_a_container_that_holds_itself_is_refused(values):
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        values.echo(endless)
    loop = {}
    loop["self"] = loop
    with pytest.raises(RecursionError):
        values.echo(loop)
    deep = []
    for _ in range(100000):
        deep = [deep]
    with pytest.raises(RecursionError):
        values.echo(deep)


def test_subclasses_of_builtins_are_what_they_derive_from(values):
    class Text(str):
        pass

    class Int(int):
        pass

    class Float(float):
        pass

    assert values.echo([Text("x"), Int(3), Float(2.5)]) == ["x", 3, 2.5]
    assert values.int64(Int(3)) == 3
    assert values.text_size(Text("four")) == 4
