"""Samples of the sides of one row, taken in turn, in this process.

Why not pyperf: it measures one benchmark at a time, each in processes of its own, so that value and floor never see the
same machine. What it does well is kept: a generated loop whose names are locals, a count that fills a fixed time,
several processes (run.py starts them), no garbage collection inside a sample.
"""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Loop = Callable[[Any], None]


@dataclass
class Side:
    """One way to do the work of a row: a statement over `names`, or a loop that counts for itself."""

    statement: str = ""
    names: dict[str, Any] = field(default_factory=dict)
    batch: Callable[[int], None] | None = None


@dataclass
class Row:
    """A row of bench/results.json; `sides` builds the side of a module that offers the bench's functions."""

    name: str
    floor: Callable[[Any], Side]
    value: Callable[[Any], Side]
    check: Callable[[Any], bool] = lambda module: True


def compiled_loop(side: Side) -> Loop:
    """A function that runs the statement once for each item; the names are locals of it."""
    parameters = ", ".join(f"{name}={name}" for name in side.names)
    body = "\n        ".join(side.statement.splitlines())
    source = f"def loop(items, {parameters}):\n    for _ in items:\n        {body}\n"
    scope = dict(side.names)
    exec(source, scope)
    return scope["loop"]


def runner_of(side: Side) -> Callable[[int], None]:
    if side.batch:
        return side.batch
    loop = compiled_loop(side)
    return lambda count: loop(itertools.repeat(None, count))


def timed(run: Callable[[int], None], count: int) -> float:
    """Nanoseconds of CPU time for one operation: what else the machine does in between is no part of it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time_ns()
        run(count)
        return (time.thread_time_ns() - start) / count
    finally:
        if enabled:
            gc.enable()


def calibrated_count(run: Callable[[int], None], sample_ns: float) -> int:
    count = 1
    while True:
        total = timed(run, count) * count
        if total >= sample_ns / 2:
            return max(1, int(count * sample_ns / total))
        count *= 10 if total < sample_ns / 100 else 2


def measure(sides: dict[str, Side], repeats: int, sample_ns: float) -> dict[str, Any]:
    """The samples of each side by label, or the error that stopped it."""
    report: dict[str, Any] = {}
    runs: dict[str, Callable[[int], None]] = {}
    counts: dict[str, int] = {}
    for label, side in sides.items():
        try:
            runs[label] = runner_of(side)
            counts[label] = calibrated_count(runs[label], sample_ns)
            report[label] = {"samples": []}
        except Exception as error:  # a side that fails is reported; the others go on
            report[label] = {"error": f"{type(error).__name__}: {error}"}
    labels = [label for label in sides if label in counts]
    for repeat in range(repeats):
        # Each repeat begins with another side: none always runs on the caches its forerunner left.
        for i in range(len(labels)):
            label = labels[(i + repeat) % len(labels)]
            report[label]["samples"].append(round(timed(runs[label], counts[label]), 3))
    return report
