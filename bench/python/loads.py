"""python -m python.loads PLUGIN [--repeats N]

What loading and unloading a plugin cost beyond the bare dlopen and dlclose of the same file. Prints JSON lines in the
form that bench_runner prints; times are wall time, in nanoseconds.
"""

import _ctypes
import argparse
import json
import os
import time

import byname


def nanoseconds(function):
    start = time.perf_counter_ns()
    result = function()
    return time.perf_counter_ns() - start, result


def main():
    parser = argparse.ArgumentParser(prog="python -m python.loads")
    parser.add_argument("plugin")
    parser.add_argument("--repeats", type=int, default=21)
    options = parser.parse_args()
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    byname.load(options.plugin).unload()  # files come into the page cache, names into the table
    for _ in range(options.repeats):
        opening, handle = nanoseconds(lambda: _ctypes.dlopen(options.plugin, os.RTLD_NOW | os.RTLD_LOCAL))
        closing, _ = nanoseconds(lambda handle=handle: _ctypes.dlclose(handle))
        loading, module = nanoseconds(lambda: byname.load(options.plugin))
        if len(module.names()) != 100 or byname.ns.hundred.function_0042(1) != 43:
            raise RuntimeError(f"'{options.plugin}' is not what it should be")
        unloading, holders = nanoseconds(module.unload)
        if holders:
            raise RuntimeError(f"'{options.plugin}' is held by {holders}")
        for row, sample in (("module.load", loading - opening), ("module.unload", unloading - closing)):
            print(json.dumps({"row": row, "scaling": False, "sides": {"byname": {"samples": [sample]}}}), flush=True)


if __name__ == "__main__":
    main()
