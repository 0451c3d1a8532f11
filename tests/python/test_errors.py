"""Errors of C++ as exceptions, exceptions through C++ and back."""

import builtins
import pickle
import traceback
import warnings

import pytest
from conftest import run_python

import byname


@pytest.mark.parametrize(
    ("thrown", "kind", "text"),
    [
        ("invalid_argument", ValueError, "not an argument"),
        ("out_of_range", IndexError, "too far"),
        ("bad_alloc", MemoryError, "out of memory"),
        ("overflow_error", OverflowError, "too much"),
        ("runtime_error", RuntimeError, "went wrong"),
        ("int", RuntimeError, "unknown C++ exception of type 'int'"),
        ("struct", RuntimeError, "unknown C++ exception of type '(anonymous namespace)::NoException'"),
        ("TypeError", TypeError, "raised by kind"),
        ("KeyError", KeyError, "'raised by kind'"),
        ("StopIteration", StopIteration, "raised by kind"),
        ("NotImplementedError", NotImplementedError, "raised by kind"),
        ("UnicodeDecodeError", UnicodeError, "raised by kind"),
        ("NotFound", byname.NotFound, "raised by kind"),
    ],
)
# Fault: throw 42
def test_what_cpp_throws_is_raised(calls, thrown, kind, text):
    with pytest.raises(BaseException) as error:  # noqa: PT011
        calls.throw(thrown)
    assert type(error.value) is kind
    assert str(error.value) == text


def test_a_system_error_has_its_errno(calls):
    with pytest.raises(FileNotFoundError) as error:
        calls.throw("system_error")
    assert error.value.errno == 2
    assert error.value.strerror == "No such file or directory: opening 'x'"
    assert str(error.value) == "[Errno 2] No such file or directory: opening 'x'"


def test_kinds_of_libraries_have_classes(calls):
    with pytest.raises(ValueError, match="our own") as error:
        calls.throw("own")
    kind = byname.errors.calls.Error
    assert type(error.value) is kind
    assert issubclass(kind, byname.Error)
    assert kind.__mro__[:3] == (kind, byname.Error, ValueError)
    assert (kind.__module__, kind.__qualname__, kind.kind) == ("byname.errors", "calls.Error", "calls.Error")
    assert pickle.loads(pickle.dumps(error.value)).args == ("our own",)
    assert traceback.format_exception_only(error.value) == ["byname.errors.calls.Error: our own\n"]
    with pytest.raises(byname.Error) as error:
        calls.throw("nobody.registered.This")
    assert isinstance(error.value, RuntimeError)
    assert type(error.value) is byname.errors.nobody.registered.This


# Fault: a NUL inside of text, bytes and names
def test_a_kind_may_have_any_bytes(calls):
    for thrown, kind, name in (
        ("calls.a\0b", "calls.a\0b", r"a\x00b"),
        ("no text", "calls.no\udcfftext", r"no\udcfftext"),
    ):
        with pytest.raises(byname.Error) as error:
            calls.throw(thrown)
        assert (str(error.value), error.value.kind, type(error.value).__name__) == ("raised by kind", kind, name)


def test_not_found_is_a_lookup_error_and_an_attribute_error():
    assert issubclass(byname.NotFound, LookupError)
    assert issubclass(byname.NotFound, AttributeError)
    with pytest.raises(byname.NotFound) as error:
        byname.get("calls.ad")
    assert str(error.value).startswith("nothing is registered under the name 'calls.ad'")


def test_a_cause_is_chained(calls):
    with pytest.raises(RuntimeError, match="the outer one") as error:
        calls.throw_nested()
    assert type(error.value.__cause__) is IndexError
    assert str(error.value.__cause__) == "the inner one"


def test_notes_tell_where_an_error_was_and_what_it_passed(calls):
    with pytest.raises(ValueError, match="raised by kind") as error:
        calls.outer("ValueError")
    (note,) = error.value.__notes__
    through, at = note.split("\n")
    assert through.startswith("in calls.throw (")
    assert ".cc:" in through
    assert at.startswith("in ")
    assert ".cc:" in at
    error.value.add_note("and another")
    printed = "".join(traceback.format_exception(error.value))
    assert through in printed
    assert "and another" in printed
    with pytest.raises(RuntimeError) as error:
        calls.throw("runtime_error")
    assert not hasattr(error.value, "__notes__")  # the call is in the traceback


def test_an_error_is_a_value_too(calls, values):
    error = calls.error("KeyError")
    assert type(error) is KeyError
    assert error.args == ("as a value",)
    assert values.echo(error) is error


# Fault: an exception through C++ comes back as the same object
def test_an_exception_through_cpp_is_the_same_object_with_its_traceback(callbacks, calls):
    exception = ValueError("mine")

    def inner():
        raise exception

    def middle():
        callbacks.call(inner)

    for call in (callbacks.call, callbacks.rethrown, callbacks.bind(lambda _: inner(), 1)):
        exception.__traceback__ = None
        with pytest.raises(ValueError, match="mine") as error:
            call(middle) if call in (callbacks.call, callbacks.rethrown) else call()
        assert error.value is exception
        functions = [frame.name for frame in traceback.extract_tb(exception.__traceback__)]
        assert functions[-1] == "inner"
        assert not hasattr(exception, "__notes__")


# Fault: an exception through C++ comes back as the same object
def test_an_exception_from_a_cpp_thread_is_the_same_object(callbacks):
    exception = LookupError("in a thread")

    def fail(_):
        raise exception

    with pytest.raises(LookupError) as error:
        callbacks.call_in_thread(fail, 1)
    assert error.value is exception


def test_cpp_sees_kind_and_message_of_an_exception(callbacks):
    class Special(ValueError):
        def __str__(self):
            return "special text"

    class Broken(Exception):
        def __str__(self):
            raise ZeroDivisionError

    def raising(exception):
        def function():
            raise exception

        return function

    assert callbacks.caught(raising(ZeroDivisionError("by zero"))) == "ZeroDivisionError: by zero"
    assert callbacks.caught(raising(ValueError("bad"))) == "ValueError: bad (a ValueError)"
    assert callbacks.caught(raising(UnicodeError("code"))) == "UnicodeError: code (a ValueError)"
    special = "test_errors.test_cpp_sees_kind_and_message_of_an_exception.<locals>.Special"
    assert callbacks.caught(raising(Special())) == f"{special}: special text (a ValueError)"
    assert callbacks.caught(raising(Broken())).endswith(": an exception of class 'Broken' whose str() fails")
    assert callbacks.caught(raising(byname.NotFound("nowhere"))) == "NotFound: nowhere"
    assert callbacks.caught(raising(OSError(2, "gone"))) == "FileNotFoundError: [Errno 2] gone"


def test_exceptions_that_are_no_errors_pass_too(callbacks):
    for kind in (KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration):

        def function(kind=kind):
            raise kind

        with pytest.raises(kind):
            callbacks.call(function)


def test_context_and_cause_of_an_exception_survive(callbacks):
    def function():
        try:
            raise KeyError("first")
        except KeyError as error:
            raise ValueError("second") from error

    with pytest.raises(ValueError, match="second") as error:
        callbacks.call(function)
    assert type(error.value.__cause__) is KeyError
    try:
        raise RuntimeError("handled")
    except RuntimeError as handled:
        with pytest.raises(TypeError) as error:
            byname.get("calls.add")("x")
        assert error.value.__context__ is handled


def test_every_exception_class_of_python_is_a_kind(calls):
    for name, kind in vars(builtins).items():
        if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, ExceptionGroup):
            with pytest.raises(Exception) as error:  # noqa: PT011
                calls.throw(name)
            # Those of Unicode cannot be made of a message alone.
            assert type(error.value) is (UnicodeError if issubclass(kind, UnicodeError) else kind)


def test_warnings_of_cpp_are_warnings(calls):
    with pytest.warns(UserWarning, match="^careful$"):
        assert calls.warn("UserWarning", "careful") == 1
    with pytest.warns(RuntimeWarning, match="^of no known kind$"):
        calls.warn("no.Kind", "of no known kind")
    with pytest.warns(DeprecationWarning) as record:
        calls.plus(1, 2)
    assert str(record[0].message) == "'calls.plus' is deprecated since 1.0 (use 'calls.add')"
    assert record[0].filename == __file__


def test_a_warning_that_is_an_error_is_raised_behind_the_call(calls):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="too much"):
            calls.warn("UserWarning", "too much")
        assert calls.add(1, 2) == 3


def test_nothing_that_cpp_does_aborts():
    """Nothing aborts: duplicate, bad schema, throw in a block, throw in a callback, unknown names."""
    printed = run_python("""
        import os, byname
        plugins = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/lib"
        calls = byname.load(plugins + "python_calls.so").calls
        for act in (
            lambda: byname.register("calls.add", lambda: 1),
            lambda: byname.register("x.f", lambda: 1, schema="(int"),
            lambda: byname.load(plugins + "python_broken.so"),
            lambda: byname.load("/no/such/library.so"),
            lambda: byname.get("x.unknown"),
            lambda: byname.remove("x.unknown"),
            lambda: calls.throw("int"),
        ):
            try:
                act()
            except Exception as error:
                print(type(error).__name__)
    """)
    assert printed.split() == [
        "ValueError", "ValueError", "RuntimeError", "FileNotFoundError", "NotFound", "NotFound", "RuntimeError",
    ]  # fmt: skip


class AnswersFive(type):
    def __getattribute__(cls, name):
        return 5 if name in ("__module__", "__qualname__") else super().__getattribute__(name)


class Answered(ValueError, metaclass=AnswersFive):
    pass


def class_called(module, qualified):
    return type("E", (KeyError,), {"__module__": module, "__qualname__": qualified})


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (class_called(None, "E"), "KeyError: 'text'"),
        (class_called(5, "E"), "KeyError: 'text'"),
        (class_called("\ud800", "E"), r"\ud800.E: 'text'"),
        (class_called("module", "\ud800E"), r"module.\ud800E: 'text'"),
        (class_called("module", "a\0b"), "module.a\0b: 'text'"),
        (Answered, "test_errors.Answered: text (a ValueError)"),
    ],
)
def test_an_exception_of_a_class_with_any_name_passes(callbacks, values, kind, told):
    exception = kind("text")

    def function():
        raise exception

    with pytest.raises(kind) as error:
        callbacks.call(function)
    assert error.value is exception
    assert callbacks.caught(function) == told
    assert values.echo(exception) is exception


def test_a_kind_whose_class_is_not_made_of_a_message_is_an_error_all_the_same(calls):
    for kind in ("ExceptionGroup", "BaseExceptionGroup"):
        with pytest.raises(byname.Error) as error:
            calls.throw(kind)
        assert traceback.format_exception_only(error.value)[0] == f"byname.errors.{kind}: raised by kind\n"
        assert error.value.kind == kind
        assert type(error.value).__mro__[1:] == byname.Error.__mro__
        with pytest.raises(byname.Error) as again:
            calls.throw(kind)
        assert type(again.value) is type(error.value)
    assert byname.errors.ExceptionGroup is ExceptionGroup
