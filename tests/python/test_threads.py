"""Threads of Python and of C++ that call, register and fork at the same time."""

import os

import pytest
from conftest import run_python


# Each is a process of its own, so that one that waits for ever fails and does not hang the others.
def run_with_plugins(script):
    prelude = """
        import os, threading, time, byname
        plugins = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/lib"
        callbacks = byname.load(plugins + "python_callbacks.so").callbacks
        calls = byname.load(plugins + "python_calls.so").calls

        def in_threads(count, work):
            failures = []
            def run(number):
                try:
                    work(number)
                except BaseException as error:
                    failures.append(error)
            threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if failures:
                raise failures[0]
    """
    return run_python(prelude + script)


# Fault: callbacks of two threads register and look up
def test_callbacks_of_several_threads_register_and_look_up():
    printed = run_with_plugins("""
        def work(number):
            def back(offset=0):
                for i in range(300):
                    name = f"tests{number}.f{offset}.g{i % 7}"
                    byname.register(name, lambda x: x + number)
                    assert byname.get(name)(1) == 1 + number
                    assert callbacks.look_up_and_call(name, 2) == 2 + number
                    assert name in byname.names(f"tests{number}.")
                    byname.remove(name)
                return number
            assert callbacks.call(back) == number
            assert callbacks.call_without_gil(back) == number
            assert callbacks.call_in_thread(back, 1) == number
            assert callbacks.call_in_threads(back, 1, 2) == 2 * number
        in_threads(3, work)
        print(byname.names("tests"))
    """)
    assert printed.strip() == "[]"


def test_a_function_without_the_gil_calls_back_and_gives_the_gil_back():
    printed = run_with_plugins("""
        def work(depth):
            time.sleep(0.001)
            return 0 if depth == 0 else 1 + callbacks.call_without_gil(lambda: work(depth - 1))
        seen = []
        in_threads(2, lambda number: seen.append(work(20 + number)))
        print(sorted(seen), callbacks.call_without_gil(lambda: "once more"))
    """)
    assert printed.strip() == "[20, 21] once more"


def test_a_block_may_call_python_while_its_library_is_loaded():
    printed = run_with_plugins("""
        os.environ["BYNAME_TEST_THROW"] = "function"
        others = []
        def missing():
            thread = threading.Thread(target=lambda: others.append(calls.add(1, 2)))
            thread.start()
            thread.join()
        byname.register("core.throw.missing", missing)
        module = byname.load(plugins + "core_throw.so")
        print(module.names(), others)
    """)
    assert printed.strip() == "['core.throw.Thing', 'core.throw.a', 'core.throw.b'] [3]"


# Fault: registering, looking up and removing while calls are in flight
def test_names_come_and_go_while_threads_call_them():
    printed = run_with_plugins("""
        name = "tests.shared"
        byname.register(name, lambda x: 7)
        shared = byname.get(name)
        calls_that_found = [0]
        ends = threading.Event()
        def call(number):
            while not ends.is_set():
                try:
                    assert shared(number) == 7 and callbacks.call_in_thread(shared, number) == 7
                    calls_that_found[0] += 1
                except byname.NotFound as error:
                    assert str(error) == (
                        "'tests.shared' is not registered any more (it was removed, or its module unloaded)"
                    )
        def change():
            for i in range(300):
                byname.remove(name)
                byname.register(name, lambda x: 7)
                time.sleep(0)
            ends.set()
        in_threads(3, lambda number: change() if number == 0 else call(number))
        print(shared(1), calls_that_found[0] > 0)
    """)
    assert printed.strip() == "7 True"


# Fault: a fork while threads are at work
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="its allocator stays locked in the child")
@pytest.mark.parametrize("forks_in", ["main", "other"])
def test_a_child_forked_while_threads_are_at_work_calls_and_ends(forks_in):
    printed = run_with_plugins(f"""
        import signal
        ends = threading.Event()
        def busy(number):
            while not ends.is_set():
                byname.register(f"tests.busy{{number}}", lambda x: x)
                byname.get(f"tests.busy{{number}}")(1)
                byname.remove(f"tests.busy{{number}}")
                callbacks.call_in_threads(lambda i: i, 2, 20)
                calls.sleep(0.001)
        def child():
            signal.alarm(60)
            byname.register("tests.child", lambda x: x + 1)
            assert byname.get("tests.child")(1) == 2 and calls.add(1, 2) == 3
            assert callbacks.call_without_gil(lambda: 4) == 4
            assert callbacks.call_in_threads(lambda i: i, 2, 20) == 380
            thread = threading.Thread(target=calls.sleep, args=(0.001,))
            thread.start()
            thread.join()
            assert byname.load(plugins + "python_values.so").unload() == []
        def fork(number):
            for _ in range(50):
                pid = os.fork()
                if pid == 0:
                    status = 1
                    try:
                        child()
                        status = 0
                    finally:
                        os._exit(status)
                statuses.append(os.waitpid(pid, 0)[1])
            ends.set()
        statuses = []
        # A module that another thread imports at the moment of the fork stays locked in the child: have all imported.
        byname.register("tests.first", lambda: 0)
        if "{forks_in}" == "other":
            in_threads(4, lambda number: fork(number) if number == 0 else busy(number))
        else:
            thread = threading.Thread(target=in_threads, args=(3, busy))
            thread.start()
            fork(0)
            thread.join()
        print(statuses == [0] * 50, statuses)
    """)
    assert printed.startswith("True"), printed
