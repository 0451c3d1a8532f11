"""Runs the tests of a build and prints `N passed, N failed` as its last line.

usage: run_tests.py BUILD [--pytest-python PYTHON] [-k FILTER]

BUILD/tests.json, written by tests/CMakeLists.txt, says what there is. Each case of GoogleTest and pytest and each CTest
test counts as one. Fails if a case failed or none ran; with CI=true a skipped case counts as failed unless
tests/skips.txt lists it.
"""

import argparse
import functools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from test_cases import Case, cases_of_broken_gtest, cases_of_junit, count

ROOT = Path(__file__).resolve().parent.parent
TIME_LIMIT = 900  # seconds, of one command
PYTEST_SELECTED_NOTHING = 5
JOBS = os.cpu_count() or 1


def say(line: str) -> None:
    """Prints a line whole, whatever other threads print."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Run:
    """A command whose output goes to a file, watched so that nobody waits without a sign of life."""

    def __init__(self, name: str, command: list[str], log: Path, environment: dict[str, str] | None = None):
        self.name = name
        self.log = log
        start = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}
            )
            while True:
                try:
                    self.status = process.wait(timeout=30)
                    break
                except subprocess.TimeoutExpired:
                    seconds = int(time.monotonic() - start)
                    say(f"  {name} has run for {seconds} s")
                    if seconds > TIME_LIMIT:
                        process.kill()
        self.seconds = time.monotonic() - start

    def finish(self, cases: list[Case]) -> list[Case]:
        """Reports what the command's cases came to. A sanitizer may fail it whatever they did."""
        report = re.search("(WARNING|ERROR): [A-Za-z]+Sanitizer", self.output)
        if self.status != 0 and (report or not any(case.status == "failed" for case in cases)):
            told = self.output[report.start() :][:5000] if report else self.output[-5000:]
            cases = [*cases, Case(f"{self.name}/exit", "failed", f"{self.end}\n{told}")]
        if cases:
            say(f"{self.name}: {count(cases)} ({self.seconds:.1f} s)")
        return cases

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def end(self) -> str:
        return f"ended by signal {-self.status}" if self.status < 0 else f"ended with exit code {self.status}"


class Tests:
    def __init__(self, build: Path, name_filter: str | None):
        self.build = build
        self.filter = name_filter
        self.results = build / "test-results"
        self.results.mkdir(exist_ok=True)
        for old in self.results.iterdir():
            old.unlink()
        self.description = json.loads((build / "tests.json").read_text())
        os.environ["BYNAME_TEST_PLUGIN_DIR"] = self.description["plugin_dir"]

    def all(self, pytest_python: str) -> Iterator[Case]:
        """As many commands at a time as there are cores, what takes long first; then CTest, which does so itself."""
        commands = [lambda: self.pytest(pytest_python)]
        commands += [functools.partial(self.gtest, **executable) for executable in self.gtests_by_size()]
        with ThreadPoolExecutor(JOBS) as pool:
            for ended in as_completed([pool.submit(command) for command in commands]):
                yield from ended.result()
        yield from self.ctest()

    def gtests_by_size(self) -> list[dict[str, str]]:
        """The largest executable, which as a rule takes longest, first."""

        def size(executable: dict[str, str]) -> int:
            path = Path(executable["command"])
            return path.stat().st_size if path.exists() else 0

        return sorted(self.description["gtest"], key=size, reverse=True)

    def gtest(self, name: str, command: str) -> list[Case]:
        if not Path(command).exists():
            return [Case(name, "failed", f"{command} was not built")]
        report = self.results / f"{name}.xml"
        filter_flag = [f"--gtest_filter=*{self.filter}*"] if self.filter else []
        run = Run(name, [command, *filter_flag, f"--gtest_output=xml:{report}"], report.with_suffix(".log"))
        if report.exists():
            return run.finish(cases_of_junit(report, name))
        listing = subprocess.run(
            [command, *filter_flag, "--gtest_list_tests"], capture_output=True, text=True, check=False
        )
        return run.finish(list(cases_of_broken_gtest(name, listing.stdout, run.output, run.end)))

    def ctest(self) -> list[Case]:
        report = self.results / "ctest.xml"
        filter_flag = ["-R", re.escape(self.filter)] if self.filter else []
        command = ["ctest", "--test-dir", str(self.build), "--label-exclude", "gtest", "--no-tests=ignore"]
        options = ["--parallel", str(JOBS), "--timeout", "600", "--output-junit", str(report)]
        run = Run("ctest", [*command, *options, *filter_flag], report.with_suffix(".log"))
        return run.finish(cases_of_junit(report, "") if report.exists() else [])

    def pytest(self, python: str) -> list[Case]:
        if not self.description["python_dir"]:
            return []
        tests = [str(ROOT / "tests/python")]
        if not self.description["sanitize"]:  # documents show what is compiled against a usual library
            tests.append(str(ROOT / "tests/docs"))
        report = self.results / "pytest.xml"
        filter_flag = ["-k", self.filter] if self.filter else []
        environment = {"PYTHONPATH": self.description["python_dir"], **self.sanitizer_of_python()}
        command = [python, "-m", "pytest", "-q", *tests, f"--junitxml={report}", *filter_flag]
        run = Run("pytest", command, report.with_suffix(".log"), environment)
        if run.status == PYTEST_SELECTED_NOTHING and self.filter:
            return []
        return run.finish(cases_of_junit(report, "pytest") if report.exists() else [])

    def sanitizer_of_python(self) -> dict[str, str]:
        """The interpreter is not instrumented, so the runtime comes by preload; its own leaks would drown ours."""
        if "address" not in self.description["sanitize"]:
            return {}
        libraries = [
            subprocess.run(
                [self.description["compiler"], f"-print-file-name={library}"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for library in ("libasan.so", "libstdc++.so.6")
        ]
        return {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}


def allowed_skips() -> set[str]:
    lines = (ROOT / "tests/skips.txt").read_text().splitlines()
    return {line.split("#")[0].strip() for line in lines} - {""}


def summarise(cases: list[Case]) -> bool:
    allowed = allowed_skips() if os.environ.get("CI") == "true" else None
    for case in cases:
        if case.status == "skipped" and allowed is not None and case.name not in allowed:
            case.status = "failed"
            case.detail = f"skipped, but tests/skips.txt does not list '{case.name}'\n{case.detail}"
    failed = [case for case in cases if case.status == "failed"]
    # What a sanitizer tells first: a race that the process has had fails the death tests that come after it.
    for case in sorted(failed, key=lambda case: not case.name.endswith("/exit")):
        print(f"\nFAILED {case.name}\n{case.detail.rstrip()}")
    counted = {status: sum(case.status == status for case in cases) for status in ("passed", "failed")}
    if not any(counted.values()):
        print("no test ran")
    print(count(cases))
    return counted["passed"] > 0 and counted["failed"] == 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--pytest-python", default=sys.executable)
    parser.add_argument("-k", dest="filter")
    arguments = parser.parse_args()
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    os.environ.setdefault("TSAN_OPTIONS", "second_deadlock_stack=1")
    tests = Tests(arguments.build.resolve(), arguments.filter)
    return 0 if summarise(list(tests.all(arguments.pytest_python))) else 1


if __name__ == "__main__":
    sys.exit(main())
