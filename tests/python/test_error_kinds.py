"""byname.errors: which kinds have classes, and how they are named before an error arrives."""

import copy
import pickle

import pytest
from conftest import run_python

import byname


def test_errors_are_importable(calls):
    from byname.errors import NotFound

    assert NotFound is byname.NotFound
    assert byname.errors.NotFound is byname.errors.get("NotFound") is NotFound
    assert byname.errors.TypeError is TypeError
    assert byname.errors.get("OSError") is OSError
    assert byname.errors.get("calls.Error") is byname.errors.calls.Error
    assert repr(byname.errors.calls) == "<byname.errors.calls>"
    with pytest.raises(AttributeError) as error:
        byname.errors._private  # noqa: B018
    assert str(error.value) == "module 'byname.errors' has no attribute '_private'"


def test_a_kind_that_is_not_known_has_no_class(calls):
    byname.errors.calls.Error  # noqa: B018
    for ask, text in (
        (lambda: byname.errors.ValueEror, "'ValueEror' is no kind of error (did you mean 'ValueError'?)"),
        (lambda: byname.errors.get("NotFond"), "'NotFond' is no kind of error (did you mean 'NotFound'?)"),
        (lambda: byname.errors.calls.Eror, "'calls.Eror' is no kind of error (did you mean 'calls.Error'?)"),
        (
            lambda: byname.errors.get("\ud800"),
            "'\\ud800' is no kind of error (those of a library are known when it is loaded)",
        ),
        (
            lambda: byname.errors.unknown.Kind,
            "'unknown.Kind' is no kind of error (those of a library are known when it is loaded)",
        ),
    ):
        with pytest.raises(AttributeError) as error:
            ask()
        assert type(error.value) is byname.NotFound
        assert str(error.value) == text
    assert not hasattr(byname.errors, "Typo")
    with pytest.raises(ImportError):
        from byname.errors import Typo  # noqa: F401


def test_a_class_is_there_as_soon_as_its_library_is_loaded():
    printed = run_python("""
        import os, byname
        assert not hasattr(byname.errors.calls, "Error")
        calls = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so").calls
        Error, Below = byname.errors.calls.Error, byname.errors.calls.RuntimeKind
        try:
            calls.throw("own")
        except byname.errors.calls.RuntimeKind:
            print("not this one")
        except byname.errors.calls.Error as error:
            print(type(error) is Error, error)
        print(Error.__mro__[1:3], Below.__mro__[1:3])
    """)
    assert printed.splitlines() == [
        "True our own",
        "(<class 'byname.Error'>, <class 'ValueError'>) (<class 'byname.Error'>, <class 'RuntimeError'>)",
    ]


def test_a_kind_that_nobody_registered_is_known_when_an_error_of_it_arrives(calls):
    assert not hasattr(byname.errors.arriving, "Kind")
    with pytest.raises(byname.Error) as error:
        calls.throw("arriving.Kind")
    assert type(error.value) is byname.errors.arriving.Kind
    assert issubclass(byname.errors.arriving.Kind, RuntimeError)


def test_an_error_is_unpickled_where_its_library_is_not_loaded(calls):
    with pytest.raises(ValueError, match="our own") as error:
        calls.throw("own")
    error.value.add_note("a note")
    printed = run_python(f"""
        import pickle
        error = pickle.loads({pickle.dumps(error.value)!r})
        print(type(error), error, error.__notes__)
    """)
    assert printed == "<class 'byname.errors.calls.Error'> our own ['a note']\n"


class Derived(byname.Error):
    """An exception of Python code."""


def test_a_class_that_derives_from_an_error_is_pickled_as_itself():
    error = copy.copy(Derived("a", 1))
    assert (type(error), error.args) == (Derived, ("a", 1))
