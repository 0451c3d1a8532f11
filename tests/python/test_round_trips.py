"""Properties that hold for all values: what goes through C++ comes back."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

settings.register_profile("byname", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.load_profile("byname")

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | TEXT | st.binary()
KEYS = TEXT | st.binary() | st.tuples(INT64, TEXT)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner), max_leaves=30
)


def same(a, b):
    """Equality that tells 1, 1.0 and True apart."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b


@given(TREES)
def test_trees_of_values_come_back_the_same(values, tree):
    assert same(values.echo(tree), tree)


@given(INT64, INT64)
def test_ints_are_exact(calls, a, b):
    if -(2**63) <= a - b < 2**63:
        assert calls.sub(a, b) == calls.sub(b=b, a=a) == a - b


@given(st.integers())
def test_every_int_arrives_exactly_or_not_at_all(values, number):
    for function, low, high in (
        (values.int8, -(2**7), 2**7),
        (values.int32, -(2**31), 2**31),
        (values.int64, -(2**63), 2**63),
        (values.uint64, 0, 2**64),
    ):
        if low <= number < high:
            assert function(number) == number
        else:
            with pytest.raises(OverflowError):
                function(number)


@given(st.floats())
def test_floats_are_exact(calls, number):
    half = calls.half(number)
    assert half == number / 2 or (math.isnan(half) and math.isnan(number))


@given(TEXT, TEXT)
def test_text_is_exact(calls, a, b):
    assert calls.join(a, b) == a + b


@given(st.binary())
def test_bytes_are_exact(values, data):
    assert values.bytes(data) == values.bytes(bytearray(data)) == values.bytes(memoryview(data)) == data


@given(st.lists(INT64))
def test_lists_are_exact(values, numbers):
    assert values.list_of_int(numbers) == values.list_of_int(tuple(numbers)) == numbers
    assert values.set_of_int(set(numbers)) == sorted(set(numbers))
