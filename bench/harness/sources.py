"""Where samples come from: a source yields (row, {label: {"samples": […]} or {"error": "…"}}), any number of times."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compile import measure as compiling
from python import imports as importing

Report = tuple[str, dict[str, dict[str, Any]]]

BENCH = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Plan:
    """How much is measured, and of what."""

    build: Path  # the build directory of the project
    only: str
    processes: int  # how often a measuring process starts anew: where code and data land differs each time
    repeats: int  # repeats in each process
    sample_ms: float
    compile_repeats: int
    peer_compile_repeats: int
    single_repeats: int  # of what is one process a sample: start-up and memory
    with_peers: bool
    progress: Callable[[str], None]

    @property
    def objects(self) -> Path:
        return self.build / "bench"

    def wants(self, name: str) -> bool:
        return re.search(self.only, name) is not None

    def environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": f"{self.build / 'python'}:{BENCH}", "PYTHONDONTWRITEBYTECODE": ""}


@contextlib.contextmanager
def pinned() -> Iterator[None]:
    """What is started meanwhile runs on the last CPU that may be used; bench_runner and bench/python pin themselves."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def stream(command: list[str], plan: Plan) -> Iterator[Report]:
    """The lines of a measuring process, as they come. Raises RuntimeError if it ends badly."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=plan.environment(), cwd=BENCH) as process:
        assert process.stdout
        for line in process.stdout:
            report = json.loads(line)
            yield report["row"], report["sides"]
    if process.returncode != 0:
        raise RuntimeError(f"'{Path(command[0]).name}' ended with status {process.returncode}")


def measuring_options(plan: Plan) -> list[str]:
    return ["--only", plan.only, "--repeats", str(plan.repeats), "--sample-ms", str(plan.sample_ms)]


def cpp(plan: Plan) -> Iterator[Report]:
    """The loops of the shared objects in one process; the parser, which has a runtime of its own, in another."""
    objects = {"byname": "bench_values.so", "floor": "bench_floors.so"}
    peers = {"std::function": "peer_std.so", "tvm-ffi": "peer_tvm_ffi.so"} if plan.with_peers else {}
    paths = {label: plan.objects / name for label, name in (objects | peers).items()}
    present = [f"{label}={path}" for label, path in paths.items() if path.exists()]
    runner = [str(plan.objects / "bench_runner"), *measuring_options(plan)]
    commands = [[*runner, *present]]
    if (parser := plan.objects / "bench_schema.so").exists():
        commands.append([*runner, f"byname={parser}"])
    for process in range(plan.processes):
        for row, sides in itertools.chain.from_iterable(stream(command, plan) for command in commands):
            plan.progress(f"{row}, process {process + 1} of {plan.processes}")
            if plan.with_peers and "floor" in sides and not paths["tvm-ffi"].exists():
                sides["tvm-ffi"] = {"error": "not built"}
            yield row, sides


def tracing(plan: Plan) -> Iterator[Report]:
    """One loop over the library and over one that cannot trace, by turns in processes of their own."""
    if not plan.wants("trace.off"):
        return
    objects = {"byname": "bench_values.so", "floor": "bench_untraced.so"}
    options = measuring_options(plan)
    options[1] = "^cpp.call.packed$"
    for process in range(3 * plan.processes):
        plan.progress(f"trace.off, process {process + 1} of {3 * plan.processes}")
        together: dict[str, dict[str, Any]] = {}
        for label, name in objects.items():
            command = [str(plan.objects / "bench_runner"), *options, f"{label}={plan.objects / name}"]
            for _, sides in stream(command, plan):
                together |= sides
        yield "trace.off", together


def python(plan: Plan) -> Iterator[Report]:
    """The loops of bench/python."""
    command = [sys.executable, "-m", "python", str(plan.objects), *measuring_options(plan)]
    if plan.with_peers:
        command.append("--peers")
    for process in range(plan.processes):
        for row, sides in stream(command, plan):
            plan.progress(f"{row}, process {process + 1} of {plan.processes}")
            yield row, sides


def memory(plan: Plan) -> Iterator[Report]:
    """Programs that print how much they grew."""
    if not plan.wants("cpp.memory"):
        return
    programs = {"byname": "bench_memory"}
    if plan.with_peers:
        programs["tvm-ffi"] = "peer_tvm_ffi_memory"
    for repeat in range(plan.single_repeats):
        plan.progress(f"cpp.memory, repeat {repeat + 1} of {plan.single_repeats}")
        sides: dict[str, dict[str, Any]] = {}
        for label, name in programs.items():
            program = plan.objects / name
            if not program.exists():
                sides[label] = {"error": "not built"}
                continue
            done = subprocess.run([program], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sides[label] = {"error": done.stderr.strip() or f"'{name}' ended with status {done.returncode}"}
            else:
                sides[label] = {"samples": [float(done.stdout)]}
        yield "cpp.memory", sides


def stripped_kilobytes(path: Path) -> float:
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "stripped"
        subprocess.run(["strip", "-o", output, path], check=True)
        return output.stat().st_size / 1000


def sizes(plan: Plan) -> Iterator[Report]:
    """Files, stripped."""
    own = {
        "size.library": sorted(plan.build.glob("libbyname.so")),
        "size.extension": sorted(plan.build.glob("python/byname/_native*.so")),
    }
    tvm_ffi = compiling.module_directory("tvm_ffi") if plan.with_peers else None
    peers = {"size.library": "lib/libtvm_ffi.so", "size.extension": "core*.so"}
    for row, files in own.items():
        if not plan.wants(row):
            continue
        sides: dict[str, dict[str, Any]] = {"byname": {"error": "not built"}}
        if files:
            sides["byname"] = {"samples": [stripped_kilobytes(files[0])]}
        peer_files = sorted(tvm_ffi.glob(peers[row])) if tvm_ffi else []
        if peer_files:
            sides["tvm-ffi"] = {"samples": [stripped_kilobytes(peer_files[0])]}
        elif plan.with_peers:
            sides["tvm-ffi"] = {"error": "not installed"}
        yield row, sides


def compiled(plan: Plan) -> Iterator[Report]:
    """Compilers at work."""
    rows = {"compile.seconds": "seconds", "compile.bytes": "bytes"}
    if not any(map(plan.wants, rows)):
        return
    report: dict[str, dict[str, Any]] = {}
    directory = plan.objects / "compile"
    include = BENCH.parent / "include"
    samples = compiling.measure(include, directory, plan.compile_repeats, plan.peer_compile_repeats, plan.with_peers)
    with pinned():
        for text, so_far in samples:
            plan.progress(f"compile: {text}")
            report = so_far
    for row, kind in rows.items():
        if plan.wants(row):
            sides = {label: side if "error" in side else {"samples": side[kind]} for label, side in report.items()}
            yield row, sides


def imports(plan: Plan) -> Iterator[Report]:
    """Interpreters that start, import and end."""
    if not plan.wants("py.import"):
        return
    environment = plan.environment()
    environment["PYTHONPATH"] += f":{plan.objects}"
    labels = list(importing.STATEMENTS) if plan.with_peers else ["byname"]
    with pinned():
        for repeat, sides in enumerate(importing.samples(environment, labels, plan.single_repeats)):
            plan.progress(f"py.import, repeat {repeat + 1} of {plan.single_repeats}")
            yield "py.import", sides


def modules(plan: Plan) -> Iterator[Report]:
    """A plugin that comes and goes."""
    if not any(map(plan.wants, ("module.load", "module.unload"))):
        return
    plan.progress("module.load, module.unload")
    plugin = plan.objects / "libbench_hundred.so"
    command = [sys.executable, "-m", "python.loads", str(plugin), "--repeats", str(plan.single_repeats)]
    for row, sides in stream(command, plan):
        if plan.wants(row):
            yield row, sides


ALL = (sizes, memory, cpp, tracing, python, modules, imports, compiled)
