"""What `import byname` adds to the start of an interpreter."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

STATEMENTS = {
    "byname": "import byname",
    "nanobind": "import peer_nanobind",
    "pybind11": "import peer_pybind11",
    "tvm-ffi": "import tvm_ffi",
}


def run_seconds(statement: str, environment: dict[str, str]) -> float:
    """Wall seconds from the start of an interpreter to its end. Raises RuntimeError if it fails."""
    start = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(sys.executable, [sys.executable, "-c", statement], environment, file_actions=quiet)
    _, status = os.waitpid(process, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise RuntimeError(f"'{statement}' fails")
    return seconds


def samples(environment: dict[str, str], labels: list[str], repeats: int) -> Iterator[dict[str, dict[str, Any]]]:
    """One repeat after the other: nanoseconds beyond `pass`, by label."""
    for statement in ["pass", *(STATEMENTS[label] for label in labels)]:  # once untimed: files come into the page cache
        with contextlib.suppress(RuntimeError):  # the timed run reports it
            run_seconds(statement, environment)
    for _ in range(repeats):
        sides: dict[str, dict[str, Any]] = {}
        for label in labels:
            run_seconds("pass", environment)  # untimed: the one after a large import takes longer
            base = run_seconds("pass", environment)
            try:
                sides[label] = {"samples": [(run_seconds(STATEMENTS[label], environment) - base) * 1e9]}
            except RuntimeError as error:
                sides[label] = {"error": str(error)}
        yield sides
