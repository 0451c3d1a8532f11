"""From samples to the rows of bench/results.json, and from rows to verdicts."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FLOOR_TOLERANCE = 1.5
SCALES = {"µs": 1e-3, "ms": 1e-6}  # of samples in nanoseconds


@dataclass
class Samples:
    """What the sides of one row gave: in `values` a number a repeat, by label; in `errors` why there is none."""

    values: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def extend(self, sides: dict[str, dict[str, Any]]) -> None:
        """Takes the report of one more process. A side that failed in one of them has failed."""
        for label, side in sides.items():
            if "error" in side:
                self.errors[label] = side["error"]
            else:
                self.values.setdefault(label, []).extend(side["samples"])


@dataclass(frozen=True)
class Limit:
    """What a row must reach, of bench/limits.json."""

    name: str
    about: str
    unit: str
    ratio_at_most: float | None = None
    value_at_most: float | None = None
    value_at_least: float | None = None
    floor_near: float | None = None

    def text(self) -> str:
        if self.ratio_at_most is not None:
            return f"ratio ≤ {self.ratio_at_most:g}"
        if self.value_at_most is not None:
            return f"≤ {self.value_at_most:g} {self.unit}"
        return f"≥ {self.value_at_least:g} {self.unit}"

    def reached(self, row: dict[str, Any]) -> bool | None:
        """None: the figure is missing."""
        figure = row["value"] if self.ratio_at_most is None else row["ratio"]
        if figure is None:
            return None
        if self.value_at_least is not None:
            return figure >= self.value_at_least
        return figure <= (self.value_at_most if self.ratio_at_most is None else self.ratio_at_most)

    def floor_problem(self, row: dict[str, Any]) -> str | None:
        """Says that the floor is too slow to be one: then the ratio flatters."""
        if self.floor_near is None or row["floor"] is None or row["floor"] <= FLOOR_TOLERANCE * self.floor_near:
            return None
        return (
            f"the floor of '{self.name}' is {row['floor']:.3g} {self.unit}, expected at most "
            f"{FLOOR_TOLERANCE * self.floor_near:.3g} (is the machine busy, or the floor built without optimisation?)"
        )


def read_limits(path: Path) -> list[Limit]:
    return [Limit(**entry) for entry in json.loads(path.read_text())]


def ratio(values: list[float], floors: list[float]) -> float:
    """The median of the ratios within the repeats: what disturbed one repeat disturbed both."""
    return statistics.median(value / floor for value, floor in zip(values, floors, strict=False))


def to_row(limit: Limit, samples: Samples) -> dict[str, Any]:
    """The row as it stands in bench/results.json; what is missing is None, and a missing peer says why."""
    scale = SCALES.get(limit.unit, 1)
    floors = samples.values.get("floor")
    own = samples.values.get("byname")

    def figures(values: list[float] | None) -> tuple[float | None, float | None]:
        if not values:
            return None, None
        of_floor = round(ratio(values, floors), 4) if floors else None
        return round(statistics.median(values) * scale, 6), of_floor

    value, of_floor = figures(own)
    peers: dict[str, Any] = {}
    for label in sorted({*samples.values, *samples.errors} - {"byname", "floor"}):
        if label in samples.errors:
            peers[label] = {"absent": samples.errors[label]}
        else:
            peer_value, peer_ratio = figures(samples.values[label])
            peers[label] = {"value": peer_value, "ratio": peer_ratio}
    return {
        "name": limit.name,
        "value": value,
        "unit": limit.unit,
        "floor": figures(floors)[0],
        "ratio": of_floor,
        "peers": peers,
    }
