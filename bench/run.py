"""Measures Byname, its floors and its peers in one run, prints a table and writes bench/results.json.

`./run bench` builds what this needs and starts it. bench/README.md says what is measured how.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from harness import sources
from harness.result import Samples, read_limits, to_row
from harness.table import print_table, write_markdown
from rich.console import Console

BENCH = Path(__file__).resolve().parent


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__.splitlines()[0])
    parser.add_argument(
        "build", nargs="?", type=Path, default=BENCH.parent / "build" / "release", help="the build directory"
    )
    parser.add_argument("--quick", action="store_true", help="few repeats and no peers: shows that everything runs")
    parser.add_argument("--only", default="", metavar="REGEX", help="only the rows whose name matches")
    parser.add_argument("--output", type=Path, default=BENCH / "results.json", help="default: bench/results.json")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the table into this file, too, at its marks")
    options = parser.parse_args()
    if not (options.build / "CMakeCache.txt").is_file():
        parser.error(f"expected a build directory, got '{options.build}' (rows are chosen by --only)")
    return options


def make_plan(options: argparse.Namespace, progress) -> sources.Plan:
    quick = options.quick
    return sources.Plan(
        build=options.build.resolve(),
        only=options.only,
        processes=1 if quick else 5,
        repeats=3 if quick else 9,
        sample_ms=1 if quick else 4,
        compile_repeats=1 if quick else 15,
        peer_compile_repeats=0 if quick else 3,
        single_repeats=3 if quick else 21,
        with_peers=not quick,
        progress=progress,
    )


def gather(plan: sources.Plan, names: list[str]) -> tuple[dict[str, Samples], list[str]]:
    """The samples of every row, and what went wrong on the way."""
    samples = {name: Samples() for name in names}
    problems = []
    for source in sources.ALL:
        try:
            for row, sides in source(plan):
                if row in samples:
                    samples[row].extend(sides)
        except (OSError, RuntimeError) as error:
            problems.append(f"{source.__name__}: {error}")
    return samples, problems


def warn_if_busy(console: Console) -> None:
    load = os.getloadavg()[0]
    if load > 0.5:
        console.print(
            f"[yellow]the machine is busy (load {load:.1f}); two-thread rows and py.import will suffer", highlight=False
        )


def main() -> int:
    options = parse_arguments()
    console = Console(width=None if sys.stdout.isatty() else 200)
    start = time.monotonic()
    limits = [limit for limit in read_limits(BENCH / "limits.json") if sources.re.search(options.only, limit.name)]
    warn_if_busy(console)
    with console.status("starting") as status:
        plan = make_plan(options, status.update)
        samples, problems = gather(plan, [limit.name for limit in limits])
    rows = {limit.name: to_row(limit, samples[limit.name]) for limit in limits}
    options.output.write_text(json.dumps(list(rows.values()), indent=2, ensure_ascii=False) + "\n")
    print_table(console, limits, rows)
    if options.markdown:
        write_markdown(options.markdown, limits, rows)

    for limit in limits:
        for label in ("byname", "floor"):
            if error := samples[limit.name].errors.get(label):
                problems.append(f"'{limit.name}', {label}: {error}")
        if rows[limit.name]["value"] is None and "byname" not in samples[limit.name].errors:
            problems.append(f"'{limit.name}' was not measured")
    slow_floors = [text for limit in limits if (text := limit.floor_problem(rows[limit.name]))]
    if options.quick:
        for text in slow_floors:
            console.print(f"[yellow]warning: {text}", highlight=False)
    else:
        problems += slow_floors
    absent = {
        (label, peer["absent"]) for row in rows.values() for label, peer in row["peers"].items() if "absent" in peer
    }
    for label, reason in sorted(absent):
        console.print(f"peer {label}: {reason}", highlight=False)
    reached = sum(limit.reached(rows[limit.name]) is True for limit in limits)
    console.print(
        f"{reached} of {len(limits)} limits reached in {time.monotonic() - start:.0f} s; {options.output}",
        highlight=False,
    )
    for text in problems:
        console.print(f"[red]failed: {text}", highlight=False)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
