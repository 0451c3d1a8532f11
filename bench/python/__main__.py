"""python -m python BUILD_DIRECTORY [--only REGEX] [--repeats N] [--sample-ms N] [--peers]

Measures the Python rows and prints a JSON line for each, in the form that bench_runner prints. The process pins itself
to the last CPU it may use.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path

from . import call, callback, error, harness, sides


def measured(row, modules, failed, options):
    """The report of one row: the samples or the error of each side."""
    chosen, report = {}, {}
    for label, module in modules.items():
        if label == "tvm-ffi" and row.name == "py.call.keywords":
            report[label] = {"error": "takes no keyword arguments"}
            continue
        try:
            if not row.check(module):
                raise ValueError("gives a wrong result")
            chosen[label] = (row.floor if module.is_floor else row.value)(module)
        except Exception as problem:
            report[label] = {"error": f"{type(problem).__name__}: {problem}"}
    report.update(harness.measure(chosen, options.repeats, options.sample_ms * 1e6))
    report.update({label: {"error": reason} for label, reason in failed.items()})
    return {"row": row.name, "scaling": False, "sides": report}


def main():
    parser = argparse.ArgumentParser(prog="python -m python")
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--sample-ms", type=float, default=4)
    parser.add_argument("--peers", action="store_true", help="measure the peers, too")
    options = parser.parse_args()
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    sys.path.insert(0, str(options.build))
    rows = [row for row in call.ROWS + callback.ROWS + error.ROWS if re.search(options.only, row.name)]
    modules, failed = sides.open_sides(options.build, options.peers) if rows else ({}, {})
    for row in rows:
        print(json.dumps(measured(row, modules, failed, options)), flush=True)


main()
