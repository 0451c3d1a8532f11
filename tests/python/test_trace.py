"""BYNAME_TRACE: every call by name as an event of Chrome's trace format."""

import os
import subprocess

import pytest
from conftest import plugin_path
from traces import trace, trace_calls


def test_calls_are_events_with_name_time_thread_and_module(tmp_path):
    events, _ = trace(
        tmp_path,
        """
        import os, threading, time, byname
        calls = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so").calls
        byname.register("test.trace.sleep", lambda seconds: time.sleep(seconds), schema="(float seconds) -> ()")
        byname.register('test."\u00e9', lambda: None)
        assert calls.add(1, 2) == calls.add(a=1, b=2) == 3
        byname.get("test.trace.sleep")(0.01)
        byname.get('test."\u00e9')()
        thread = threading.Thread(target=calls.add, args=(1, 2))
        thread.start()
        thread.join()
        """,
    )
    assert [event["name"] for event in events] == [
        "calls.add",
        "calls.add",
        "test.trace.sleep",
        'test."\u00e9',
        "calls.add",
    ]
    assert {event["ph"] for event in events} == {"X"}
    assert events[0]["args"] == {"module": os.path.abspath(plugin_path("python_calls"))}
    assert events[2]["args"]["module"] != events[0]["args"]["module"]
    assert events[2]["dur"] >= 10_000
    assert events[0]["tid"] == events[0]["pid"] == events[3]["tid"] != events[4]["tid"]
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)


def test_calls_inside_calls_that_fail_and_that_convert_are_one_event_each(tmp_path):
    events, printed = trace(
        tmp_path,
        """
        import os, byname
        callbacks = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so").callbacks
        byname.register("test.trace.fails", lambda x: 1 / x, schema="(int x) -> float")
        fails = byname.get("test.trace.fails")
        for function in (lambda: fails(True), lambda: fails(0), lambda: callbacks.call(lambda: fails(True))):
            try:
                print(function())
            except ZeroDivisionError as error:
                print(error)
        """,
    )
    assert printed.splitlines() == ["1.0", "division by zero", "1.0"]
    assert [event["name"] for event in events] == ["test.trace.fails"] * 3 + ["callbacks.call"]
    assert [event["args"].get("failed") for event in events] == [None, True, None, None]
    inner, outer = events[2:]
    assert outer["ts"] <= inner["ts"] <= inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"] + 1


@pytest.fixture
def comma(tmp_path):
    """The environment with a locale whose decimal point is a comma, as LC_NUMERIC "comma"."""
    (tmp_path / "charmap").write_text("<escape_char> /\nCHARMAP\n<U0000>..<U007F> /x00 ASCII\nEND CHARMAP\n")
    (tmp_path / "source").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n')
    # The status is that of warnings: it has no other category.
    subprocess.run(
        ["localedef", "-c", "-f", "./charmap", "-i", "./source", "./comma"],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    return {"LOCPATH": str(tmp_path)}


def test_numbers_are_the_same_in_every_locale(tmp_path, comma):
    events, printed = trace_calls(
        tmp_path,
        """
        import locale
        locale.setlocale(locale.LC_NUMERIC, "comma")
        calls.add(1, 2)
        print(locale.format_string("%.1f", 0.5))
        """,
        environment=comma,
    )
    assert printed == "0,5\n"
    assert [event["name"] for event in events] == ["calls.add"]
