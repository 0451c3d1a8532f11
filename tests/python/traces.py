"""Scripts that BYNAME_TRACE traces, and what is in their traces."""

import json
import os
import sys
import textwrap

from conftest import run_python

# What most of the scripts begin with.
CALLS = """
import os, resource, signal, subprocess, sys, byname
calls = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so").calls
"""


def read_calls(path):
    """The calls in a trace, in which each process has its name before its calls."""
    found = []
    named = set()
    for event in json.loads(path.read_text()):
        if event["ph"] == "M":
            name = os.path.basename(sys.executable)
            assert event == {"ph": "M", "name": "process_name", "pid": event["pid"], "args": {"name": name}}
            assert event["pid"] not in named
            named.add(event["pid"])
        else:
            assert event["pid"] in named
            found.append(event)
    return found


def trace(tmp_path, code, **options):
    path = tmp_path / "trace.json"
    printed = run_python(
        code, **{**options, "environment": {"BYNAME_TRACE": str(path), **options.get("environment", {})}}
    )
    return read_calls(path), printed


def trace_calls(tmp_path, code, **options):
    return trace(tmp_path, CALLS + textwrap.dedent(code), **options)
