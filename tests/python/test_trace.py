"""BYNAME_TRACE: every call by name as an event of Chrome's trace format."""

import json
import os
import subprocess
import sys

from conftest import plugin_path, run_python


def trace(tmp_path, code):
    path = tmp_path / "trace.json"
    printed = run_python(code, environment={"BYNAME_TRACE": str(path)})
    events = json.loads(path.read_text())
    last = events.pop()
    assert last.pop("pid") in {event["pid"] for event in events}
    assert last == {"ph": "M", "name": "process_name", "args": {"name": os.path.basename(sys.executable)}}
    return events, printed


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


def test_children_of_a_fork_add_their_own_events(tmp_path):
    events, _ = trace(
        tmp_path,
        """
        import os, byname
        calls = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so").calls
        calls.add(1, 2)
        child = os.fork()
        calls.add(1, 2)
        if child != 0:
            os.waitpid(child, 0)
        """,
    )
    assert len(events) == 3
    assert len({event["pid"] for event in events}) == 2


def test_a_file_that_cannot_be_written_is_warned_about(tmp_path):
    path = tmp_path / "no" / "such" / "directory"
    done = subprocess.run(
        [sys.executable, "-c", "import byname; print(byname.names('nothing'))"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "BYNAME_TRACE": str(path)},
    )
    assert done.stdout == "[]\n"
    assert done.stderr == (
        f"byname: RuntimeWarning: cannot write the trace '{path}' that BYNAME_TRACE names: No such file or directory\n"
    )
