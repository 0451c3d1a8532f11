"""python -m python.loads PLUGIN [--repeats N]

What the first load of a plugin, in a process that does nothing before, and unloading it cost beyond the bare dlopen and
dlclose of the same file. Prints JSON lines in the form that bench_runner prints; times are wall time, in nanoseconds.
"""

import _ctypes
import argparse
import json
import os
import subprocess
import sys
import time

import byname


def nanoseconds(function):
    start = time.perf_counter_ns()
    result = function()
    return time.perf_counter_ns() - start, result


def dlopen(plugin):
    return _ctypes.dlopen(plugin, os.RTLD_NOW | os.RTLD_LOCAL)


def first_nanoseconds(way, plugin):
    """In a process of its own: the second time all names are in the table, and memory has been touched."""
    command = [sys.executable, "-m", "python.loads", plugin, "--first", way]
    return int(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def sample_of(row, value):
    print(json.dumps({"row": row, "scaling": False, "sides": {"byname": {"samples": [value]}}}), flush=True)


def main():
    parser = argparse.ArgumentParser(prog="python -m python.loads")
    parser.add_argument("plugin")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--first", choices=("dlopen", "load"), help="only print what this takes, once")
    options = parser.parse_args()
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    if options.first:
        opener = dlopen if options.first == "dlopen" else byname.load
        print(nanoseconds(lambda: opener(options.plugin))[0])
        return
    module = byname.load(options.plugin)  # files come into the page cache
    if len(module.names()) != 100 or byname.ns.hundred.function_0042(1) != 43:
        raise RuntimeError(f"'{options.plugin}' is not what it should be")
    module.unload()
    for _ in range(options.repeats):
        opening, loading = (first_nanoseconds(way, options.plugin) for way in ("dlopen", "load"))
        sample_of("module.load", loading - opening)
        handle = dlopen(options.plugin)
        closing, _ = nanoseconds(lambda handle=handle: _ctypes.dlclose(handle))
        unloading, holders = nanoseconds(byname.load(options.plugin).unload)
        if holders:
            raise RuntimeError(f"'{options.plugin}' is held by {holders}")
        sample_of("module.unload", unloading - closing)


if __name__ == "__main__":
    main()
