"""Calls from Python: positions, keywords, defaults, many arguments, functions that block."""

import threading
import time

import pytest
from conftest import run_python

import byname


def test_a_function_takes_arguments_by_position(calls):
    assert calls.add(1, 2) == 3
    assert calls.half(3) == 1.5
    assert calls.half(3.0) == 1.5
    assert calls.is_even(2) is True
    assert calls.is_even(3) is False
    assert calls.sum4(1, 2.5, 3, 4) == 10.5
    assert calls.nothing() is None


def test_text_of_every_kind_arrives_whole(calls):
    for a in ("", "a", "abcdefg", "abcdefgh", "é", "a\0b", "x" * 100, "€" * 50):
        for b in ("", "long enough to be no small text", "ü\0"):
            assert calls.join(a, b) == a + b
            assert calls.repeat(a, 2) == 2 * len(a.encode())


def test_defaults_fill_what_is_left_out(calls):
    assert calls.add(1) == 2
    assert calls.add(a=1) == 2


def test_keywords_are_taken_in_every_order(calls):
    assert calls.sub(a=5, b=3) == 2
    assert calls.sub(b=3, a=5) == 2
    assert calls.sub(5, b=3) == 2
    for _ in range(3):  # the same place in the code, which is remembered
        assert calls.sub(a=5, b=3) == 2


# Fault: keyword names that are built at run time
def test_keyword_names_that_are_built_at_run_time_work(calls):
    a, b = "".join(["", "a"]), bytes([98]).decode()
    assert calls.sub(**{b: 3, a: 5}) == 2
    assert calls.keyword_only(1, **{"".join(["b", ""]): 7}) == "17x"


def test_keyword_only_parameters_are_taken_by_keyword_only(calls):
    assert calls.keyword_only(1, b=4, c="z") == "14z"
    with pytest.raises(TypeError) as error:
        calls.keyword_only(1, 2)
    assert str(error.value) == "calls.keyword_only(): takes 1 positional argument, got 2"
    with pytest.raises(TypeError) as error:
        calls.keyword_only(1, 2, c="x")
    assert str(error.value) == "calls.keyword_only(): takes 1 positional argument, got 2"


def test_more_arguments_than_fit_the_fast_way(calls):
    assert calls.many(*range(10)) == list(range(10))
    assert calls.many(*range(9), j=42) == [*range(9), 42]
    assert calls.count(*range(1000)) == 1000


def test_wrong_counts_and_names_are_refused(calls):
    cases = {
        "calls.nothing(): takes 0 arguments, got 1": lambda: calls.nothing(1),
        "calls.add(): takes 1 to 2 arguments, got 3": lambda: calls.add(1, 2, 3),
        "calls.add(): argument 'a' (position 1) is missing": lambda: calls.add(),
        "calls.add(): argument 'a' is given twice": lambda: calls.add(1, a=3),
        "calls.half(): argument 'x' (position 1) is missing": lambda: calls.half(),
    }
    for text, call in cases.items():
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == text


def test_an_unknown_keyword_is_refused_with_a_near_name(calls):
    with pytest.raises(TypeError) as error:
        calls.repeat("x", m=3)
    message = str(error.value)
    assert message.startswith("calls.repeat(): ")
    assert "unexpected keyword 'm'" in message


def test_an_argument_of_a_wrong_type_is_refused_each_time_alike(calls):
    for _ in range(3):  # the text is remembered
        with pytest.raises(TypeError) as error:
            calls.add(1, "2")
        assert str(error.value) == "calls.add(): argument 'b' (position 2) expects int, got str"
    for _ in range(2):
        with pytest.raises(TypeError) as error:
            calls.add(None, 2)
        assert str(error.value) == "calls.add(): argument 'a' (position 1) expects int, got None"
    with pytest.raises(TypeError) as error:
        calls.add("1", "2")
    assert str(error.value) == (
        "calls.add(): argument 'a' (position 1) expects int, got str; argument 'b' (position 2) expects int, got str"
    )
    assert calls.add(1, 2) == 3


def test_a_remembered_error_is_another_exception_each_time(calls):
    raised = []
    for _ in range(3):
        try:
            calls.half("x")
        except TypeError as error:
            raised.append(error)
    assert len({id(error) for error in raised}) == 3


def test_a_remembered_error_does_not_outlive_its_function(new_name):
    name = new_name()
    byname.register(name, lambda x: x, schema="(int x) -> int")
    function = byname.get(name)
    for _ in range(2):
        with pytest.raises(TypeError) as error:
            function("x")
        assert str(error.value) == f"{name}(): argument 'x' (position 1) expects int, got str"
    byname.remove(name)
    byname.register(name, lambda y: y, schema="(str y) -> str")
    assert function("x") == "x"
    with pytest.raises(TypeError) as error:
        function(1)
    assert str(error.value) == f"{name}(): argument 'y' (position 1) expects str, got int"


def test_a_type_error_of_a_function_itself_is_not_remembered():
    printed = run_python("""
        import byname, os
        byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so")
        called = []

        def add(x, y):
            called.append((x, y))
            if len(called) == 1:
                raise TypeError("only the first call fails")
            return x * y

        handle = byname.get("calls.add")
        for register in (lambda: None, lambda: (byname.remove("calls.add"), byname.register("calls.add", add))):
            register()
            for _ in range(3):
                try:
                    print(handle("a", 2))
                except TypeError as error:
                    print(error)
        print(called)
    """)
    assert printed.splitlines() == [
        *["calls.add(): argument 'a' (position 1) expects int, got str"] * 3,
        "only the first call fails",
        "aa",
        "aa",
        "[('a', 2), ('a', 2), ('a', 2)]",
    ]


def test_keywords_follow_the_function_that_is_registered_now(new_name):
    name = new_name()
    byname.register(name, lambda a, b: (a, b))
    function = byname.get(name)

    def call():
        return function(a=1, b=2)

    assert call() == call() == (1, 2)
    byname.remove(name)
    byname.register(name, lambda b, a: (b, a))
    assert call() == call() == (2, 1)


# Fault: a call through an old handle of what was removed
# Fault: what is registered after a removal
def test_a_handle_follows_its_name(new_name):
    name = new_name()
    byname.register(name, lambda: 1)
    function = byname.get(name)
    assert function() == 1
    byname.remove(name)
    with pytest.raises(byname.NotFound) as error:
        function()
    assert str(error.value) == f"'{name}' is not registered any more (it was removed, or its module unloaded)"
    byname.register(name, lambda: 2)
    assert function() == 2


def test_a_pinned_function_stays(new_name):
    name = new_name()
    byname.register(name, lambda: 1)
    pinned = byname.get(name).pin()
    byname.remove(name)
    assert pinned() == 1


def test_a_function_value_is_called_in_every_way(callbacks):
    plus3 = callbacks.adder(3)
    assert plus3(4) == 7
    with pytest.raises(TypeError) as error:
        plus3("x")
    assert str(error.value) == "function(): argument '_0' (position 1) expects int, got str"
    with pytest.raises(TypeError):
        plus3(x=1)


def test_a_function_that_blocks_lets_other_threads_run(calls):
    thread = threading.Thread(target=calls.sleep, args=(0.3,))
    start = time.monotonic()
    thread.start()
    while calls.sleeping() == 0:
        assert time.monotonic() - start < 10
    beside = calls.sleeping()
    thread.join()
    assert beside == 1
    calls.sleep(seconds=0.001)
    assert calls.sleeping() == 0


def test_calls_nest_deeper_than_there_are_hazards(callbacks, new_name):
    name = new_name()

    @byname.register(name)
    def down(n: int) -> int:
        return 0 if n == 0 else 1 + callbacks.look_up_and_call(name, n - 1)

    assert byname.get(name)(100) == 100


def test_endless_recursion_through_cpp_is_a_recursion_error(new_name):
    name = new_name()
    byname.register(name, lambda: byname.get(name)())
    with pytest.raises(RecursionError):
        byname.get(name)()
    other = new_name()
    # No Python code in between: functions that call each other by name alone.
    byname.register(other, byname.get(name))
    byname.remove(name)
    byname.register(name, byname.get(other))
    with pytest.raises(RecursionError):
        byname.get(name)()
