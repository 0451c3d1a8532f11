"""Ends of the interpreter: in every order of loading and use, and while threads of C++ call Python."""

import os

import pytest
from conftest import run_python

KEPT = {
    "nothing": "None",
    "a function": "callbacks.adder(1)",
    "an object": "callbacks.hold([print])",
    "a tensor": "byname.load(plugins + 'python_values.so').values.bfloat16()",
    "a callback": "callbacks.keep(lambda: 1)",
    "a callback in a cycle": "callbacks.keep(lambda: kept)",
    "a callback that calls when it goes": "callbacks.guard(lambda: byname.names('callbacks'))",
    "an exception class": "byname.errors.get('callbacks.Error')",
}


# Fault: exit in every order
@pytest.mark.parametrize("end", ["pass", "module.unload()"])
@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("opened", ["before", "loaded", "after"])
def test_the_interpreter_ends_whatever_is_loaded_and_kept(opened, kept, end):
    library = 'ctypes.CDLL(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so")'
    printed = run_python(f"""
        import atexit, ctypes, os, sys
        atexit.register(lambda: print("exit"))
        {library if opened == "before" else "pass"}
        import byname
        plugins = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/lib"
        module = byname.load(plugins + "python_callbacks.so")
        {library if opened == "after" else "pass"}
        callbacks = module.callbacks
        kept = {KEPT[kept]}
        sys.kept = kept  # goes when the interpreter's own modules do
        assert callbacks.call(lambda: 3) == 3
        {end}
    """)
    assert printed == "exit\n"


# Fault: a thread of C++ calls Python while the interpreter ends
@pytest.mark.parametrize(
    "body",
    [
        "return 1",
        "time.sleep(0.001)",
        "time.sleep(1000)",
        "raise ValueError",
        "byname.names()",
        "return callbacks.call_without_gil(lambda: [object()])",
    ],
)
def test_threads_of_cpp_may_call_python_while_the_interpreter_ends(body):
    # Interpreters are forked, four at a time, because that takes a tenth of what it takes to start them. Threads of
    # Python are at it, too, but for AddressSanitizer, which cannot follow the unwinding of one that ends inside a call.
    has_python_threads = "libasan" not in os.environ.get("LD_PRELOAD", "")
    printed = run_python(f"""
        import os, signal, threading, time, byname
        callbacks = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so").callbacks
        threading.excepthook = lambda _: None  # Python aborts if what it would print to is locked when it ends
        called = threading.Event()
        def function(*arguments):
            called.set()
            {body}
        statuses = []
        def fork(count):
            children = []
            for _ in range(count):
                children.append(os.fork())
                if children[-1] == 0:
                    return True
            statuses.extend(os.waitpid(child, 0)[1] for child in children)
            return False
        is_child = any(fork(4) for _ in range(4))
        signal.alarm(60)
        for _ in range(3):
            callbacks.call_for_ever(function)
        if {has_python_threads}:
            threading.Thread(target=callbacks.call_in_thread, args=(function, 1), daemon=True).start()
        called.wait()
        if not is_child:
            print(statuses)
    """)
    assert printed == f"{[0] * 16}\n"
