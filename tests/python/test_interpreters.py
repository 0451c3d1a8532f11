"""Interpreters beside the main one."""

from conftest import run_python


def test_another_interpreter_cannot_import_byname():
    """An import there fails, whether or not the main interpreter has imported it, and harms nobody."""
    printed = run_python("""
        import _xxsubinterpreters as interpreters
        import os

        def try_to_import():
            interpreter = interpreters.create()
            try:
                interpreters.run_string(interpreter, "import byname")
            except interpreters.RunFailedError as error:
                print(error)
            interpreters.destroy(interpreter)

        try_to_import()
        import byname
        callbacks = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so").callbacks
        try_to_import()
        print(callbacks.call(lambda: "works"))
    """)
    assert printed.splitlines() == [
        "<class 'ImportError'>: byname works in the main interpreter only",
        "<class 'ImportError'>: byname works in the main interpreter only",
        "works",
    ]


def test_importing_once_more_gives_the_same_module():
    printed = run_python("""
        import sys
        import byname
        native = sys.modules.pop("byname._native")
        del sys.modules["byname"]
        import byname as again
        import byname._native
        print(byname._native is native, again.Function is native.Function, again.names())
    """)
    assert printed == "True True []\n"
