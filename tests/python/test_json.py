"""The json plugin against Python's own json."""

import json
import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byname

PLUGINS = Path(os.environ["BYNAME_TEST_PLUGIN_DIR"]).parents[1] / "plugins"

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@pytest.fixture(scope="module")
def plugin():
    return byname.load(PLUGINS / "json/libbyname_json.so").json


@given(values, st.booleans())
def test_what_python_writes_is_read_and_the_other_way_round(plugin, value, ascii_only):
    assert plugin.parse(json.dumps(value, ensure_ascii=ascii_only)) == value
    assert json.loads(plugin.print(value)) == value
    assert json.loads(plugin.print(value, indent=2)) == value


@given(st.text(st.sampled_from('{}[]",:truefalsn0123456789.eE-+ \\u/*')))
def test_both_refuse_the_same_texts(plugin, text):
    def outcome(parse):
        try:
            return parse(text)
        except (ValueError, OverflowError):
            return ValueError

    def python(text):
        return json.loads(text, parse_constant=float, parse_int=lambda digits: within(int(digits)))

    def within(number):
        if not -(2**63) <= number < 2**63:
            raise ValueError
        return number

    own, theirs = outcome(plugin.parse), outcome(python)
    if isinstance(theirs, float) and math.isinf(theirs):
        assert own is ValueError
    else:
        assert own == theirs
