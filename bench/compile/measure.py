"""Compiles 100 and 200 functions on each side; the slope is what one costs, without headers and start-up."""

from __future__ import annotations

import importlib.util
import os
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import hand_written, peers
from .functions import Function, functions

SMALL, LARGE = 100, 200


@dataclass
class Side:
    """How one side is written and compiled."""

    label: str
    source: Callable[[list[Function]], str]
    suffix: str
    command: list[str]


def flags(compiler: str, *more: str) -> list[str]:
    return [compiler, "-O2", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden", *more]


def module_directory(name: str) -> Path | None:
    """Where the package `name` is installed; None: it is not."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def sides(include: Path, with_peers: bool) -> tuple[list[Side], dict[str, str]]:
    """The sides that can be compiled, floor and value first, and why the others can't."""
    cxx = os.environ.get("CXX", "g++")
    cxx_flags = flags(cxx, "-std=c++20", "-fvisibility-inlines-hidden")
    found = [Side("floor", hand_written.source, ".c", flags(os.environ.get("CC", "gcc"), "-std=c11"))]
    absent = {}
    if (include / "byname" / "byname.h").exists():
        found.append(Side("byname", peers.byname, ".cc", [*cxx_flags, "-fno-gnu-unique", f"-I{include}"]))
    else:
        absent["byname"] = "no byname/byname.h"
    if not with_peers:
        return found, absent
    python_include = f"-I{sysconfig.get_path('include')}"
    if directory := module_directory("nanobind"):
        command = [*cxx_flags, "-fno-strict-aliasing", "-DNB_SHARED", f"-I{directory / 'include'}", python_include]
        found.append(Side("nanobind", peers.nanobind, ".cc", command))
    else:
        absent["nanobind"] = "not installed"
    if directory := module_directory("tvm_ffi"):
        found.append(Side("tvm-ffi", peers.tvm_ffi, ".cc", [*cxx_flags, f"-I{directory / 'include'}"]))
    else:
        absent["tvm-ffi"] = "not installed"
    return found, absent


def file_bytes(path: Path) -> int:
    """The bytes of the sections that a stripped object keeps, without the page-wise padding between them."""
    data = path.read_bytes()
    (offset,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    total = 0
    for i in range(count):
        kind, section_flags = struct.unpack_from("<IQ", data, offset + i * size + 4)
        (length,) = struct.unpack_from("<Q", data, offset + i * size + 0x20)
        no_bits, allocated = 8, 2
        if section_flags & allocated and kind != no_bits:
            total += length
    return total


def compile_once(side: Side, count: int, directory: Path) -> tuple[float, int]:
    """CPU seconds of the compiler and its children, and the bytes of what it made."""
    source = directory / f"{side.label.replace(':', '_')}_{count}{side.suffix}"
    output = source.with_suffix(".so")
    if not source.exists():
        source.write_text(side.source(functions(count)))
    process = subprocess.Popen([*side.command, str(source), "-o", str(output)], stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        first_lines = "\n".join(errors.splitlines()[:20])
        raise RuntimeError(f"the compiler failed on {source}:\n{first_lines}")
    return usage.ru_utime + usage.ru_stime, file_bytes(output)


def slope(side: Side, directory: Path) -> tuple[float, float]:
    seconds_small, bytes_small = compile_once(side, SMALL, directory)
    seconds_large, bytes_large = compile_once(side, LARGE, directory)
    functions_between = LARGE - SMALL
    return (seconds_large - seconds_small) / functions_between, (bytes_large - bytes_small) / functions_between


def measure(
    include: Path, directory: Path, repeats: int, peer_repeats: int, with_peers: bool
) -> Iterator[tuple[str, dict[str, dict]]]:
    """Yields a progress text and the samples so far, after each repeat: {label: {"seconds": […], "bytes": […]}}."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    found, absent = sides(include, with_peers)
    report: dict[str, dict] = {label: {"error": reason} for label, reason in absent.items()}
    for repeat in range(repeats):
        for side in found:
            is_peer = side.label not in ("floor", "byname")
            if "error" in report.get(side.label, {}) or (is_peer and repeat >= peer_repeats):
                continue
            try:
                seconds, size = slope(side, directory)
            except RuntimeError as error:
                print(error, file=sys.stderr)
                report[side.label] = {"error": str(error).splitlines()[0]}
                continue
            samples = report.setdefault(side.label, {"seconds": [], "bytes": []})
            samples["seconds"].append(seconds)
            samples["bytes"].append(size)
            yield f"{side.label}, repeat {repeat + 1} of {peer_repeats if is_peer else repeats}", report
    yield "done", report
