"""The table that a run prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .result import Limit

MARKDOWN_PEERS = ("tvm-ffi", "nanobind", "pybind11")
MARKDOWN_PLACE = re.compile(r"(?<=<!-- table: bench -->\n).*?(?=<!-- end -->)", re.DOTALL)


def number(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"


def peer_text(label: str, peer: dict[str, Any]) -> str:
    if "absent" in peer:
        return f"{label}: absent"
    return f"{label} {number(peer['value'] if peer['ratio'] is None else peer['ratio'])}"


def verdict(limit: Limit, row: dict[str, Any]) -> str:
    return {True: "[green]yes", False: "[red]no", None: "[red]not measured"}[limit.reached(row)]


def print_table(console: Console, limits: list[Limit], rows: dict[str, dict[str, Any]]) -> None:
    table = Table(title="Byname against its floors and peers (ratio = value / floor)")
    for heading, justify in (
        ("name", "left"),
        ("value", "right"),
        ("unit", "left"),
        ("floor", "right"),
        ("ratio", "right"),
    ):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("limit", no_wrap=True)
    table.add_column("reached", no_wrap=True)
    table.add_column("peers (ratio, or value where there is no floor)")
    for limit in limits:
        if row := rows.get(limit.name):
            peers = " · ".join(peer_text(label, peer) for label, peer in row["peers"].items())
            figures = (number(row["value"]), limit.unit, number(row["floor"]), number(row["ratio"]))
            table.add_row(limit.name, *figures, limit.text(), verdict(limit, row), peers)
    console.print(table)


def markdown_figure(figures: dict[str, Any], unit: str) -> str:
    if figures.get("value") is None:
        return ""
    return f"{number(figures['value'])} {unit}" if figures["ratio"] is None else f"{number(figures['ratio'])} ×"


def write_markdown(path: Path, limits: list[Limit], rows: dict[str, dict[str, Any]]) -> None:
    """Puts the table between its two marks in a Markdown file."""
    lines = [" | ".join(("| | Byname", *MARKDOWN_PEERS)) + " |", "|---" + "|--:" * (1 + len(MARKDOWN_PEERS)) + "|"]
    for limit in limits:
        row = rows[limit.name]
        sides = (row, *(row["peers"].get(label, {}) for label in MARKDOWN_PEERS))
        lines.append(" | ".join((f"| {limit.about}", *(markdown_figure(side, limit.unit) for side in sides))) + " |")
    text, places = MARKDOWN_PLACE.subn(lambda _: "\n".join(lines) + "\n", path.read_text())
    if places != 1:
        raise RuntimeError(f"expected one place for a table in '{path}', found {places}")
    path.write_text(text)
