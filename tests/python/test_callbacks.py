"""Python callables as functions of C++."""

import functools
import gc
import struct
import time
import weakref

import pytest

import byname


def test_any_callable_is_a_function(callbacks):
    class Class:
        def __call__(self):
            return "object"

        def method(self):
            return "method"

    for callable_, result in (
        (lambda: "lambda", "lambda"),
        (Class(), "object"),
        (Class().method, "method"),
        (functools.partial(str.upper, "partial"), "PARTIAL"),
        (dict, {}),
        ("text".upper, "TEXT"),
    ):
        assert callbacks.call(callable_) == result
    with pytest.raises(TypeError) as error:
        callbacks.call(3)
    assert str(error.value) == "callbacks.call(): argument '_0' (position 1) expects Function, got int"


def test_arguments_and_results_are_converted(callbacks):
    for arguments in ([], [1], [1.5, "x", b"y", None, True, [1, {"a": 2}]], list(range(20))):
        assert callbacks.apply(lambda *given: list(given), arguments) == arguments
    assert callbacks.call_typed(lambda i: i + 1, 4) == 5
    with pytest.raises(TypeError):
        callbacks.call_typed(lambda i: "text", 4)
    assert callbacks.call_many(lambda i: 2 * i, 10) == 90


def test_a_callable_comes_back_as_the_same(callbacks):
    def function():
        return 1

    callbacks.keep(function)
    assert callbacks.kept() is function
    assert callbacks.call(callbacks.kept()) == 1
    callbacks.drop()
    assert callbacks.kept() is None


def test_a_function_of_cpp_comes_back_as_the_same(callbacks):
    plus3 = callbacks.adder(3)
    callbacks.keep(plus3)
    assert callbacks.kept() is plus3
    del plus3
    assert callbacks.kept()(4) == 7
    callbacks.drop()


def test_a_handle_passes_what_it_stands_for(callbacks, calls, new_name):
    name = new_name()
    byname.register(name, lambda: "one")
    handle = byname.get(name)
    assert callbacks.call(handle) == "one"
    byname.remove(name)
    with pytest.raises(byname.NotFound):
        callbacks.call(handle)
    assert callbacks.call(calls.nothing) is None


def test_a_keyword_of_cpp_reaches_a_registered_python_function(callbacks, new_name):
    name = new_name()
    byname.register(name, lambda a=1, *, b: (a, b))
    assert callbacks.call_keyword(byname.get(name), 5) == (1, 5)


def test_a_callable_is_dropped_when_cpp_drops_it(callbacks):
    class Callable:
        def __call__(self):
            return 1

    callable_ = Callable()
    gone = weakref.ref(callable_)
    callbacks.keep(callable_)
    del callable_
    gc.collect()
    assert gone() is not None
    callbacks.drop()
    assert gone() is None


# Fault: the last reference to a callback is dropped in a thread of C++
def test_the_last_reference_may_be_dropped_in_a_cpp_thread(callbacks):
    class Callable:
        def __call__(self):
            return 1

    for drop in (lambda c: (callbacks.keep(c), callbacks.drop_kept_in_thread()), callbacks.drop_in_thread):
        callable_ = Callable()
        gone = weakref.ref(callable_)
        drop(callable_)
        del callable_
        deadline = time.monotonic() + 10
        while gone() is not None:  # it waits until the main thread looks
            assert time.monotonic() < deadline
            byname.collect()


# Fault: a closure that holds itself through C++
def test_a_function_object_that_holds_itself_dies(callbacks):
    class Token:
        pass

    def make():
        token = Token()

        def function():
            return token, holder

        holder = byname.Function(function)
        return weakref.ref(token), weakref.ref(holder)

    token, holder = make()
    gc.collect()
    assert token() is None
    assert holder() is None


def test_a_function_object_that_cpp_shares_lives(callbacks):
    def make():
        def function():
            return holder

        holder = byname.Function(function)
        callbacks.keep(holder)
        return weakref.ref(holder)

    holder = make()
    gc.collect()
    assert callbacks.kept()() is holder()
    callbacks.drop()
    gc.collect()
    assert holder() is None


def test_function_objects_of_callables(callbacks):
    def function():
        return 1

    wrapped = byname.Function(function)
    assert isinstance(wrapped, byname.Function)
    assert wrapped() == 1
    callbacks.keep(wrapped)
    assert callbacks.kept() is wrapped
    del wrapped
    assert callbacks.kept() is function
    callbacks.drop()
    assert byname.Function(callbacks.call) is callbacks.call
    for arguments, keywords, text in (
        ((3,), {}, "expected a callable, got int"),
        ((function,), {"x": 1}, "Function() takes no keyword arguments"),
    ):
        with pytest.raises(TypeError) as error:
            byname.Function(*arguments, **keywords)
        assert str(error.value) == text


def test_a_closure_of_cpp_keeps_what_it_was_bound_to(callbacks):
    bound = callbacks.bind(lambda x: [x], "kept")
    gc.collect()
    assert bound() == ["kept"]


def test_a_callback_may_unregister_what_calls_it(callbacks, new_name):
    name = new_name()

    @byname.register(name)
    def once():
        byname.remove(name)
        return "still here"

    assert byname.get(name)() == "still here"
    assert not byname.names(name)


# Fault: a destructor that fails while an exception is in flight
def test_a_destructor_of_cpp_may_call_python_while_an_exception_is_on_its_way(callbacks):
    seen = []

    def function():
        seen.append(1)
        raise ValueError("from the destructor")

    def fail():
        guard = callbacks.guard(function)  # noqa: F841 (dies while the exception passes)
        raise KeyError("the real one")

    with pytest.raises(KeyError, match="the real one"):
        fail()
    gc.collect()
    assert seen == [1]


def test_a_borrowed_tensor_is_copied_for_a_callback(callbacks):
    for ndim in (0, 1, 64):
        tensor = callbacks.call_with_view(lambda tensor: tensor, ndim, True)
        assert (tensor.shape, tensor.strides) == ((1,) * ndim, (1,) * ndim)
        assert bytes(tensor) == struct.pack("d", 42)


def test_a_borrowed_tensor_that_can_be_none_is_refused(callbacks):
    for ndim, has_data, kind, text in (
        (65, True, ValueError, "expected a tensor of at most 64 dimensions, got one of 65"),
        (1000, True, ValueError, "expected a tensor of at most 64 dimensions, got one of 1000"),
        (-1, True, ValueError, "expected a tensor of at most 64 dimensions, got one of -1"),
        (2, False, BufferError, "a tensor without data cannot be copied"),
    ):
        with pytest.raises(kind) as error:
            callbacks.call_with_view(lambda tensor: tensor, ndim, has_data)
        assert str(error.value) == text
